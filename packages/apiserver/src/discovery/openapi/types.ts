import type { JsonObject } from 'client-ts/internal';
import type { GroupVersion, GroupVersionKind } from 'client-ts/meta';
import { mapSchema, schemasIn } from './schema-map.ts';

/** Where documents find types by name. A `$ref` in them is the name of a type. */
export type TypeSource = (name: string) => JsonObject | undefined;

/** Every type that can be reached from the given ones, in the order of their names. */
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

/** A reference to a type in a document of OpenAPI v3. */
export function refV3(name: string): JsonObject {
  return { $ref: `${REF_V3}${name}` };
}

/** A reference to a type in the document of OpenAPI v2. */
export function refV2(name: string): JsonObject {
  return { $ref: `${REF_V2}${name}` };
}

/**
 * A type as OpenAPI v3 has it. Some belong to every group-version, as options do; a document names
 * them only for its own and for the core group.
 */
export function typeV3(schema: JsonObject, own: GroupVersion): JsonObject {
  const { shape: _serverOnly, $ref, ...rest } = mapSchema(schema, (inner) => typeV3(inner, own));
  const kinds = kindsOf(rest).filter(
    ({ group, version }, _index, all) =>
      all.length === 1 || group === '' || (group === own.group && version === own.version),
  );
  const type = { ...rest, ...(kinds.length > 0 && { [KINDS]: kinds.map(kindJson) }) };
  if (typeof $ref !== 'string') return type;
  // Nothing may stand beside a reference.
  return Object.keys(type).length === 0 ? refV3($ref) : { ...type, allOf: [refV3($ref)] };
}

/** A type as OpenAPI v2 has it: no defaults, and one of several types is said to be text. */
export function typeV2(schema: JsonObject): JsonObject {
  const { shape: _serverOnly, default: _default, oneOf, $ref, ...rest } = mapSchema(schema, typeV2);
  if (typeof $ref === 'string') return { ...refV2($ref), ...rest };
  return oneOf === undefined ? rest : { type: 'string', ...rest };
}

const KINDS = 'x-kubernetes-group-version-kind';

function kindsOf(schema: JsonObject): GroupVersionKind[] {
  return (schema[KINDS] ?? []) as unknown as GroupVersionKind[];
}

/** A kind as the extension of OpenAPI writes it. */
export function kindJson({ group, version, kind }: GroupVersionKind): JsonObject {
  return { group, kind, version };
}
