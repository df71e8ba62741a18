import { type ParsedYaml, parseYamlDocuments, YamlError } from 'client-ts/yaml';

import { JsonNumber, JsonSyntaxError } from '../schema/json-parser.ts';
import { isPlain, isTooDeep, parseJson } from '../schema/parse-json.ts';

/** Parses the first document of a text the way the server does. Throws a `YamlError`. */
export function parseYaml(text: string): ParsedYaml<JsonNumber> {
  return parseAsJson(text) ?? parseExactly(text);
}

/** Most of what is called YAML is JSON, which is parsed much faster. */
function parseAsJson(text: string): ParsedYaml<JsonNumber> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value = parseJson(text);
    return isPlain(value)
      ? { value: value as ParsedYaml<JsonNumber>['value'], duplicates: [] }
      : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

function parseExactly(text: string): ParsedYaml<JsonNumber> {
  const [document] = parseYamlDocuments(text);
  if (document === undefined) return { value: null, duplicates: [] };
  const parsed = document.read({ bigInteger: (value) => new JsonNumber(String(value)) });
  // Aliases nest deeper than the text does.
  if (isTooDeep(parsed.value)) throw new YamlError('yaml: exceeded max depth');
  return parsed;
}
