import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../lib/json.ts';
import { CodecError } from '../codec-error.ts';
import { jsonCodec, protobufCodec } from '../codec.ts';
import { mutableCopy } from '../mutable-copy.ts';
import { decodeProtobuf, encodeProtobuf } from '../protobuf.ts';
import { anyObject } from '../test-any-object.ts';
import { readOnlyCodecFor } from './read-only-codec.ts';
import {
  assertLooksLike,
  assertReadOnly,
  lazyFromJson,
  lazyFromProtobuf,
} from './test-read-only.ts';

const protobuf = readOnlyCodecFor(protobufCodec.mediaType);
const json = readOnlyCodecFor(jsonCodec.mediaType);

test('any object of any kind looks like the plain one, in both encodings', () => {
  fc.assert(
    fc.property(anyObject, (object) => {
      const body = encodeProtobuf(object);
      const plain = decodeProtobuf(body);
      assertLooksLike(() => lazyFromProtobuf(body), plain);
      assertLooksLike(() => lazyFromJson(plain), plain);
    }),
    { numRuns: 300 },
  );
});

test('nothing of any object can be written to, and a copy of it can', () => {
  fc.assert(
    fc.property(anyObject, (object) => {
      const body = encodeProtobuf(object);
      for (const lazy of [lazyFromProtobuf(body), lazyFromJson(object)]) {
        assertReadOnly(lazy);
        const copy = mutableCopy(lazy) as JsonObject;
        copy['kind'] = 'Other';
        assert.deepStrictEqual({ ...copy, kind: object['kind'] }, decodeProtobuf(body));
      }
    }),
    { numRuns: 150 },
  );
});

test('any object is written again byte for byte', () => {
  fc.assert(
    fc.property(anyObject, (object) => {
      const body = encodeProtobuf(object);
      assert.deepEqual(encodeProtobuf(lazyFromProtobuf(body)), body);
      assert.deepEqual(encodeProtobuf(lazyFromJson(object)), body);
    }),
    { numRuns: 150 },
  );
});

const anyJson: fc.Arbitrary<JsonObject> = fc.dictionary(
  fc.oneof(fc.string(), fc.constantFrom('metadata', '__proto__', 'constructor', '7', '"a', 'ü')),
  fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }))),
);

test('any JSON object looks like what JSON.parse makes of it, however it is written', () => {
  fc.assert(
    fc.property(
      anyJson,
      fc.constantFrom(undefined, 2, '\t'),
      fc.boolean(),
      (object, space, big) => {
        // Enough of it to be left for later.
        const padded = big ? { ...object, padding: { ...object, text: 'x'.repeat(300) } } : object;
        const text = JSON.stringify({ type: 'ADDED', object: padded }, undefined, space);
        const { object: plain } = JSON.parse(text) as { object: JsonObject };
        const read = (): object => {
          const decoder = json.watchDecoder<object>();
          decoder.push(Buffer.from(text));
          return decoder.next()?.object ?? assert.fail('there is no event');
        };
        assertLooksLike(read, plain, text);
        assertReadOnly(read());
      },
    ),
    { numRuns: 500 },
  );
});

test('lists look like plain lists whose items say their kind, and only those are read-only', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ name: fc.string(), phase: fc.string() }), { maxLength: 5 }),
      fc.record({ resourceVersion: fc.string(), continue: fc.string() }),
      async (pods, metadata) => {
        const items = pods.map(({ name, phase }) => ({ metadata: { name }, status: { phase } }));
        const body = encodeProtobuf({ kind: 'PodList', apiVersion: 'v1', metadata, items });
        const plain = decodeProtobuf<JsonObject & { items: JsonObject[] }>(body);
        const lists = [
          await protobuf.decodeList(body),
          await json.decodeList(Buffer.from(JSON.stringify(plain))),
        ];
        const typed = plain.items.map((item) => ({ kind: 'Pod', apiVersion: 'v1', ...item }));
        const expected: JsonObject = { ...plain, items: typed };
        for (const list of lists) {
          assert.equal(JSON.stringify(list), JSON.stringify(expected));
          assert.deepStrictEqual(list, expected);
          list['kind'] = 'Other';
          (list['items'] as object[]).forEach((item) => assertReadOnly(item));
        }
      },
    ),
    { numRuns: 100 },
  );
});

/** Touches everything. Reading and touching may fail, but only in one way, and never half. */
function readOrRefuse(read: () => unknown): string {
  try {
    return JSON.stringify(read());
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    return error.code;
  }
}

test('bytes that the plain decoder refuses are refused, at the latest when they are touched', () => {
  fc.assert(
    fc.property(
      anyObject,
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), {
        minLength: 1,
        maxLength: 3,
      }),
      (object, changes) => {
        const bytes = Buffer.from(encodeProtobuf(object));
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
        const plain = readOrRefuse(() => decodeProtobuf(bytes));
        const lazy = readOrRefuse(() => lazyFromProtobuf(bytes));
        // Of several mistakes the two may find another first, and then say another code.
        if (plain.startsWith('CODEC_')) assert.match(lazy, /^CODEC_/);
        else assert.equal(lazy, plain);
      },
    ),
    { numRuns: 1000 },
  );
});

test('text that JSON.parse refuses is refused, at the latest when it is touched', () => {
  fc.assert(
    fc.property(
      anyJson,
      fc.array(fc.tuple(fc.nat(), fc.constantFrom(...'{}[],:"\\0t\n '.split(''))), {
        maxLength: 2,
      }),
      (object, changes) => {
        const text = JSON.stringify({ type: 'ADDED', object }).split('');
        for (const [at, character] of changes) text[at % text.length] = character;
        const bytes = Buffer.from(text.join(''));
        const read = (codec: { watchDecoder: typeof json.watchDecoder }) => (): unknown => {
          const decoder = codec.watchDecoder<object>();
          decoder.push(bytes);
          return decoder.next() ?? {};
        };
        const plain = readOrRefuse(read(jsonCodec));
        const lazy = readOrRefuse(read(json));
        if (plain.startsWith('CODEC_')) assert.match(lazy, /^CODEC_/);
        else assert.equal(lazy, plain);
      },
    ),
    { numRuns: 1000 },
  );
});
