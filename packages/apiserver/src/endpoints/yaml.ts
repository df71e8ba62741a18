import { isJsonObject, type JsonValue } from 'client-ts/lib';
import { parseDocument, stringify } from 'yaml';

/** A body that is not YAML, or holds something JSON has no word for. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
}

/** Keys that stood twice in one mapping; the later one counts. */
export interface ParsedYaml {
  readonly value: JsonValue;
  readonly duplicates: readonly string[];
}

/** The words that clients of a real server know for common faults. */
const MESSAGES: Readonly<Record<string, string>> = {
  BLOCK_AS_IMPLICIT_KEY: 'mapping values are not allowed in this context',
  TAB_AS_INDENT: 'found character that cannot start any token',
};

/** Reads one document the way the server does: YAML 1.1, so `yes` is a boolean and `y` too. */
export function parseYaml(text: string): ParsedYaml {
  const document = parseDocument(text, {
    version: '1.1',
    schema: 'yaml-1.1',
    uniqueKeys: false,
    merge: true,
    prettyErrors: false,
  });
  const problem = document.errors[0];
  if (problem !== undefined) {
    throw new YamlError(`yaml: ${MESSAGES[problem.code] ?? problem.message}`, { cause: problem });
  }
  const value = document.toJS({ maxAliasCount: 100 }) as JsonValue | undefined;
  return { value: value ?? null, duplicates: [] };
}

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
    if (child !== undefined) sorted[key] = sortKeys(child);
  }
  return sorted;
}
