import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { ClientError } from 'client-ts/internal';
import {
  type Codec,
  decodeProtobuf,
  encodeProtobuf,
  jsonCodec,
  MEDIA_TYPES,
  protobufCodec,
  readOnlyCodecFor,
  type WatchDecoder,
} from 'client-ts/codec';
import { type FuzzTarget, fuzzTarget, pure, typedOnly, typedOnlyAsync } from './fuzz-target.ts';
import { growthTarget } from './growth.ts';
import { anyJson, anyText, chunksOf, damaged, damagedBytes, recordOf } from './inputs.ts';

const cuts = fc.array(fc.nat(), { maxLength: 6 });

const metadata = fc.record(
  { name: anyText, labels: recordOf(anyText), annotations: recordOf(anyText) },
  { requiredKeys: [] },
);
const configMap = fc
  .record({ metadata, data: recordOf(anyText) }, { requiredKeys: ['metadata'] })
  .map((fields) => ({ apiVersion: 'v1', kind: 'ConfigMap', ...fields }));

const anyObject = fc.oneof(configMap, recordOf(anyJson), anyJson);
const list = fc
  .record({ metadata: anyJson, items: fc.array(anyObject, { maxLength: 4 }) })
  .map((fields) => ({ kind: 'ConfigMapList', apiVersion: 'v1', ...fields }));
const listText = damaged(fc.oneof(list, anyObject).map((value) => JSON.stringify(value) ?? 'null'));

const event = fc.record({
  type: fc.oneof(fc.constantFrom('ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR'), anyText),
  object: anyObject,
});
const stream = damaged(
  fc
    .array(event, { maxLength: 4 })
    .map((events) => events.map((one) => `${JSON.stringify(one)}\n`).join('')),
);

/** Input of list and watch decoders, in both encodings. */
export const codecTargets: readonly FuzzTarget[] = [
  fuzzTarget({
    name: 'json-list',
    about: 'the read-only JSON codec decodes lists like the plain one',
    input: listText,
    open: pure(async (text: string) => {
      const bytes = Buffer.from(text);
      const plain = typedOnly(() => jsonCodec.decode(bytes));
      const lazy = await typedOnlyAsync(async () => touched(await readOnlyJson.decodeList(bytes)));
      assertAgree(plain, lazy, isList(plain));
    }),
  }),
  fuzzTarget({
    name: 'json-watch',
    about: 'both JSON codecs decode the same events from a stream, however it is cut',
    input: fc.record({ text: stream, cuts }),
    open: pure(({ text, cuts: places }) => {
      const bytes = Buffer.from(text);
      const whole = eventsOf(jsonCodec.watchDecoder(), [bytes]);
      const chunks = chunksOf(bytes, places);
      assert.deepEqual(eventsOf(jsonCodec.watchDecoder(), chunks), whole);
      assert.deepEqual(eventsOf(readOnlyJson.watchDecoder(), chunks), whole);
    }),
  }),
  fuzzTarget({
    name: 'protobuf',
    about: 'protobuf is decoded or rejected with a typed error, and decoded objects can be encoded',
    input: damagedBytes(configMap.map((object) => encodeProtobuf(object))),
    open: pure((bytes: Uint8Array) => {
      const object = typedOnly(() => decodeProtobuf(bytes));
      if (object instanceof ClientError) return;
      const again = typedOnly(() => decodeProtobuf(encodeProtobuf(object)));
      assert.deepEqual(again, object);
    }),
  }),
  fuzzTarget({
    name: 'protobuf-watch',
    about: 'protobuf watch frames are decoded or rejected, however the stream is cut',
    input: fc.record({
      bytes: damagedBytes(
        fc.array(configMap, { maxLength: 3 }).map((objects) => framesOf(protobufCodec, objects)),
      ),
      cuts,
    }),
    open: pure(({ bytes, cuts: places }) => {
      const whole = eventsOf(protobufCodec.watchDecoder(), [bytes]);
      const chunks = chunksOf(bytes, places);
      assert.deepEqual(eventsOf(protobufCodec.watchDecoder(), chunks), whole);
      assert.deepEqual(eventsOf(readOnlyProtobuf.watchDecoder(), chunks), whole);
    }),
  }),
  growthTarget('json-growth', 'reading JSON bodies and watch frames takes linear time', [
    (text) => typedOnly(() => jsonCodec.decode(Buffer.from(text)), text.length),
    byteByByte,
  ]),
];

const readOnlyJson = readOnlyCodecFor(MEDIA_TYPES.json);
const readOnlyProtobuf = readOnlyCodecFor(MEDIA_TYPES.protobuf);

/** Returns a plain copy, which reads every lazy field. */
function touched(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/**
 * Asserts that the two codecs agree. A list that the plain codec accepts may still be rejected as a
 * list; a body that it rejects must not be accepted.
 */
function assertAgree(plain: unknown, lazy: unknown, isListOfObjects: boolean): void {
  if (plain instanceof ClientError) {
    assert.ok(lazy instanceof ClientError, 'the read-only codec accepts what is not JSON');
  } else if (isListOfObjects) {
    assert.ok(
      !(lazy instanceof ClientError),
      `the read-only codec refuses a list: ${String(lazy)}`,
    );
    assert.deepEqual(withoutKinds(lazy), withoutKinds(touched(plain)));
  }
}

function isList(value: unknown): boolean {
  const items: unknown =
    Object(value) === value ? Reflect.get(value as object, 'items') : undefined;
  return (
    Array.isArray(items) &&
    items.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item))
  );
}

/** List items without a kind get that of the list; the plain codec leaves this to its callers. */
function withoutKinds(value: unknown): unknown {
  const items: unknown = Reflect.get(value as object, 'items');
  if (!Array.isArray(items)) return value;
  const rest = items.map((item: object) => {
    const { kind: _kind, apiVersion: _apiVersion, ...others } = item as Record<string, unknown>;
    return others;
  });
  return { ...(value as object), items: rest };
}

function framesOf(codec: Codec, objects: readonly object[]): Uint8Array {
  return Buffer.concat(objects.map((object) => codec.encodeWatchEvent({ type: 'ADDED', object })));
}

/** Returns the events of a stream and how it ended: normally, or with an error code. */
function eventsOf(decoder: WatchDecoder<object>, chunks: readonly Uint8Array[]): unknown[] {
  const seen: unknown[] = [];
  const end = typedOnly(() => {
    for (const chunk of chunks) {
      decoder.push(chunk);
      for (let next = decoder.next(); next !== undefined; next = decoder.next()) {
        seen.push(touched(next));
      }
    }
    decoder.end();
    return 'end';
  });
  return [...seen, end instanceof ClientError ? 'refused' : end];
}

/** A server that sends one byte at a time must not make the client rescan the buffer each time. */
function byteByByte(text: string): void {
  const decoder = jsonCodec.watchDecoder();
  typedOnly(() => {
    for (const byte of Buffer.from(text)) {
      decoder.push(Uint8Array.of(byte));
      while (decoder.next() !== undefined);
    }
  });
}
