import assert from 'node:assert/strict';

import fc from 'fast-check';

import { isJsonObject, type JsonObject } from '../lib/json.ts';
import { CodecError } from './codec-error.ts';
import { jsonCodec, type WatchDecoder } from './codec.ts';
import { itemKindOf } from './lazy/lazy-fields.ts';
import { readOnlyCodecFor } from './lazy/read-only-codec.ts';

const readOnly = readOnlyCodecFor(jsonCodec.mediaType);

/** Pieces of JSON, of the API and of nonsense, which put together are often nearly JSON. */
const PIECES = [
  ...'{}[],:"\\ \n\t0-.eE1u'.split(''),
  '\r\n',
  '"type"',
  '"object"',
  '"items"',
  '"metadata"',
  '"name"',
  '"__proto__"',
  '"ADDED"',
  '"ERROR"',
  '{"type":"ADDED","object":{',
  '{"type":"ADDED","object":{}}',
  '{"items":[{"metadata":{"name":"a"}}]}',
  '"a":1',
  'true',
  'nul',
  'null',
  '01',
  '-0',
  '1e5',
  '1.',
  '"\\u00e9"',
  '"\\ud800"',
  '"\\x"',
  '"\u0001"',
  'ü',
  '\u{1F600}',
  '\uFEFF',
  '\u00a0',
];

const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((list) => list.join(''));
const value = fc.jsonValue({ maxDepth: 4 });
const member = fc.tuple(
  fc.constantFrom(
    'type',
    'object',
    'items',
    'metadata',
    'kind',
    'apiVersion',
    '__proto__',
    'constructor',
    'x',
  ),
  fc.oneof(
    value.map((one) => JSON.stringify(one)),
    fc.constantFrom('"PodList"', '"v1"', '[{"kind":{},"kind":"a"}]', '[{"x":1,"kind":"Pod"}]'),
    fc.constantFrom('"ADDED"', '{}', '[]', '[{}]', '[1]', '{"metadata":{"name":"a","name":1}}'),
    fc.constantFrom('garbage', '', '{"a":tru}', '[1,]', '{"a" 1}', '"\t"'),
  ),
);
/** Objects that repeat keys and have broken values. */
const members = fc
  .array(member, { maxLength: 5 })
  .map((list) => `{${list.map(([key, text]) => `"${key}":${text}`).join(',')}}`);

/** Bytes of a body or a stream: JSON, nearly JSON, and bytes that are not even text. */
export const jsonBytes: fc.Arbitrary<Buffer> = fc.oneof(
  pieces.map((text) => Buffer.from(text)),
  fc.array(fc.oneof(members, pieces), { maxLength: 4 }).map((list) => Buffer.from(list.join('\n'))),
  members.map((text) => Buffer.from(text)),
  fc
    .tuple(members, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 }))
    .map(([text, changes]) => {
      const bytes = Buffer.from(text);
      for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
      return bytes;
    }),
);

/** Where a stream is cut into chunks. */
export const cuts: fc.Arbitrary<number[]> = fc.array(fc.nat(), { maxLength: 8 });

/** Asserts that both codecs make the same of a stream of events, however it is cut. */
export function assertEventsAgree(bytes: Buffer, places: readonly number[]): void {
  const expected = eventsOf(jsonCodec.watchDecoder(), bytes, []);
  assert.deepEqual(eventsOf(jsonCodec.watchDecoder(), bytes, places), expected);
  assert.deepEqual(eventsOf(readOnly.watchDecoder(), bytes, []), expected);
  assert.deepEqual(eventsOf(readOnly.watchDecoder(), bytes, places), expected);
  // As the connection does it that the chunks come from.
  for (const codec of [jsonCodec, readOnly]) {
    assert.deepEqual(eventsOf(codec.watchDecoder(), bytes, places, overwrite), expected);
  }
}

function overwrite(decoder: WatchDecoder, chunk: Buffer): void {
  decoder.keepRest();
  chunk.fill('}');
}

/** Asserts that both codecs make the same of a body, apart from the kind that items are given. */
export async function assertListsAgree(bytes: Buffer): Promise<void> {
  const plain = await outcomeOf(() => withKinds(jsonCodec.decode(bytes)));
  const lazy = await outcomeOf(async () => withKinds(await readOnly.decodeList(bytes)));
  assert.deepEqual(lazy, plain);
}

/** A list whose items say what they are. */
function withKinds(list: JsonObject): JsonObject {
  const { items } = list;
  if (!Array.isArray(items) || !items.every(isJsonObject)) return list;
  const shown = itemKindOf(list);
  return { ...list, items: items.map((item) => ({ ...shown, ...item })) };
}

/** Everything that a stream brings, as text, and the code of the error at its end. */
function eventsOf(
  decoder: WatchDecoder,
  bytes: Buffer,
  places: readonly number[],
  afterChunk?: (decoder: WatchDecoder, chunk: Buffer) => void,
): string[] {
  const seen: string[] = [];
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1))), bytes.length];
  let start = 0;
  try {
    for (const end of ends.toSorted((left, right) => left - right)) {
      const chunk = Buffer.from(bytes.subarray(start, end));
      decoder.push(chunk);
      start = end;
      for (let event = decoder.next(); event !== undefined; event = decoder.next()) {
        seen.push(JSON.stringify(event));
      }
      afterChunk?.(decoder, chunk);
    }
    decoder.end();
  } catch (error) {
    seen.push(codeOf(error));
  }
  return seen;
}

async function outcomeOf(read: () => object | Promise<object>): Promise<string> {
  try {
    return JSON.stringify(await read());
  } catch (error) {
    return codeOf(error);
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof CodecError)) throw error;
  return `${error.code}: ${error.message}`;
}
