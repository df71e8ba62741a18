import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../lib/json.ts';
import { assertLinear } from '../lib/test-growth.ts';
import { CodecError } from './codec-error.ts';
import { jsonCodec, type WatchDecoder } from './codec.ts';
import { type Frames, JsonFrames, LengthDelimitedFrames, LineFrames } from './frames.ts';
import { readOnlyCodecFor } from './lazy/read-only-codec.ts';

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

/** Pushes chunks that are overwritten when their frames have been read, or before that. */
function framesOfReused(frames: Frames, chunks: readonly Uint8Array[], isEarly = false): string[] {
  const found: string[] = [];
  for (const bytes of chunks) {
    const chunk = Buffer.from(bytes);
    const overwrite = (): void => {
      frames.keepRest();
      chunk.fill('}');
    };
    frames.push(chunk);
    if (isEarly) overwrite();
    for (let frame = frames.next(); frame !== undefined; frame = frames.next()) {
      found.push(Buffer.from(frame).toString('utf8'));
      if (isEarly) overwrite();
    }
    overwrite();
  }
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
        chunks.push(bytes.subarray(start));
        assert.deepEqual(framesOf(...chunks), texts);
        assert.deepEqual(framesOfReused(new JsonFrames(), chunks), texts);
        assert.deepEqual(framesOfReused(new JsonFrames(), chunks, true), texts);
        if (separator !== '\n' || indent !== undefined) return;
        const lines = texts.map((text) => `${text}\n`);
        // What ends a chunk is an object, whether its line feed has arrived or not.
        const found = framesOfReused(new LineFrames(), chunks);
        assert.deepEqual(found.join('').replaceAll('\n', ''), lines.join('').replaceAll('\n', ''));
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

test('a frame in chunks of one byte, whose memory is used again, takes linear time', () => {
  const stream = (size: number): Buffer => Buffer.from(`{"a":"${'x'.repeat(size)}"}`);
  const read = (bytes: Buffer): void => {
    const chunks = Array.from(bytes, (byte) => Buffer.from([byte]));
    assert.deepEqual(framesOfReused(new JsonFrames(), chunks), [bytes.toString()]);
  };
  assertLinear('one byte at a time', read, stream, 2000);
});

test('frames that lie in two chunks are joined in the same memory, which is not kept if it is large', () => {
  const frames = new JsonFrames();
  const memoryOf = (size: number): ArrayBufferLike | undefined => {
    const frame = Buffer.from(`{"a":"${'x'.repeat(size)}"}`);
    frames.push(Buffer.from(frame.subarray(0, 10)));
    assert.equal(frames.next(), undefined);
    frames.keepRest();
    frames.push(Buffer.from(frame.subarray(10)));
    const found = frames.next();
    assert.deepEqual(found, frame);
    assert.equal(frames.next(), undefined);
    frames.keepRest();
    return found?.buffer;
  };
  const first = memoryOf(100);
  assert.equal(memoryOf(1000), first);
  const large = memoryOf(1_000_000);
  assert.ok((large?.byteLength ?? 0) > 1_000_000);
  assert.notEqual(memoryOf(100), large);
});

test('memory of a large frame is released if every chunk ends within a frame', () => {
  const frames = new JsonFrames();
  const start = Buffer.from('{"a":"');
  const memoryOf = (size: number): ArrayBufferLike | undefined => {
    frames.push(Buffer.concat([Buffer.alloc(size, 'x'), Buffer.from('"}'), start]));
    const found = frames.next();
    assert.equal(found?.length, start.length + size + 2);
    assert.equal(frames.next(), undefined);
    frames.keepRest();
    return found?.buffer;
  };
  frames.push(Buffer.from(start));
  assert.equal(frames.next(), undefined);
  frames.keepRest();
  assert.ok((memoryOf(1_000_000)?.byteLength ?? 0) > 1_000_000);
  assert.ok((memoryOf(100)?.byteLength ?? Infinity) < 10_000);
});

test('a line may arrive in pieces, and an object without a line feed is delivered', () => {
  const frames = new LineFrames();
  const found: string[][] = [];
  for (const piece of ['{"a":1}\n{"b"', ':{}', ',"c":3}\n{"d', '":4}', '{"e":5', '} ', '{"f":[']) {
    frames.push(Buffer.from(piece));
    found.push(drain(frames));
  }
  assert.deepEqual(found, [
    ['{"a":1}\n'],
    [],
    ['{"b":{},"c":3}\n'],
    ['{"d":4}'],
    [],
    ['{"e":5}'],
    [],
  ]);
  assert.throws(() => frames.end(), hasCode('CODEC_TRUNCATED'));
});

function frameOf(payload: Uint8Array): Buffer {
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32BE(payload.length);
  return Buffer.concat([prefix, payload]);
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
        const chunks: Buffer[] = [];
        for (let at = 0, nth = 0; at < bytes.length; nth += 1) {
          const end = at + (cuts[nth] ?? bytes.length);
          chunks.push(bytes.subarray(at, end));
          at = end;
        }
        const texts = payloads.map((payload) => Buffer.from(payload).toString('utf8'));
        assert.deepEqual(framesOfReused(new LengthDelimitedFrames(), chunks), texts);
        assert.deepEqual(framesOfReused(new LengthDelimitedFrames(), chunks, true), texts);
      },
    ),
  );
});

test('a chunk that does not complete a frame is known to be too short', () => {
  const bytes = frameOf(Buffer.from('payload'));
  for (const taken of [0, 1, 2, 3, 4, 6]) {
    const frames = new LengthDelimitedFrames();
    frames.push(bytes.subarray(0, taken));
    assert.equal(frames.next(), undefined);
    for (let end = taken; end < bytes.length; end += 1) {
      assert.ok(!frames.isEnough(bytes, taken, end), `from ${taken} to ${end}`);
    }
    assert.ok(frames.isEnough(bytes, taken, bytes.length));
  }
});

test('bytes are enough exactly if they complete a frame, whatever was pushed and read before', () => {
  const maxFrameBytes = 400;
  const step = fc.record({
    size: fc.oneof(fc.nat(6), fc.nat(600)),
    /** How many frames are read after the push; all of them in most steps, as a watch does. */
    reads: fc.oneof(fc.constant(Infinity), fc.nat(3)),
    keeps: fc.boolean(),
  });
  // Now and then one is too large, and some lengths have more than one byte.
  const payload = fc.oneof(
    { weight: 9, arbitrary: fc.uint8Array({ maxLength: 300 }) },
    { weight: 1, arbitrary: fc.uint8Array({ minLength: 401, maxLength: 402 }) },
  );
  fc.assert(
    fc.property(fc.array(payload), fc.array(step), (payloads, steps) => {
      const bytes = Buffer.concat(payloads.map((content) => frameOf(content)));
      const frames = new LengthDelimitedFrames({ maxFrameBytes });
      // What the frames should be, independently of how they are kept.
      let read = 0;
      let start = 0;
      for (const { size, reads, keeps } of steps) {
        const end = Math.min(start + size, bytes.length);
        const isNext = isFrameOrTooLarge(bytes.subarray(read, end), maxFrameBytes);
        assert.equal(frames.isEnough(bytes, start, end), isNext, `from ${start} to ${end}`);
        frames.push(bytes.subarray(start, end));
        start = end;
        for (let count = 0; count < reads; count += 1) {
          let frame: Uint8Array | undefined;
          try {
            frame = frames.next();
          } catch {
            assert.ok(isFrameOrTooLarge(bytes.subarray(read, end), maxFrameBytes));
            return;
          }
          if (frame === undefined) break;
          read += 4 + frame.length;
        }
        if (keeps) frames.keepRest();
      }
    }),
    { numRuns: 1000 },
  );
});

/** Whether bytes begin with a whole frame, or with the length of one that is refused. */
function isFrameOrTooLarge(bytes: Buffer, maxFrameBytes: number): boolean {
  if (bytes.length < 4) return false;
  const length = bytes.readUInt32BE(0);
  return length > maxFrameBytes || bytes.length >= 4 + length;
}

test('any part of a large frame is enough, so that the server can send the rest', () => {
  const bytes = frameOf(Buffer.alloc(100_000));
  const frames = new LengthDelimitedFrames();
  assert.ok(!frames.isEnough(bytes, 0, 3), 'its length is not known');
  assert.ok(frames.isEnough(bytes, 0, 4));
  frames.push(bytes.subarray(0, 10));
  assert.equal(frames.next(), undefined);
  assert.ok(frames.isEnough(bytes, 10, 11));
  frames.push(bytes.subarray(10, 50_000));
  assert.ok(!frames.isEnough(bytes, 50_000, 50_001), 'what is left of it is awaited');
  assert.equal(frames.next(), undefined);
  assert.ok(!frames.isEnough(bytes, 50_000, 50_001), 'and was not before it was read');
  assert.ok(frames.isEnough(bytes, 50_000, bytes.length));
});

test('a large frame is recognized by a length that comes in pieces', () => {
  const bytes = frameOf(Buffer.alloc(100_000));
  for (const isRead of [true, false]) {
    const frames = new LengthDelimitedFrames();
    frames.push(bytes.subarray(0, 2));
    if (isRead) assert.equal(frames.next(), undefined);
    assert.ok(!frames.isEnough(bytes, 2, 3));
    assert.ok(frames.isEnough(bytes, 2, 4));
  }
});

test('a payload within one chunk is not copied', () => {
  const chunk = frameOf(Buffer.from('payload'));
  const frames = new LengthDelimitedFrames();
  frames.push(chunk);
  assert.equal(frames.next()?.buffer, chunk.buffer);
});

test('chunks may be pushed ahead, wherever they end', () => {
  const texts = ['one', '', 'two', 'three'];
  const bytes = Buffer.concat(texts.map((text) => frameOf(Buffer.from(text))));
  for (let cut = 0; cut <= bytes.length; cut++) {
    for (let next = cut; next <= bytes.length; next++) {
      const frames = new LengthDelimitedFrames();
      frames.push(bytes.subarray(0, cut));
      frames.push(bytes.subarray(cut, next));
      frames.push(bytes.subarray(next));
      const found = texts.map(() => frames.next());
      assert.deepEqual(
        found.map((frame) => frame && Buffer.from(frame).toString('utf8')),
        texts,
      );
      assert.equal(frames.next(), undefined);
      frames.end();
    }
  }
});

test('payloads in two chunks are joined in the same memory if chunks are overwritten', () => {
  const frames = new LengthDelimitedFrames();
  const memoryOf = (size: number): ArrayBufferLike | undefined => {
    const bytes = frameOf(Buffer.alloc(size, 'x'));
    frames.push(bytes.subarray(0, 6));
    assert.equal(frames.next(), undefined);
    frames.push(bytes.subarray(6));
    const found = frames.next();
    assert.deepEqual(found, bytes.subarray(4));
    return found?.buffer;
  };
  assert.notEqual(memoryOf(100), memoryOf(100));
  frames.keepRest();
  const memory = memoryOf(100);
  assert.equal(memoryOf(1000), memory);
  assert.equal(memoryOf(1_000_000)?.byteLength, 1_000_000);
  assert.equal(memoryOf(100), memory);
});

test('what is left of chunks that were pushed ahead counts as cut off', () => {
  const frames = new LengthDelimitedFrames();
  frames.push(Buffer.from([0, 0]));
  assert.equal(frames.next(), undefined);
  frames.push(Buffer.from([0]));
  frames.push(Buffer.from([9, 1]));
  assert.throws(() => frames.end(), { message: /after 5 bytes/ });
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

const json = readOnlyCodecFor(jsonCodec.mediaType);

/** Everything that comes of a stream that is cut at some places, and how it ends. */
function readAll(decoder: WatchDecoder, bytes: Buffer, cuts: readonly number[]): string {
  const seen: unknown[] = [];
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1))), bytes.length];
  let start = 0;
  try {
    for (const place of places.toSorted((left, right) => left - right)) {
      decoder.push(bytes.subarray(start, place));
      start = place;
      for (let event = decoder.next(); event !== undefined; event = decoder.next()) {
        seen.push(event);
      }
    }
    decoder.end();
  } catch (error) {
    seen.push((error as { code?: string }).code);
  }
  return JSON.stringify(seen);
}

const event = fc
  .dictionary(fc.string(), fc.jsonValue())
  .map((object) => ({ type: 'ADDED', object: object as JsonObject }));
const space = fc.constantFrom(undefined, 2, '\t');
/** Line feeds as servers write them, none, many, and one in a place where only a trickster puts it. */
const gap = fc.constantFrom('\n', '\n', '', '\n\n', ' \r\n', '}\n{', '\n{"a":{}\n}');

test('a JSON stream yields the events of the plain codec, however it is split', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(event, space, gap), { maxLength: 6 }),
      fc.array(fc.nat(), { maxLength: 8 }),
      (parts, cuts) => {
        const text = parts.map(([one, indent, end]) => JSON.stringify(one, null, indent) + end);
        const bytes = Buffer.from(text.join(''));
        const expected = readAll(jsonCodec.watchDecoder(), bytes, cuts);
        assert.equal(readAll(json.watchDecoder(), bytes, cuts), expected);
      },
    ),
    { numRuns: 500 },
  );
});

test('a line that is too long is refused, and so is a stream that is cut off', () => {
  const line = Buffer.from('{"type":"ADDED","object":{}}\n');
  const short = json.watchDecoder({ maxFrameBytes: 10 });
  short.push(line);
  assert.throws(() => short.next(), { code: 'CODEC_FRAME_TOO_LARGE' });
  const cut = json.watchDecoder();
  cut.push(line.subarray(0, 10));
  assert.equal(cut.next(), undefined);
  assert.throws(() => cut.end(), { code: 'CODEC_TRUNCATED' });
});

test('lines are taken as they are until one of them is no frame', () => {
  const frames = new LineFrames();
  frames.push(Buffer.from('{"a":1}{"b":2}\n{"c":3}{"d":4}\n'));
  const line = frames.next();
  assert.equal(String(line), '{"a":1}{"b":2}\n');
  assert.equal(String(frames.reframe(line as Uint8Array, new Error('two'))), '{"a":1}');
  assert.equal(String(frames.next()), '{"b":2}');
  const broken = frames.next();
  assert.equal(String(broken), '{"c":3}');
  assert.throws(() => frames.reframe(broken as Uint8Array, new Error('really')), /really/);
});
