import { getKey, isJsonObject, type JsonObject, type JsonValue } from 'client-ts/internal';

/** An OpenAPI v3 schema, or a part of one. */
export type Schema = JsonObject;

/** A field of a schema, with the types that contain it. */
export interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  /** 1 for the fields of the explained type. */
  readonly level: number;
}

/** The kind of a resource, as the document has it. */
export interface DocumentedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const verbs = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** The OpenAPI v3 document of a group-version. References that lead nowhere count as empty. */
export class SchemaDocument {
  readonly #document: JsonObject;

  constructor(document: JsonObject) {
    this.#document = document;
  }

  /** Returns the kind of a resource, from the operations of its paths. */
  kindOf(groupVersionPath: string, resource: string): DocumentedKind | undefined {
    const paths = objectAt(this.#document, 'paths');
    for (const place of ['', 'namespaces/{namespace}/']) {
      for (const name of ['', '/{name}']) {
        const path = objectAt(paths, `/${groupVersionPath}/${place}${resource}${name}`);
        for (const verb of verbs) {
          const gvk = objectAt(objectAt(path, verb), 'x-kubernetes-group-version-kind');
          if (gvk !== undefined) return kindFrom(gvk);
        }
      }
    }
    return undefined;
  }

  /** Returns the schema of a kind. */
  schemaOf(wanted: DocumentedKind): Schema | undefined {
    const schemas = objectAt(objectAt(this.#document, 'components'), 'schemas') ?? {};
    return Object.values(schemas)
      .filter(isJsonObject)
      .find((schema) => {
        const kinds = getKey(schema, 'x-kubernetes-group-version-kind');
        return listOf(kinds)
          .filter(isJsonObject)
          .map(kindFrom)
          .some((kind) => isSame(kind, wanted));
      });
  }

  /** Follows a reference; a schema without one is returned unchanged. */
  resolve(schema: Schema): Schema {
    const ref = refOf(schema);
    if (!ref.startsWith('#/')) return schema;
    let found: Schema | undefined = this.#document;
    for (const key of ref.slice(2).split('/')) found = objectAt(found, key);
    return found ?? schema;
  }

  /**
   * Returns the schema of a field, looking through lists, maps and `allOf` on the way. Undefined if
   * there is no such field.
   */
  fieldOf(schema: Schema, name: string, seen: readonly string[] = []): Schema | undefined {
    const ref = refOf(schema);
    if (ref !== '' && seen.includes(ref)) return undefined;
    const resolved = this.resolve(schema);
    const found = objectAt(objectAt(resolved, 'properties'), name);
    if (found !== undefined) return found;
    const inner = elementOf(resolved);
    const candidates = inner === undefined ? allOf(resolved) : [inner];
    for (const candidate of candidates) {
      const deeper = this.fieldOf(candidate, name, [...seen, ref]);
      if (deeper !== undefined) return deeper;
    }
    return undefined;
  }

  /** Yields the fields of a type in alphabetical order; `deep`: each followed by its own. */
  *fields(
    schema: Schema,
    { deep, level = 1, seen = [] }: FieldsOptions,
  ): Generator<Field, void, undefined> {
    const ref = refOf(schema);
    if (ref !== '' && seen.includes(ref)) return;
    const next = { deep, seen: [...seen, ref] };
    const resolved = this.resolve(schema);
    const required = listOf(getKey(resolved, 'required'));
    const properties = Object.entries(objectAt(resolved, 'properties') ?? {});
    for (const [name, property] of properties.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      if (!isJsonObject(property)) continue;
      yield { name, schema: property, isRequired: required.includes(name), level };
      if (deep) yield* this.fields(property, { ...next, level: level + 1 });
    }
    for (const part of partsOf(resolved)) yield* this.fields(part, { ...next, level });
  }

  /** Returns the descriptions of a schema and of what it consists of, one per line. */
  description(schema: Schema, seen: readonly string[] = []): string {
    const ref = refOf(schema);
    if (ref !== '' && seen.includes(ref)) return '';
    const resolved = this.resolve(schema);
    const own = textAt(resolved, 'description');
    const parts = partsOf(resolved).map((part) => this.description(part, [...seen, ref]));
    return [own === '' ? '' : `${own}\n`, ...parts].join('');
  }

  /** Returns the type for people: `string`, `[]Container`, `map[string]Quantity`, `Object`. */
  typeName(schema: Schema): string {
    const items = schemaAt(schema, 'items');
    if (items !== undefined) return `[]${this.typeName(items)}`;
    const values = schemaAt(schema, 'additionalProperties');
    if (values !== undefined) return `map[string]${this.typeName(values)}`;
    const [only, ...others] = allOf(schema);
    if (only !== undefined && others.length === 0 && schemaAt(schema, 'properties') === undefined) {
      return this.typeName(only);
    }
    const ref = refOf(schema);
    if (ref === '') return basicType(schema) || 'Object';
    const target = this.resolve(schema);
    const name = ref.slice(ref.lastIndexOf('/') + 1);
    return basicType(target) || name.slice(name.lastIndexOf('.') + 1) || 'Object';
  }
}

interface FieldsOptions {
  readonly deep: boolean;
  readonly level?: number;
  /** The references on the way here, so that recursive types end. */
  readonly seen?: readonly string[];
}

/** Returns a member that is an object. */
export function objectAt(value: JsonObject | undefined, key: string): JsonObject | undefined {
  const found = value === undefined ? undefined : getKey(value, key);
  return isJsonObject(found) ? found : undefined;
}

/** Returns a member that is a text; otherwise an empty one. */
export function textAt(value: JsonObject, key: string): string {
  const found = getKey(value, key);
  return typeof found === 'string' ? found : '';
}

/** Returns a value that is a list; otherwise an empty one. */
export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** An empty schema means nothing. */
function schemaAt(schema: Schema, key: string): Schema | undefined {
  const found = objectAt(schema, key);
  return found === undefined || Object.keys(found).length === 0 ? undefined : found;
}

/** The type of the elements of a list or of the values of a map. */
function elementOf(schema: Schema): Schema | undefined {
  return schemaAt(schema, 'items') ?? schemaAt(schema, 'additionalProperties');
}

function allOf(schema: Schema): Schema[] {
  return listOf(getKey(schema, 'allOf')).filter(isJsonObject);
}

function partsOf(schema: Schema): Schema[] {
  const inner = [schemaAt(schema, 'items'), schemaAt(schema, 'additionalProperties')];
  return [...allOf(schema), ...inner.filter((part) => part !== undefined)];
}

function refOf(schema: Schema): string {
  return textAt(schema, '$ref');
}

/** Empty for objects, which have a better name. */
function basicType(schema: Schema): string {
  const type = textAt(schema, 'type');
  return type === 'object' ? '' : type;
}

function kindFrom(gvk: JsonObject): DocumentedKind {
  return {
    group: textAt(gvk, 'group'),
    version: textAt(gvk, 'version'),
    kind: textAt(gvk, 'kind'),
  };
}

function isSame(one: DocumentedKind, other: DocumentedKind): boolean {
  return one.group === other.group && one.version === other.version && one.kind === other.kind;
}
