import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../lib/json.ts';
import type { WatchDecoder } from '../codec.ts';
import { jsonCodec } from '../codec.ts';
import { LineFrames } from './line-frames.ts';
import { readOnlyCodecFor } from './read-only-codec.ts';

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

test('any stream of JSON gives the same events as by the plain codec, however it is cut', () => {
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
  assert.equal(String(line), '{"a":1}{"b":2}');
  assert.equal(String(frames.lookAgain(line as Uint8Array, new Error('two'))), '{"a":1}');
  assert.equal(String(frames.next()), '{"b":2}');
  const broken = frames.next();
  assert.equal(String(broken), '{"c":3}');
  assert.throws(() => frames.lookAgain(broken as Uint8Array, new Error('really')), /really/);
});
