import {
  type FieldMask,
  maskObject,
  projectionMask,
  withoutManagedFields,
} from '../../meta/projection.ts';

/** What read-only objects keep of what arrived. */
export interface ReadOnlyFormOptions {
  /** The fields to keep, besides the kind and the metadata. Default: all. */
  readonly project?: readonly string[] | undefined;
  /** Drop `metadata.managedFields`. Default: false, and true with `project` unless it names them. */
  readonly dropManagedFields?: boolean | undefined;
}

/** The form in which a codec makes read-only objects. */
export class ReadOnlyForm {
  /** The fields that are kept; undefined for all. */
  readonly mask: FieldMask | undefined;
  /** The paths of a projection; undefined if objects are whole, but for their managed fields. */
  readonly projection: readonly string[] | undefined;

  /** Throws an `OptionError` for a path that is not one. */
  constructor({ project, dropManagedFields = false }: ReadOnlyFormOptions) {
    if (project !== undefined) {
      this.mask = projectionMask(project);
      this.projection = Object.freeze([...project]);
    } else this.mask = dropManagedFields ? withoutManagedFields() : undefined;
  }

  /** Returns a plain object in this form. */
  of<T extends object>(object: T): T {
    return this.mask === undefined ? object : maskObject(object, this.mask, this.projection);
  }
}
