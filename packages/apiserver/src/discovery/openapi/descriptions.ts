import { readFileSync } from 'node:fs';

import { getKey, isJsonObject, type JsonObject, setKey } from 'client-ts/internal';

/** What a type and its fields are for. */
interface TypeDescription {
  readonly description?: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** The data file: what all kinds and all lists share, and every described built-in type by name. */
interface DescriptionsFile {
  readonly kind: TypeDescription;
  /** Texts contain `{kind}` in place of the kind of the items. */
  readonly list: TypeDescription;
  readonly types: Readonly<Record<string, TypeDescription>>;
}

let loaded: DescriptionsFile | undefined;

/** Reads the data file on first use: a server whose OpenAPI is never requested does not need it. */
function descriptions(): DescriptionsFile {
  loaded ??= JSON.parse(
    readFileSync(new URL('../../../data/descriptions.json', import.meta.url), 'utf8'),
  ) as DescriptionsFile;
  return loaded;
}

/** Returns a built-in type with descriptions of itself and its fields, as far as there are any. */
export function describeType(name: string, schema: JsonObject): JsonObject {
  const type = getKey(descriptions().types, name);
  return type === undefined ? schema : withDescriptions(schema, type);
}

/** Returns the type of a custom kind with descriptions of the fields that every kind has. */
export function describeKind(schema: JsonObject): JsonObject {
  return withDescriptions(schema, { fields: descriptions().kind.fields });
}

/** Returns the type of a list of custom objects with its descriptions. */
export function describeList(schema: JsonObject, kind: string): JsonObject {
  const { description, fields } = descriptions().list;
  const fill = (text: string): string => text.replaceAll('{kind}', kind);
  const listFields = Object.entries(fields).map(([name, text]) => [name, fill(text)] as const);
  return withDescriptions(schema, {
    ...(description !== undefined && { description: fill(description) }),
    fields: { ...descriptions().kind.fields, ...Object.fromEntries(listFields) },
  });
}

function withDescriptions(
  schema: JsonObject,
  { description, fields }: TypeDescription,
): JsonObject {
  const copy: JsonObject = { ...(description !== undefined && { description }), ...schema };
  if (!isJsonObject(schema['properties'])) return copy;
  const properties: JsonObject = {};
  for (const [name, property] of Object.entries(schema['properties'])) {
    const text = getKey(fields, name);
    const isDescribed = text !== undefined && isJsonObject(property);
    setKey(properties, name, isDescribed ? { description: text, ...property } : property);
  }
  return { ...copy, properties };
}
