import {
  formatGo,
  getKey,
  isJsonObject,
  jsonEqual,
  type JsonObject,
  type JsonValue,
  toGoJson,
} from 'client-ts/internal';
import {
  type ApiError,
  applyMergePatch,
  newBadRequest,
  newConflict,
  newGenericServerResponse,
  newInvalid,
  newRequestEntityTooLarge,
  newUnknownError,
  newUnsupportedMediaType,
} from 'client-ts/meta';
import { YamlError } from 'client-ts/yaml';

import type { ApiResponse } from '../http.ts';
import { applyJsonPatch, JsonPatchError, parseJsonPatch } from '../patch/json-patch.ts';
import { applyStrategicMergePatch } from '../patch/strategic.ts';
import type { ApiObject } from '../registry/object.ts';
import type { UpdateOptions } from '../registry/registry.ts';
import { kindOf } from '../schema/decode-scalar.ts';
import { type JsonNode, JsonSyntaxError } from '../schema/json-parser.ts';
import { isTooDeep, parseJson, plainJson } from '../schema/parse-json.ts';
import { findFloats, type ValuePath } from '../schema/written-floats.ts';
import type { StoredObject } from '../store/store.ts';
import {
  type BodyType,
  decodeObject,
  report,
  strictYamlError,
  UnreadableObjectError,
} from './body.ts';
import { header, type ResourceExchange } from './exchange.ts';
import { plainFailure } from './failures.ts';
import { applyConfiguration, trackUpdate } from './managed-fields.ts';
import { parseYaml } from './parse-body.ts';
import { negotiateFor } from './respond.ts';
import { bodyTypeOf, setDefaults } from './served-body.ts';
import { parseWriteOptions, type WriteOptions } from './write-options.ts';
import { checkNamespace } from './request-namespace.ts';
import { checkName, commitUpdate } from './write.ts';

export type PatchType = 'apply' | 'json' | 'merge' | 'strategic';

const PATCH_TYPES: ReadonlyMap<string, PatchType> = new Map([
  ['application/json-patch+json', 'json'],
  ['application/merge-patch+json', 'merge'],
  ['application/strategic-merge-patch+json', 'strategic'],
  ['application/apply-patch+yaml', 'apply'],
]);

/** The limits of a JSON patch: operations, and bytes copied. */
const MAX_OPERATIONS = 10_000;
const MAX_COPIED_BYTES = 3 * 1024 * 1024;

/** PATCH of an object, or of its `/status`. */
export async function patchObject(
  exchange: ResourceExchange,
  { part = 'main' }: Pick<UpdateOptions, 'part'> = {},
): Promise<ApiResponse> {
  const { info, request } = exchange;
  const representation = negotiateFor(exchange);
  const type = patchTypeOf(exchange);
  const options = parseWriteOptions('PatchOptions', info.query, { isApply: type === 'apply' });
  const text = Buffer.from(await request.body()).toString('utf8');
  const transform =
    type === 'apply'
      ? applyTransform(exchange, options, text)
      : patchTransform(exchange, options, type, text);
  return await commitUpdate(exchange, options, representation, part, transform, {
    mayCreate: type === 'apply' && part === 'main',
  });
}

/** Returns the patch type of a request; throws a 415 for unknown types. */
export function patchTypeOf({ request, served }: ResourceExchange): PatchType {
  const contentType = header(request.headers, 'content-type').split(';', 1)[0]?.trim() ?? '';
  const type = PATCH_TYPES.get(contentType);
  const isCustom = served.info.crd !== undefined;
  if (type !== undefined && !(type === 'strategic' && isCustom)) return type;
  if (isCustom) {
    throw newUnsupportedMediaType(
      [...PATCH_TYPES].filter(([, known]) => known !== 'strategic').map(([name]) => name),
    );
  }
  throw plainFailure(415, 'UnsupportedMediaType', '415: Unsupported Media Type');
}

type Transform = (live: StoredObject | undefined) => ApiObject;

function applyTransform(
  exchange: ResourceExchange,
  options: WriteOptions,
  text: string,
): Transform {
  const { info, served } = exchange;
  const { config, duplicates } = parseConfiguration(text);
  return (live) => {
    const applied = applyConfiguration(exchange, options, live, config);
    reportDuplicates(exchange, options, duplicates);
    const object = decodeApplied(exchange, applied);
    if (live === undefined) checkNoUid(exchange, object);
    checkName(object, info.name);
    checkNamespace(object, exchange);
    setDefaults(served, object);
    return object;
  };
}

/**
 * Decodes the result of an apply. A value that its type cannot hold is a 500, like on a real
 * server.
 */
function decodeApplied({ core, served }: ResourceExchange, applied: ApiObject): ApiObject {
  try {
    const { model } = core.catalog;
    return decodeObject(applied as JsonNode, bodyTypeOf(served), model).object;
  } catch (error) {
    if (!(error instanceof UnreadableObjectError)) throw error;
    const { namespace = '', name = '' } = applied.metadata ?? {};
    const { group, version, kind } = served.info;
    const type = `${group}/${version}, Kind=${kind}`;
    const detail = error.detail.replace(
      /^json: cannot unmarshal number [-0-9]*\.[0-9]+ into Go struct field .* of type (u?int\d+)$/,
      'cannot convert float64 to $1',
    );
    throw newUnknownError(
      `failed to convert new object (${namespace}/${name}; ${type}) to proper version: ` +
        `unable to convert unstructured object to ${type}: ${detail}`,
    );
  }
}

/** An apply with a uid must match an existing object; a resourceVersion alone is ignored. */
function checkNoUid({ info, served }: ResourceExchange, { metadata }: ApiObject): void {
  const { uid = '' } = metadata;
  if (uid !== '') {
    throw newConflict(
      served.info,
      info.name,
      `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
    );
  }
  delete metadata.resourceVersion;
}

function patchTransform(
  exchange: ResourceExchange,
  options: WriteOptions,
  type: Exclude<PatchType, 'apply'>,
  text: string,
): Transform {
  const { info, served } = exchange;
  const patch = parsePatch(type, text);
  if (served.customKind !== undefined) exchange.floats.push(...floatsOfPatch(type, text));
  return (live) => {
    const current = live as StoredObject & JsonObject;
    const object = patchedObject(exchange, options, { type, patch, current }, bodyTypeOf(served));
    setDefaults(served, object);
    checkName(object, info.name);
    checkNamespace(object, exchange);
    // A patch without a uid keeps it; one with a uid is validated like other changes.
    trackUpdate(exchange, options, live, object);
    return object;
  };
}

/** Returns where a patch puts whole numbers that are written as floats. */
function floatsOfPatch(type: PatchType, text: string): ValuePath[] {
  const node = parseJson(text);
  if (type === 'merge') return findFloats(node);
  return findFloats(node).flatMap(([index = 0, field, ...inner]) => {
    const operation = (node as readonly JsonNode[])[Number(index)] as { readonly path?: unknown };
    if (field !== 'value' || typeof operation.path !== 'string') return [];
    const steps = operation.path.split('/').slice(1);
    // Where an item is added to a list shows only when the patch is applied.
    if (steps.some((step) => /^(?:-|\d+)$/.test(step))) return [];
    return [[...steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')), ...inner]];
  });
}

/** Parses the body of a patch; throws a 400 if it is not JSON of the right form. */
export function parsePatch(type: Exclude<PatchType, 'apply'>, text: string): JsonValue {
  // Strategic merge patches have another decoder, with a shorter message.
  const prefix = type === 'strategic' ? '' : 'error decoding patch: ';
  let value: JsonValue;
  try {
    value = plainJson(parseJson(text));
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw newBadRequest(`${prefix}${error.message}`);
  }
  if (type === 'json') {
    try {
      parseJsonPatch(value);
    } catch (error) {
      if (!(error instanceof JsonPatchError)) throw error;
      throw newBadRequest(`${prefix}${error.message}`);
    }
    const count = Array.isArray(value) ? value.length : 0;
    if (count > MAX_OPERATIONS) {
      throw newRequestEntityTooLarge(
        `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${count}`,
      );
    }
    return value;
  }
  if (value !== null && !isJsonObject(value)) {
    throw newBadRequest(
      `${prefix}json: cannot unmarshal ${kindOf(value)} into Go value of type map[string]interface {}`,
    );
  }
  return value;
}

/** A parsed patch and its target. */
export interface PendingPatch {
  readonly type: Exclude<PatchType, 'apply'>;
  readonly patch: JsonValue;
  readonly current: JsonObject;
}

/** Applies a patch and decodes the result like the body of an update; throws a 422. */
export function patchedObject(
  exchange: ResourceExchange,
  { fieldValidation }: WriteOptions,
  { type, patch, current }: PendingPatch,
  target: BodyType,
): ApiObject {
  const patched = patchJson(type, current, patch, target.schema);
  const refuse = (message: string): ApiError =>
    type === 'strategic'
      ? refusedPatch(formatGo(patch), unstructuredMessage(message))
      : refusedPatch(patchedJson(current, patched), message);
  // Operations can nest the object deeper than any text.
  if (isTooDeep(patched)) throw refusedPatch('', 'exceeded max depth');
  try {
    const { object, findings } = decodeObject(patched, target, exchange.core.catalog.model);
    report(exchange, findings, fieldValidation, refuse);
    return object;
  } catch (error) {
    if (!(error instanceof UnreadableObjectError)) throw error;
    throw refuse(error.detail);
  }
}

/**
 * Applies a patch to the JSON of an object; throws the error of a real server if it does not apply.
 */
function patchJson(
  type: Exclude<PatchType, 'apply'>,
  current: JsonObject,
  patch: JsonValue,
  schema: Parameters<typeof applyStrategicMergePatch>[2],
): JsonValue {
  switch (type) {
    case 'json':
      try {
        return applyJsonPatch(current, parseJsonPatch(patch), { maxCopyBytes: MAX_COPIED_BYTES });
      } catch (error) {
        if (!(error instanceof JsonPatchError)) throw error;
        throw newGenericServerResponse({ code: 422, verb: '' });
      }
    case 'merge':
      return applyMergePatch(current, patch ?? {});
    case 'strategic':
      return applyStrategicMergePatch(current, (patch ?? {}) as JsonObject, schema);
  }
}

function refusedPatch(shown: string, message: string): ApiError {
  return newInvalid({ group: '', kind: '' }, '', [
    {
      reason: 'FieldValueInvalid',
      message: `Invalid value: ${JSON.stringify(shown)}: ${message}`,
      field: 'patch',
    },
  ]);
}

/** Strategic patches have another decoder, which names the type that it could not convert to. */
function unstructuredMessage(message: string): string {
  const scalar =
    /^json: cannot unmarshal (\w+)(?: (\S*\d))? into .*of type (bool|string|u?int\d*|float\d+)$/.exec(
      message,
    );
  if (scalar !== null) {
    const [, found, written = '', type = ''] = scalar;
    // An integer is turned into a text on the way, which is then refused as such.
    if (found === 'number' && type === 'string') return 'cannot convert int64 to string';
    if (/[.eE]/.test(written)) return `cannot convert float64 to ${type}`;
    return `unrecognized type: ${type}`;
  }
  const [, found = '', type = ''] =
    /^json: cannot unmarshal (\w+) .*of type (map\[|\[\]|[\w.]+$)/.exec(message) ?? [];
  if (type === '') return message;
  const kind = GO_KINDS.get(found) ?? found;
  if (type === 'map[') return `cannot restore map from ${kind}`;
  return type === '[]'
    ? `cannot restore slice from ${kind}`
    : `cannot restore struct from: ${kind}`;
}

/** How Go names the values of JSON. */
const GO_KINDS: ReadonlyMap<string, string> = new Map([
  ['array', 'slice'],
  ['number', 'int64'],
  ['object', 'map'],
]);

/**
 * Returns the patched object as the server quotes it: parts that the patch changed have sorted
 * keys.
 */
function patchedJson(before: unknown, after: unknown): string {
  if (typeof after === 'object' && jsonEqual(before, after)) return JSON.stringify(after);
  if (!isJsonObject(after)) return toGoJson(after);
  const old = isJsonObject(before) ? before : {};
  const fields = Object.keys(after)
    .filter((key) => after[key] !== undefined)
    .sort()
    .map((key) => `${toGoJson(key)}:${patchedJson(getKey(old, key), getKey(after, key))}`);
  return `{${fields.join(',')}}`;
}

/** The configuration of an apply: YAML, of which JSON is a subset. */
export interface Configuration {
  readonly config: JsonObject;
  /** Warnings about duplicate keys. */
  readonly duplicates: readonly string[];
}

/** Parses the body of an apply; throws a 400 if it is not an object. */
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

/** Adds warnings about duplicate keys, or throws, depending on `fieldValidation`. */
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
