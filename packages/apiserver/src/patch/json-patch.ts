import {
  ClientError,
  cloneJson,
  defineErrors,
  getKey,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  setKey,
} from 'client-ts/internal';
import type { JsonPatchOperation } from 'client-ts/meta';

/** The codes of {@link JsonPatchError}. */
export const JSON_PATCH_ERRORS = {
  APISERVER_JSON_PATCH_BAD_INDEX: {
    retry: 'never',
    when: 'An index is not a number or out of range.',
  },
  APISERVER_JSON_PATCH_MALFORMED: {
    retry: 'never',
    when: 'The patch is not a list of operations, or an operation lacks a field.',
  },
  APISERVER_JSON_PATCH_MISSING_PATH: { retry: 'never', when: 'The path does not exist.' },
  APISERVER_JSON_PATCH_TEST_FAILED: { retry: 'never', when: 'A `test` operation failed.' },
  APISERVER_JSON_PATCH_TOO_LARGE: {
    retry: 'never',
    when: 'The `copy` operations exceed the limit.',
  },
} as const;

/** The codes of {@link JsonPatchError}. */
export type JsonPatchErrorCode = keyof typeof JSON_PATCH_ERRORS;

/**
 * A patch that cannot be applied. Nothing of it has taken effect. The message is that of a real
 * server.
 */
export class JsonPatchError extends ClientError {
  declare readonly code: JsonPatchErrorCode;
  /** The index of the operation that failed; undefined if the patch as a whole is malformed. */
  readonly operation: number | undefined;

  constructor(code: JsonPatchErrorCode, message: string, operation?: number) {
    super(code, message);
    this.operation = operation;
  }

  static {
    defineErrors(this, 'JsonPatchError', 'APISERVER', JSON_PATCH_ERRORS);
  }
}

/** Limits for {@link applyJsonPatch}. */
export interface JsonPatchOptions {
  /** How many bytes all `copy` operations together may copy. Real servers allow 3 MiB. */
  readonly maxCopyBytes?: number | undefined;
}

type Container = JsonObject | JsonValue[];

/**
 * Applies a JSON patch and returns the result; neither argument is modified. Throws {@link
 * JsonPatchError} if an operation fails.
 *
 * Follows real servers where they differ from the RFC: `replace` adds a missing key, `copy` of a
 * missing key and a missing `value` result in null, `test` for null holds for a missing key,
 * negative indices count from the end, and everything before the first slash of a path is ignored.
 */
export function applyJsonPatch(
  document: JsonValue,
  patch: readonly JsonPatchOperation[],
  { maxCopyBytes = Infinity }: JsonPatchOptions = {},
): JsonValue {
  const state = { root: cloneJson(document), copyBudget: maxCopyBytes };
  for (const [index, operation] of patch.entries()) {
    try {
      applyOperation(state, operation);
    } catch (error) {
      if (!(error instanceof JsonPatchError)) throw error;
      throw new JsonPatchError(error.code, error.message, index);
    }
  }
  return state.root;
}

/**
 * Checks that a decoded request body has the form of a JSON patch. The {@link JsonPatchError} has
 * the message of a real server. Operations are checked when they are applied.
 */
export function parseJsonPatch(body: JsonValue): JsonPatchOperation[] {
  if (body === null) return [];
  if (!Array.isArray(body)) throw misfit(body, 'value of type []handlers.jsonPatchOp');
  for (const item of body) {
    if (item === null) continue;
    if (!isJsonObject(item)) throw misfit(item, 'value of type handlers.jsonPatchOp');
    for (const field of Object.keys(item)) {
      const value = item[field];
      const isText = typeof value === 'string' || value === null || value === undefined;
      if (isText || !['from', 'op', 'path'].includes(field)) continue;
      throw misfit(value, `struct field jsonPatchOp.${field} of type string`);
    }
  }
  return body as unknown as JsonPatchOperation[];
}

function misfit(value: JsonValue, place: string): JsonPatchError {
  const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return new JsonPatchError(
    'APISERVER_JSON_PATCH_MALFORMED',
    `json: cannot unmarshal ${found} into Go ${place}`,
  );
}

interface PatchState {
  root: JsonValue;
  copyBudget: number;
}

function applyOperation(state: PatchState, operation: unknown): void {
  const fields = isJsonObject(operation) ? operation : {};
  switch (fields['op']) {
    case 'add':
      return insert(locate(state, pathIn(fields, 'path'), WORDS.add), valueIn(fields));
    case 'remove':
      return remove(locate(state, pathIn(fields, 'path'), WORDS.remove));
    case 'replace':
      return replace(state, pathIn(fields, 'path'), fields);
    case 'move': {
      const source = locate(state, pathIn(fields, 'from'), WORDS.moveFrom);
      const value = read(source) ?? null;
      remove(source);
      return insert(locate(state, pathIn(fields, 'path'), WORDS.moveTo), value);
    }
    case 'copy': {
      const source = locate(state, pathIn(fields, 'from'), WORDS.copyFrom);
      const value = cloneJson(read(source) ?? null);
      const target = locate(state, pathIn(fields, 'path'), WORDS.copyTo);
      spendCopy(state, value);
      return insert(target, value);
    }
    case 'test':
      return test(state, pathIn(fields, 'path'), fields['value'] ?? null);
    default:
      throw new JsonPatchError(
        'APISERVER_JSON_PATCH_MALFORMED',
        `Unexpected kind: ${typeof fields['op'] === 'string' ? fields['op'] : 'unknown'}`,
      );
  }
}

/** How a real server words the failures of one operation. */
interface Words {
  readonly missing: (path: string) => string;
  readonly failed: (path: string, key: string, detail: string) => string;
}

const WORDS = {
  add: {
    missing: (path) => `add operation does not apply: doc is missing path: "${path}"`,
    failed: (path, _key, detail) => `error in add for path: '${path}': ${detail}`,
  },
  remove: {
    missing: (path) => `remove operation does not apply: doc is missing path: "${path}"`,
    failed: (path, _key, detail) => `error in remove for path: '${path}': ${detail}`,
  },
  replace: {
    missing: (path) => `replace operation does not apply: doc is missing path: ${path}`,
    failed: (path) =>
      `replace operation does not apply: doc is missing key: ${path}: missing value`,
  },
  moveFrom: {
    missing: (path) => `move operation does not apply: doc is missing from path: ${path}`,
    failed: (_path, key, detail) => `error in move for path: '${key}': ${detail}`,
  },
  moveTo: {
    missing: (path) => `move operation does not apply: doc is missing destination path: ${path}`,
    failed: (path, _key, detail) => `error in move for path: '${path}': ${detail}`,
  },
  copyFrom: {
    missing: (path) => `copy operation does not apply: doc is missing from path: ${path}`,
    failed: (path, _key, detail) => `error in copy for from: '${path}': ${detail}`,
  },
  copyTo: {
    missing: (path) => `copy operation does not apply: doc is missing destination path: ${path}`,
    failed: (_path, _key, detail) => `error while adding value during copy: ${detail}`,
  },
  test: {
    missing: (path) => `test operation does not apply: is missing path: ${path}`,
    failed: (path, _key, detail) => `error in test for path: '${path}': ${detail}`,
  },
} satisfies Record<string, Words>;

function pathIn(fields: JsonObject, name: 'from' | 'path'): string {
  const path = fields[name];
  if (typeof path === 'string') return path;
  const op = typeof fields['op'] === 'string' ? fields['op'] : '';
  const problem =
    name === 'from' ? 'operation, missing from field' : 'operation missing path field';
  throw new JsonPatchError(
    'APISERVER_JSON_PATCH_MALFORMED',
    `${op} operation failed to decode ${name}: ${problem}: missing value`,
  );
}

/** Returns a copy, because later operations may change the value in the document. */
function valueIn(fields: JsonObject): JsonValue {
  return cloneJson(fields['value'] ?? null);
}

/** A position in the document: the object or list that holds it, and the key. */
interface Place {
  readonly container: Container;
  readonly key: string;
  readonly path: string;
  readonly words: Words;
}

function locate({ root }: PatchState, path: string, words: Words): Place {
  const segments = path.split('/').slice(1).map(decodeSegment);
  const key = segments.pop();
  let container: JsonValue | undefined = root;
  for (const segment of segments) {
    container = isContainer(container) ? step(container, segment) : undefined;
  }
  if (key === undefined || !isContainer(container)) {
    throw new JsonPatchError(
      'APISERVER_JSON_PATCH_MISSING_PATH',
      `${words.missing(path)}: missing value`,
    );
  }
  return { container, key, path, words };
}

function isContainer(value: JsonValue | undefined): value is Container {
  return typeof value === 'object' && value !== null;
}

function decodeSegment(segment: string): string {
  return segment.replace(/~[01]/g, (escape) => (escape === '~1' ? '/' : '~'));
}

/** Follows one step of a path; an invalid index does not exist. */
function step(container: Container, segment: string): JsonValue | undefined {
  if (!Array.isArray(container)) return getKey(container, segment);
  const index = indexOf(segment);
  return index === undefined ? undefined : container.at(index);
}

function indexOf(key: string): number | undefined {
  return /^[+-]?[0-9]+$/.test(key) ? Number(key) : undefined;
}

/** Returns the index in a list of `length` items; negative indices count from the end. */
function position({ key, path, words }: Place, length: number): number {
  const index = indexOf(key);
  const found = index !== undefined && index < 0 ? index + length : index;
  if (found !== undefined && found >= 0 && found < length) return found;
  const detail =
    index === undefined
      ? `strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`
      : `Unable to access invalid index: ${index}: invalid index referenced`;
  const isAdd = words === WORDS.add && index === undefined;
  throw new JsonPatchError(
    'APISERVER_JSON_PATCH_BAD_INDEX',
    words.failed(
      path,
      key,
      isAdd ? `value was not a proper array index: '${key}': ${detail}` : detail,
    ),
  );
}

function read(place: Place): JsonValue | undefined {
  const { container, key } = place;
  return Array.isArray(container)
    ? container[position(place, container.length)]
    : getKey(container, key);
}

function insert(place: Place, value: JsonValue): void {
  const { container, key } = place;
  if (!Array.isArray(container)) setKey(container, key, value);
  else if (key === '-') container.push(value);
  else container.splice(position(place, container.length + 1), 0, value);
}

function remove(place: Place): void {
  const { container, key, path, words } = place;
  if (Array.isArray(container)) {
    container.splice(position(place, container.length), 1);
    return;
  }
  if (getKey(container, key) === undefined) {
    throw new JsonPatchError(
      'APISERVER_JSON_PATCH_MISSING_PATH',
      words.failed(path, key, `Unable to remove nonexistent key: ${key}: missing value`),
    );
  }
  delete container[key];
}

function replace(state: PatchState, path: string, fields: JsonObject): void {
  const value = valueIn(fields);
  if (path === '') {
    if (!isContainer(value)) {
      throw new JsonPatchError(
        'APISERVER_JSON_PATCH_MALFORMED',
        'replace operation value must be object or array',
      );
    }
    state.root = value;
    return;
  }
  const place = locate(state, path, WORDS.replace);
  const { container, key } = place;
  if (Array.isArray(container)) container[position(place, container.length)] = value;
  else setKey(container, key, value);
}

function test(state: PatchState, path: string, expected: JsonValue): void {
  const actual = path === '' ? state.root : (read(locate(state, path, WORDS.test)) ?? null);
  if (!jsonEqual(actual, expected)) {
    throw new JsonPatchError(
      'APISERVER_JSON_PATCH_TEST_FAILED',
      `testing value ${path} failed: test failed`,
    );
  }
}

function spendCopy(state: PatchState, value: JsonValue): void {
  if (state.copyBudget === Infinity) return;
  state.copyBudget -= Buffer.byteLength(JSON.stringify(value));
  if (state.copyBudget < 0) {
    throw new JsonPatchError('APISERVER_JSON_PATCH_TOO_LARGE', 'copies more than is allowed');
  }
}
