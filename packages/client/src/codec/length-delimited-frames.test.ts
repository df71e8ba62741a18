import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CodecError } from './codec-error.ts';
import { LengthDelimitedFrames } from './length-delimited-frames.ts';

function frameOf(payload: Uint8Array): Buffer {
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32BE(payload.length);
  return Buffer.concat([prefix, payload]);
}

function hasCode(code: string): (error: unknown) => boolean {
  return (error) => error instanceof CodecError && error.code === code;
}

test('however the stream is cut, the payloads are the same', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 300 })),
      fc.array(fc.nat(200)),
      (payloads, cuts) => {
        const bytes = Buffer.concat(payloads.map((payload) => frameOf(payload)));
        const frames = new LengthDelimitedFrames();
        const found: number[][] = [];
        const drain = (): void => {
          for (let frame = frames.next(); frame !== undefined; frame = frames.next()) {
            found.push([...frame]);
          }
        };
        let start = 0;
        for (const cut of [...cuts, bytes.length]) {
          frames.push(bytes.subarray(start, start + cut));
          start += cut;
          drain();
        }
        frames.end();
        assert.deepEqual(
          found,
          payloads.map((payload) => [...payload]),
        );
      },
    ),
  );
});

test('a payload within one chunk is not copied', () => {
  const chunk = frameOf(Buffer.from('payload'));
  const frames = new LengthDelimitedFrames();
  frames.push(chunk);
  assert.equal(frames.next()?.buffer, chunk.buffer);
});

test('a frame over the limit is refused by its length alone', () => {
  const frames = new LengthDelimitedFrames({ maxFrameBytes: 10 });
  frames.push(frameOf(Buffer.alloc(10)));
  assert.equal(frames.next()?.length, 10);
  frames.push(Buffer.from([0, 0, 0, 11]));
  assert.throws(() => frames.next(), hasCode('CODEC_FRAME_TOO_LARGE'));
});

test('the end of the stream within a frame is an error', () => {
  for (const cut of [1, 4, 8]) {
    const frames = new LengthDelimitedFrames();
    frames.push(frameOf(Buffer.alloc(5)).subarray(0, cut));
    assert.equal(frames.next(), undefined);
    assert.throws(() => frames.end(), hasCode('CODEC_TRUNCATED'));
  }
});
