import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseApiVersion } from '../meta/resource.ts';
import { CodecError } from './codec-error.ts';
import { decodeProtobuf, decodeWatchFrame, encodeProtobuf } from './protobuf.ts';
import { anyObject, kinds } from './test-any-object.ts';

test('any object of any kind survives encoding and decoding, and so do its bytes', () => {
  fc.assert(
    fc.property(anyObject, (object) => {
      const bytes = encodeProtobuf(object);
      const decoded = decodeProtobuf(bytes);
      assert.deepEqual(decoded, object);
      assert.deepEqual(encodeProtobuf(decoded), bytes);
    }),
    { numRuns: 400 },
  );
});

/** Decoding may fail, but only in one way. */
function decodesOrRefuses(decode: () => unknown): void {
  try {
    decode();
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
  }
}

const recorded = (
  JSON.parse(readFileSync(new URL('../../data/protobuf-twins.json', import.meta.url), 'utf8')) as {
    twins: { protobuf: string }[];
  }
).twins.map(({ protobuf }) => Buffer.from(protobuf, 'base64'));

test('random bytes are decoded or refused with a code', () => {
  fc.assert(
    fc.property(fc.constantFrom(...kinds), fc.uint8Array({ maxLength: 200 }), (kind, bytes) => {
      const defaultKind = { ...parseApiVersion(kind.apiVersion), kind: kind.kind };
      const raw = Buffer.concat([Buffer.from([0x12, bytes.length & 0x7f]), bytes]);
      for (const body of [bytes, raw]) {
        const envelope = Buffer.concat([Buffer.from('k8s\0'), body]);
        decodesOrRefuses(() => decodeProtobuf(envelope, { defaultKind }));
        decodesOrRefuses(() => decodeWatchFrame(body));
      }
    }),
    { numRuns: 2000 },
  );
});

test('real bodies with some bytes changed are decoded or refused with a code', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...recorded),
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1 }),
      (body, changes) => {
        const bytes = Buffer.from(body);
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
        decodesOrRefuses(() => decodeProtobuf(bytes));
      },
    ),
    { numRuns: 2000 },
  );
});

test('a real body that is cut off anywhere is refused as truncated', () => {
  for (const body of recorded) {
    const step = Math.max(1, Math.floor(body.length / 100));
    // Before the object comes its kind, after it come two empty fields. Either may stand alone.
    const start = 'k8s\0'.length + 2 + (body[5] as number);
    for (let length = start + 1; length < body.length - 4; length += step) {
      assert.throws(
        () => decodeProtobuf(body.subarray(0, length)),
        (error) => error instanceof CodecError && error.code === 'CODEC_TRUNCATED',
        `${length} of ${body.length} bytes`,
      );
    }
  }
});
