import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { jsonCodec, protobufCodec } from '../codec.ts';
import { readOnlyCodecFor } from './read-only-codec.ts';

// In a process of its own: V8 learns from the first objects how much room they need.

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const pod = {
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name: 'web', namespace: 'default', resourceVersion: '7' },
  spec: { containers: [{ name: 'app', resources: {} }] },
  status: {},
};

describe('a cached object', () => {
  const cases = [
    // In words of 8 bytes. In protobuf the version is a string, but V8 has those of one character.
    ['protobuf', protobufCodec, 14 * 8],
    ['JSON', jsonCodec, 15 * 8],
  ] as const;

  for (const [encoding, codec, size] of cases) {
    it(`is one object of V8, with all that is attached to it: ${encoding}`, () => {
      const decoder = readOnlyCodecFor(codec.mediaType).watchDecoder<object>();
      const frame = codec.encodeWatchEvent({ type: 'MODIFIED', object: pod });
      const count = 50_000;
      const all: object[] = Array.from({ length: count }, () => pod);
      const decode = (from: number): number => {
        for (let index = from; index < count; index++) {
          decoder.push(frame);
          all[index] = decoder.next()?.object ?? assert.fail('there is no event');
        }
        collectGarbage();
        return process.memoryUsage().heapUsed;
      };
      // Code and caches are there afterwards, and a fifth of the objects.
      const before = decode((count / 5) * 4);
      const each = (decode(0) - before) / ((count / 5) * 4);
      assert.ok(each < size + 12, `${each} bytes`);
    });
  }
});
