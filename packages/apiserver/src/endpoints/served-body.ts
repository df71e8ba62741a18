import type { ApiObject } from '../registry/object.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import { applySchemaDefaults } from '../schema/defaults.ts';
import type { BodyType } from './body.ts';

/** Returns the expected body of a write to this resource. */
export function bodyTypeOf({ info, customKind }: ServedResource): BodyType {
  const { group, version, kind, schema } = info;
  return { group, version, kind, schema, ...(customKind && { custom: customKind }) };
}

/** Applies defaults: those of the schema, then those of the strategy. */
export function setDefaults({ info, registry }: ServedResource, object: ApiObject): void {
  if (info.crd === undefined) applySchemaDefaults(info.schema, object);
  registry.strategy.setDefaults?.(object);
}

/** Returns an object of a request in the version that is stored. */
export function toStorage({ conversion }: ServedResource, object: ApiObject): ApiObject {
  return conversion === undefined ? object : conversion.toStorage(object);
}
