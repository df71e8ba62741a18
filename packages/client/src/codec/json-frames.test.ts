import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertLinear } from '../lib/test-growth.ts';
import { CodecError } from './codec-error.ts';
import type { Frames } from './frames.ts';
import { JsonFrames } from './json-frames.ts';

function drain(frames: Frames): string[] {
  const found: string[] = [];
  for (let frame = frames.next(); frame !== undefined; frame = frames.next()) {
    found.push(Buffer.from(frame).toString('utf8'));
  }
  return found;
}

function framesOf(...chunks: (Uint8Array | string)[]): string[] {
  const frames = new JsonFrames();
  const found: string[] = [];
  for (const chunk of chunks) {
    frames.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    found.push(...drain(frames));
  }
  frames.end();
  return found;
}

function hasCode(code: string): (error: unknown) => boolean {
  return (error) => error instanceof CodecError && error.code === code;
}

test('objects are cut at newlines, without them, and across lines', () => {
  assert.deepEqual(framesOf('{"a":1}\n{"b":2}\n'), ['{"a":1}', '{"b":2}']);
  assert.deepEqual(framesOf('{"a":1}{"b":[{}]}'), ['{"a":1}', '{"b":[{}]}']);
  assert.deepEqual(framesOf('\r\n {\n  "a": {}\n}\t{}'), ['{\n  "a": {}\n}', '{}']);
  assert.deepEqual(framesOf('  \n\n'), []);
});

test('braces and quotes within strings do not count', () => {
  const tricky = String.raw`{"a\"}{":"\\","b":"]}{[","c":"\\\""}`;
  assert.deepEqual(framesOf(tricky + tricky), [tricky, tricky]);
});

test('however the stream is cut, the frames are the same', () => {
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), { maxLength: 5 }),
      fc.constantFrom('', '\n', '\r\n', ' '),
      fc.constantFrom(undefined, 2),
      fc.array(fc.nat(60)),
      (objects, separator, indent, cuts) => {
        const texts = objects.map((object) => JSON.stringify(object, undefined, indent));
        const bytes = Buffer.from(texts.map((text) => text + separator).join(''));
        const chunks: Buffer[] = [];
        let start = 0;
        for (const cut of cuts) {
          chunks.push(bytes.subarray(start, start + cut));
          start += cut;
        }
        assert.deepEqual(framesOf(...chunks, bytes.subarray(start)), texts);
      },
    ),
  );
});

test('a multi-byte character may be split between chunks', () => {
  const bytes = Buffer.from('{"a":"☃🚀"}');
  const single = [...bytes].map((byte) => Buffer.from([byte]));
  assert.deepEqual(framesOf(...single), ['{"a":"☃🚀"}']);
});

test('a frame within one chunk is not copied', () => {
  const chunk = Buffer.from('{"a":1}\n{"b":2}\n');
  const frames = new JsonFrames();
  frames.push(chunk);
  assert.equal(frames.next()?.buffer, chunk.buffer);
});

test('a frame over the limit is refused before it is complete', () => {
  const frames = new JsonFrames({ maxFrameBytes: 10 });
  frames.push(Buffer.from('{"a":1234}'));
  assert.deepEqual(drain(frames), ['{"a":1234}']);
  frames.push(Buffer.from('{"a":12345'));
  assert.equal(frames.next(), undefined);
  frames.push(Buffer.from('6'));
  assert.throws(() => frames.next(), hasCode('CODEC_FRAME_TOO_LARGE'));
});

test('the end of the stream within a frame is an error', () => {
  const frames = new JsonFrames();
  frames.push(Buffer.from('{"a":1}\n{"b"'));
  assert.deepEqual(drain(frames), ['{"a":1}']);
  assert.throws(() => frames.end(), hasCode('CODEC_TRUNCATED'));
});

test('what is not JSON at all is refused, and not shown', () => {
  const frames = new JsonFrames();
  frames.push(Buffer.from('upstream connect error: token=secret'));
  assert.throws(
    () => frames.next(),
    (error) => hasCode('CODEC_MALFORMED_JSON')(error) && !String(error).includes('secret'),
  );
});

test('a frame in chunks of one byte takes linear time', () => {
  const stream = (size: number): Buffer => Buffer.from(`{"a":"${'x'.repeat(size)}"}`);
  const read = (bytes: Buffer): void => {
    const frames = new JsonFrames();
    for (let index = 0; index < bytes.length; index += 1) {
      frames.push(bytes.subarray(index, index + 1));
      const frame = frames.next();
      assert.equal(frame !== undefined, index === bytes.length - 1);
    }
  };
  assertLinear('one byte at a time', read, stream, 2000);
});
