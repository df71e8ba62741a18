import { isJsonObject, type JsonObject, type JsonValue, setKey } from 'client-ts/internal';
import type { GroupVersion, GroupVersionKind } from 'client-ts/meta';

import type { ResourceInfo } from '../../registry/resource.ts';
import type { Model } from '../../schema/model.ts';

/** Looks up types by name. A `$ref` in them is a type name. */
export type TypeSource = (name: string) => JsonObject | undefined;

/** Returns every type that is reachable from the given ones, sorted by name. */
export function reachableTypes(
  roots: Iterable<string>,
  source: TypeSource,
): ReadonlyMap<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    const schema = source(name);
    if (schema === undefined) return;
    found.set(name, schema);
    visitSchema(schema);
  };
  const visitSchema = (schema: JsonObject): void => {
    if (typeof schema['$ref'] === 'string') visit(schema['$ref']);
    for (const inner of schemasIn(schema)) visitSchema(inner);
  };
  for (const root of roots) visit(root);
  return new Map([...found].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

const REF_V3 = '#/components/schemas/';
const REF_V2 = '#/definitions/';

/** Returns a reference to a type in an OpenAPI v3 document. */
export function refV3(name: string): JsonObject {
  return { $ref: `${REF_V3}${name}` };
}

/** Returns a reference to a type in the OpenAPI v2 document. */
export function refV2(name: string): JsonObject {
  return { $ref: `${REF_V2}${name}` };
}

/**
 * Converts a type to OpenAPI v3. Types such as options belong to every group-version; if `own` is
 * given, a document lists them only for this and the core group.
 */
export function typeV3(schema: JsonObject, own: GroupVersion | undefined): JsonObject {
  const { shape: _serverOnly, $ref, ...rest } = mapSchema(schema, (inner) => typeV3(inner, own));
  const kinds = kindsOf(rest).filter(
    ({ group, version }, _index, all) =>
      own === undefined ||
      all.length === 1 ||
      group === '' ||
      (group === own.group && version === own.version),
  );
  const type = { ...rest, ...(kinds.length > 0 && { [KINDS]: kinds.map(kindJson) }) };
  if (typeof $ref !== 'string') return type;
  // A reference cannot have siblings.
  return Object.keys(type).length === 0 ? refV3($ref) : { ...type, allOf: [refV3($ref)] };
}

/** Converts a type to OpenAPI v2: without defaults, and with `oneOf` types as strings. */
export function typeV2(schema: JsonObject): JsonObject {
  const { shape: _serverOnly, default: _default, oneOf, $ref, ...rest } = mapSchema(schema, typeV2);
  if (typeof $ref === 'string') return { ...refV2($ref), ...rest };
  return oneOf === undefined ? rest : { type: 'string', ...rest };
}

const KINDS = 'x-kubernetes-group-version-kind';

function kindsOf(schema: JsonObject): GroupVersionKind[] {
  return (schema[KINDS] ?? []) as unknown as GroupVersionKind[];
}

/** Returns a kind as `x-kubernetes-group-version-kind` writes it. */
export function kindJson({ group, version, kind }: GroupVersionKind): JsonObject {
  return { group, kind, version };
}

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';

export const API_RESOURCE_LIST: string = `${META}.APIResourceList`;
export const DELETE_OPTIONS: string = `${META}.DeleteOptions`;
export const LIST_META: string = `${META}.ListMeta`;
export const OBJECT_META: string = `${META}.ObjectMeta`;
export const PATCH: string = `${META}.Patch`;
export const STATUS: string = `${META}.Status`;
export const WATCH_EVENT: string = `${META}.WatchEvent`;

/** The type names of kinds in OpenAPI documents. */
export interface TypeNames {
  /** Returns the type name of a kind on the paths of `resource`. */
  of(kind: GroupVersionKind, resource: ResourceInfo): string;
  listOf(resource: ResourceInfo): string;
}

export function typeNames(model: Model): TypeNames {
  const builtIn = (kind: GroupVersionKind): string => model.schemaIdFor(kind) ?? STATUS;
  return {
    of: (kind, resource) =>
      resource.crd !== undefined && kind.group === resource.group
        ? customTypeName(resource, kind.kind)
        : builtIn(kind),
    listOf: (resource) =>
      resource.crd === undefined
        ? builtIn({ ...resource, kind: resource.listKind })
        : customTypeName(resource, resource.listKind),
  };
}

/** Reverses the domain, as in package names: `com.example.v1.Widget`. */
export function customTypeName({ group, version }: ResourceInfo, kind: string): string {
  return `${group.split('.').reverse().join('.')}.${version}.${kind}`;
}

const SCHEMAS = new Set(['additionalProperties', 'items', 'not']);
const LISTS_OF_SCHEMAS = new Set(['allOf', 'anyOf', 'oneOf']);

/** Returns the schemas directly inside a schema. */
function* schemasIn(schema: JsonObject): Generator<JsonObject> {
  for (const [key, value] of Object.entries(schema)) {
    if (SCHEMAS.has(key)) yield* [value].filter(isJsonObject);
    else if (LISTS_OF_SCHEMAS.has(key) && Array.isArray(value)) yield* value.filter(isJsonObject);
    else if (key === 'properties' && isJsonObject(value)) {
      yield* Object.values(value).filter(isJsonObject);
    }
  }
}

/**
 * Returns a copy of a schema with `change` applied to every schema directly inside it. Values in a
 * schema (`default`, `enum`, `example`) may look like schemas and stay unchanged. Properties are
 * sorted by name.
 */
export function mapSchema(
  schema: JsonObject,
  change: (schema: JsonObject) => JsonObject,
): JsonObject {
  const copy: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (value !== undefined) setKey(copy, key, mapKeyword(key, value, change));
  }
  return copy;
}

function mapKeyword(
  key: string,
  value: JsonValue,
  change: (schema: JsonObject) => JsonObject,
): JsonValue {
  const one = (item: JsonValue): JsonValue => (isJsonObject(item) ? change(item) : item);
  if (SCHEMAS.has(key)) return one(value);
  if (LISTS_OF_SCHEMAS.has(key)) return Array.isArray(value) ? value.map(one) : value;
  if (key !== 'properties' || !isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, property]) => [name, one(property ?? {})]),
  );
}
