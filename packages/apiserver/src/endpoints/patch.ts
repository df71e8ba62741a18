import { isJsonObject, type JsonObject, type JsonValue } from 'client-ts/lib';
import {
  ApiError,
  applyJsonPatch,
  applyMergePatch,
  newBadRequest,
  newInvalid,
  newUnknownError,
} from 'client-ts/meta';
import type { ApiResponse } from '../http.ts';
import { applyStrategicMergePatch } from '../patch/strategic.ts';
import type { ApiObject } from '../registry/object.ts';
import type { UpdateOptions } from '../registry/registry.ts';
import { JsonSyntaxError, type JsonNode } from '../schema/json-parser.ts';
import { parseJson, plainJson } from '../schema/parse-json.ts';
import type { StoredObject } from '../store/store.ts';
import { decodeObject, report } from './body.ts';
import { header, type ResourceExchange } from './exchange.ts';
import { plainFailure } from './failures.ts';
import { applyConfiguration, trackUpdate } from './managed-fields.ts';
import { negotiateFor } from './read.ts';
import { bodyTypeOf, checkName, checkNamespace, commitUpdate, setDefaults } from './write.ts';
import { parseWriteOptions, type WriteOptions } from './write-options.ts';
import { parseYaml, YamlError } from './yaml.ts';

type PatchType = 'apply' | 'json' | 'merge' | 'strategic';

const PATCH_TYPES: ReadonlyMap<string, PatchType> = new Map([
  ['application/json-patch+json', 'json'],
  ['application/merge-patch+json', 'merge'],
  ['application/strategic-merge-patch+json', 'strategic'],
  ['application/apply-patch+yaml', 'apply'],
]);

/** PATCH of an object, or of its `/status`. */
export async function patchObject(
  exchange: ResourceExchange,
  { part = 'main' }: Pick<UpdateOptions, 'part'> = {},
): Promise<ApiResponse> {
  const { info, request } = exchange;
  const representation = negotiateFor(exchange, ['Table', 'PartialObjectMetadata']);
  const type = patchTypeOf(exchange);
  const options = parseWriteOptions('PatchOptions', info.query, { isApply: type === 'apply' });
  const text = Buffer.from(await request.body()).toString('utf8');
  if (type === 'apply') {
    const config = parseConfiguration(exchange, text);
    return commitUpdate(
      exchange,
      options,
      representation,
      part,
      (live) => {
        const applied = applyConfiguration(exchange, options, live, config);
        return decodePatched(exchange, options, applied, () => badPatch('apply'));
      },
      part === 'main',
    );
  }
  const patch = parsePatch(text);
  return commitUpdate(exchange, options, representation, part, (live) => {
    const current = live as StoredObject & JsonObject;
    const patched = applyPatch(exchange, type, current, patch);
    const object = decodePatched(exchange, options, patched, (message) =>
      refusedPatch(type, patched, patch, message),
    );
    checkName(object, info.name);
    checkNamespace(object, exchange);
    trackUpdate(exchange, options, live, object);
    return object;
  });
}

function patchTypeOf({ request, served }: ResourceExchange): PatchType {
  const contentType = header(request.headers, 'content-type').split(';', 1)[0]?.trim() ?? '';
  const type = PATCH_TYPES.get(contentType);
  if (type !== undefined && !(type === 'strategic' && served.info.crd !== undefined)) return type;
  throw plainFailure(415, 'UnsupportedMediaType', '415: Unsupported Media Type');
}

function parsePatch(text: string): JsonNode {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw newBadRequest(error.message);
  }
}

function applyPatch(
  { served }: ResourceExchange,
  type: Exclude<PatchType, 'apply'>,
  current: JsonObject,
  patch: JsonNode,
): JsonValue {
  const value = plainJson(patch);
  switch (type) {
    case 'json':
      return applyJsonPatch(current, value as JsonValue[]);
    case 'merge':
      return applyMergePatch(current, value);
    case 'strategic':
      return applyStrategicMergePatch(current, value as JsonObject, served.info.schema);
  }
}

/** What a patch made of the object, read like the body of an update. */
function decodePatched(
  exchange: ResourceExchange,
  { fieldValidation }: WriteOptions,
  patched: JsonValue | ApiObject,
  refuse: (message: string) => Error,
): ApiObject {
  const { served } = exchange;
  const { object, findings } = decodeObject(patched as JsonNode, bodyTypeOf(served));
  report(exchange, findings, fieldValidation, refuse);
  setDefaults(served, object);
  return object;
}

function refusedPatch(
  type: PatchType,
  patched: JsonValue,
  patch: JsonNode,
  message: string,
): ApiError {
  const shown = type === 'strategic' ? goMap(plainJson(patch)) : JSON.stringify(patched);
  return newInvalid({ group: '', kind: '' }, '', [
    {
      reason: 'FieldValueInvalid',
      message: `Invalid value: ${JSON.stringify(shown)}: ${message}`,
      field: 'patch',
    },
  ]);
}

/** A map in the notation of Go's `%v`. */
function goMap(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(goMap).join(' ')}]`;
  if (!isJsonObject(value)) return value === null ? '<nil>' : String(value);
  const fields = Object.keys(value)
    .sort()
    .map((key) => `${key}:${goMap(value[key] ?? null)}`);
  return `map[${fields.join(' ')}]`;
}

function parseConfiguration({ info }: ResourceExchange, text: string): JsonObject {
  let value: JsonValue;
  try {
    ({ value } = parseYaml(text));
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw newBadRequest(`error decoding YAML: ${error.message}`);
  }
  if (!isJsonObject(value)) throw badPatch('apply');
  void info;
  return value;
}

function badPatch(type: PatchType): ApiError {
  return newUnknownError(`${type} patch is not an object`);
}
