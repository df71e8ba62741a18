import {
  type FieldMask,
  maskObject,
  projectionMask,
  withoutManagedFields,
} from '../../meta/projection.ts';
import type { Packer } from './packed-bytes.ts';

/** What read-only objects keep of what arrived. */
export interface ReadOnlyFormOptions {
  /** The fields to keep, besides the kind and the metadata. Default: all. */
  readonly project?: readonly string[] | undefined;
  /** Drop `metadata.managedFields`. Default: false, and true with `project` unless it names them. */
  readonly dropManagedFields?: boolean | undefined;
  /** Keep objects compressed, and decompress them to read a field. Default false. */
  readonly compress?: boolean | undefined;
}

/** The form in which a codec makes read-only objects. */
export class ReadOnlyForm {
  /** The fields that are kept; undefined for all. */
  readonly mask: FieldMask | undefined;
  /** The paths of a projection; undefined if objects are whole, but for their managed fields. */
  readonly projection: readonly string[] | undefined;
  readonly #isCompressed: boolean;
  #packer: Packer | undefined;

  /** Throws an `OptionError` for a path that is not one. */
  constructor({ project, dropManagedFields = false, compress = false }: ReadOnlyFormOptions) {
    this.#isCompressed = compress;
    if (project !== undefined) {
      this.mask = projectionMask(project);
      this.projection = Object.freeze([...project]);
    } else this.mask = dropManagedFields ? withoutManagedFields() : undefined;
  }

  /** Loads what decoding needs. Without it objects are not compressed. */
  async load(): Promise<void> {
    if (!this.#isCompressed || this.#packer !== undefined) return;
    // Loaded on demand: few programs compress.
    const { Packer } = await import('./packed-bytes.ts');
    this.#packer ??= new Packer();
  }

  /** Compresses objects; undefined if they are kept as they are. */
  get packer(): Packer | undefined {
    return this.#packer;
  }

  /** Returns a plain object in this form. */
  of<T extends object>(object: T): T {
    return this.mask === undefined ? object : maskObject(object, this.mask, this.projection);
  }
}
