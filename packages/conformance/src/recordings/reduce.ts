import { isJsonObject, type JsonObject, type JsonValue, getKey, setKey } from 'client-ts/internal';
import { firstHeader } from '../http/exchange.ts';
import type { Answer } from './answer.ts';
import { textAt, valueAt } from '../json/pointer.ts';

/**
 * Reduces a response like a trimmed recording, so that the two can be compared. Every key of a
 * trimmed body is either a key of the response or a summary named here; what a summary does not
 * cover was not recorded.
 */
export function reduceLike(recorded: JsonValue | undefined, answer: Answer): JsonValue | undefined {
  const { body } = answer;
  // Empty bodies are absent from a recording.
  if (recorded === undefined) return body;
  if (typeof recorded === 'string') return reduceText(recorded, body);
  if (Array.isArray(recorded)) return namesOf(body, false);
  if (!isJsonObject(recorded)) return body;
  if (isJsonObject(body) && body['kind'] === 'Status') return body;
  const reduced: JsonObject = {};
  for (const [key, value] of Object.entries(recorded)) {
    const summary = getKey(summaries, key);
    const whole = isJsonObject(body) ? body : {};
    const part = summary?.(value, whole, answer);
    setKey(reduced, key, part === undefined ? likeRecorded(key, value, getKey(whole, key)) : part);
  }
  return reduced;
}

/** Undefined: the key is not a summary here but a key of the response. */
type Summary = (
  recorded: JsonValue | undefined,
  body: JsonObject,
  answer: Answer,
) => JsonValue | undefined;

const at =
  (pointer: string): Summary =>
  (_recorded, body) =>
    (valueAt(body, pointer) as JsonValue | undefined) ?? null;

const leftOut: Summary = (recorded) => recorded;

const firstNames =
  (pointer: string): Summary =>
  (recorded, body) =>
    Array.isArray(recorded) ? keysAt(body, pointer).slice(0, recorded.length) : undefined;

const summaries: Readonly<Record<string, Summary>> = {
  // Lists
  names: (recorded, body) =>
    Array.isArray(recorded)
      ? namesOf(
          body,
          recorded.some((name) => typeof name === 'string' && name.includes('/')),
        )
      : (valueAt(body, '/spec/names') as JsonValue | undefined),
  items: (recorded, body) =>
    typeof recorded === 'number' ? (arrayAt(body, '/items')?.length ?? null) : undefined,
  rows: (recorded, body) =>
    typeof recorded === 'number' ? (arrayAt(body, '/rows')?.length ?? null) : undefined,
  cells: (_recorded, body) => (arrayAt(body, '/rows') ?? []).map(at0('/cells/0')),
  columnDefinitions: (recorded, body) => {
    const columns = arrayAt(body, '/columnDefinitions') ?? [];
    if (!Array.isArray(recorded)) return undefined;
    if (typeof recorded[0] === 'string') return columns.map(at0('/name'));
    if (!Array.isArray(recorded[0])) return undefined;
    return columns.map((column) =>
      ['name', 'type', 'format', 'priority'].map((key) => at0(`/${key}`)(column)),
    );
  },
  continueDecoded: (_recorded, body) => decodedToken(textAt(body, '/metadata/continue')),
  continue: at('/metadata/continue'),
  remainingItemCount: at('/metadata/remainingItemCount'),

  // Single fields
  generation: at('/metadata/generation'),
  labels: at('/metadata/labels'),
  finalizers: at('/metadata/finalizers'),
  acceptedNames: at('/status/acceptedNames'),
  conditions: at('/status/conditions'),
  storedVersions: at('/status/storedVersions'),
  versions: (_recorded, body) =>
    (arrayAt(body, '/spec/versions') ?? []).map((version) =>
      ['name', 'served', 'storage'].map((key) => at0(`/${key}`)(version)),
    ),
  replicas: at('/spec/replicas'),
  ports: at('/spec/ports'),
  resources: at('/spec/containers/0/resources'),
  firstTimestamp: at('/firstTimestamp'),
  lastTimestamp: at('/lastTimestamp'),
  eventTime: at('/eventTime'),
  dataBytes: (_recorded, body) => textAt(body, '/data/big').length,

  // OpenAPI
  pathNames: firstNames('/paths'),
  pathCount: (_recorded, body) => keysAt(body, '/paths').length,
  schemaNames: (recorded, body) => firstNames(schemasAt(body))(recorded, body, NO_ANSWER),
  schemaCount: (_recorded, body) => keysAt(body, schemasAt(body)).length,
  securitySchemes: at('/components/securitySchemes'),

  // Content that was not recorded, and its descriptions
  bodyLeftOut: leftOut,
  note: leftOut,
  bytes: leftOut,
  encodedBytes: (_recorded, _body, answer) => answer.encodedBytes,
  contentLengthHeader: (_recorded, _body, answer) => 'content-length' in answer.headers,
  transferEncoding: (_recorded, _body, answer) =>
    firstHeader(answer.headers, 'transfer-encoding') ?? null,
  contentEncoding: (_recorded, _body, answer) =>
    firstHeader(answer.headers, 'content-encoding') ?? null,
};

const NO_ANSWER: Answer = {
  status: 0,
  headers: {},
  body: undefined,
  bytes: new Uint8Array(),
  encodedBytes: 0,
};

/** Metadata that shows that something happened, and is compared even if not recorded. */
const TELLING_METADATA = ['labels', 'finalizers', 'deletionTimestamp'];

/** Returns the parts of an object that a trimmed recording has. */
function likeRecorded(
  key: string,
  recorded: JsonValue | undefined,
  own: JsonValue | undefined,
): JsonValue | undefined {
  if (!isJsonObject(recorded) || !isJsonObject(own)) return own;
  // The metadata of a list was recorded whole; that of an object was trimmed.
  if (key === 'metadata' && own['uid'] !== undefined) {
    const metadata = pick(own, [...Object.keys(recorded), ...TELLING_METADATA]);
    const recordedFields = arrayAt(recorded, '/managedFields');
    const ownFields = arrayAt(own, '/managedFields');
    const bare = recordedFields?.every(
      (entry) => isJsonObject(entry) && entry['fieldsV1'] === undefined,
    );
    if (bare === true && ownFields !== undefined) {
      metadata['managedFields'] = ownFields.map((entry) =>
        isJsonObject(entry)
          ? pick(entry, ['manager', 'operation', 'subresource', 'apiVersion'])
          : entry,
      );
    }
    return metadata;
  }
  if (key === 'spec' && recorded['versions'] === 'as created')
    return { ...own, versions: 'as created' };
  if (key === 'spec' && typeof recorded['token'] === 'string')
    return { ...own, token: recorded['token'] };
  if (key === 'paths') return pick(own, Object.keys(recorded));
  if (key === 'components') {
    const schemas = recorded['schemas'];
    const ownSchemas = own['schemas'];
    if (!isJsonObject(schemas) || !isJsonObject(ownSchemas)) return own;
    return { schemas: pick(ownSchemas, Object.keys(schemas)) };
  }
  return own;
}

function reduceText(recorded: string, own: JsonValue | undefined): JsonValue | undefined {
  if (typeof own !== 'string') return own;
  const kept = recorded.indexOf('...');
  if (kept !== -1 && own.startsWith(recorded.slice(0, kept))) return recorded;
  return recorded.includes('[+]') ? own : own.replaceAll(/^\[\+\].*\n/gm, '');
}

function namesOf(body: JsonValue | undefined, withNamespace: boolean): JsonValue {
  return (arrayAt(body, '/items') ?? []).map((item) => {
    const name = textAt(item, '/metadata/name');
    const namespace = textAt(item, '/metadata/namespace');
    return withNamespace && namespace !== '' ? `${namespace}/${name}` : name;
  });
}

function decodedToken(token: string): JsonValue {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString()) as JsonValue;
  } catch {
    return token;
  }
}

function schemasAt(body: JsonObject): string {
  return body['swagger'] === undefined ? '/components/schemas' : '/definitions';
}

function keysAt(body: JsonObject, pointer: string): string[] {
  const value = valueAt(body, pointer);
  return isJsonObject(value) ? Object.keys(value).toSorted() : [];
}

function arrayAt(body: JsonValue | undefined, pointer: string): JsonValue[] | undefined {
  const value = valueAt(body, pointer);
  return Array.isArray(value) ? (value as JsonValue[]) : undefined;
}

function at0(pointer: string): (value: JsonValue) => JsonValue {
  return (value) => (valueAt(value, pointer) as JsonValue | undefined) ?? null;
}

function pick(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    [...new Set(keys)]
      .filter((key) => getKey(object, key) !== undefined)
      .map((key) => [key, getKey(object, key)]),
  );
}
