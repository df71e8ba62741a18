import { isJsonObject, type JsonObject } from 'client-ts/internal';
import { newBadRequest } from 'client-ts/meta';
import { YamlError } from 'client-ts/yaml';

import { kindOf } from '../schema/decode-scalar.ts';
import { plainJson } from '../schema/parse-json.ts';
import { strictYamlError } from './body.ts';
import type { ResourceExchange } from './exchange.ts';
import type { WriteOptions } from './write-options.ts';

import { parseYaml } from './yaml-reader.ts';

/** What an apply wants: YAML, of which JSON is a part. */
export interface Configuration {
  readonly config: JsonObject;
  /** What is to be said about keys that stand twice. */
  readonly duplicates: readonly string[];
}

/** Reads the body of an apply; throws a 400 if it is no object. */
export function parseConfiguration(text: string): Configuration {
  let parsed: ReturnType<typeof parseYaml>;
  try {
    parsed = parseYaml(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw newBadRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`);
  }
  const config = plainJson(parsed.value);
  if (isJsonObject(config)) return { config, duplicates: parsed.duplicates };
  throw newBadRequest(
    `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${kindOf(config)} into Go value of type map[string]interface {}`,
  );
}

/** Warns of keys that stand twice in a configuration, or refuses them, as the request wants it. */
export function reportDuplicates(
  { warnings }: Pick<ResourceExchange, 'warnings'>,
  { fieldValidation }: Pick<WriteOptions, 'fieldValidation'>,
  duplicates: readonly string[],
): void {
  if (duplicates.length === 0 || fieldValidation === 'Ignore') return;
  if (fieldValidation !== 'Strict') {
    warnings.push(...duplicates);
    return;
  }
  const [message] = strictYamlError(duplicates);
  throw newBadRequest(`error strict decoding YAML: error converting YAML to JSON: ${message}`);
}
