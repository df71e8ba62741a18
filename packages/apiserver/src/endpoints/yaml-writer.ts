import { isJsonObject, type JsonValue, setKey } from 'client-ts/internal';
import { stringify } from 'yaml';

/** Writes YAML as the server does: keys in order, lists not indented. */
export function formatYaml(object: JsonValue): string {
  // A lone dot is quoted by the library, though it is a plain word in YAML.
  return stringify(sortKeys(object), {
    version: '1.1',
    indentSeq: false,
    lineWidth: 0,
    defaultStringType: 'PLAIN',
    defaultKeyType: 'PLAIN',
  }).replace(/^( *)"\.": /gm, '$1.: ');
}

function sortKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isJsonObject(value)) return value;
  const sorted: Record<string, JsonValue> = {};
  for (const key of Object.keys(value).sort()) {
    const child = value[key];
    if (child !== undefined) setKey(sorted, key, sortKeys(child));
  }
  return sorted;
}
