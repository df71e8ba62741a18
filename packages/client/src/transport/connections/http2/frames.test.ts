import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '../../../lib/random.ts';
import { FLAGS, FrameReader, FRAMES } from './frames.ts';
import { frame } from './test-frame-peer.ts';

/** What a reader reports of some bytes, with the data of each frame joined. */
function read(pieces: Iterable<Buffer>): string[] {
  const seen: string[] = [];
  let data = '';
  const reader = new FrameReader({
    onDataStart: (streamId, length) => {
      seen.push(`DATA ${streamId}, ${length} bytes`);
      data = '';
    },
    onData: (bytes, start, end) => {
      data += bytes.toString('latin1', start, end);
    },
    onDataEnd: (flags, padding) => seen.push(`${flags} ${padding} ${data}`),
    onFrame: (type, flags, streamId, payload) => {
      seen.push(`${type} ${flags} ${streamId} ${payload.toString('latin1')}`);
    },
  });
  for (const piece of pieces) reader.receive(piece);
  return seen;
}

const BYTES = Buffer.concat([
  frame(FRAMES.SETTINGS, 0, 0, 'abcdef'),
  frame(FRAMES.SETTINGS, FLAGS.ACK, 0),
  frame(FRAMES.DATA, 0, 1, 'some data'),
  frame(FRAMES.DATA, FLAGS.PADDED, 3, '\u0003padded___'),
  frame(FRAMES.DATA, FLAGS.PADDED, 3, '\u0000'),
  frame(FRAMES.DATA, FLAGS.PADDED, 3, '\u0002__'),
  frame(FRAMES.DATA, FLAGS.END_STREAM, 2 ** 31 - 1),
  frame(FRAMES.PING, 0, 0, '12345678'),
  frame(0xfe, 0xff, 7, 'unknown'),
]);

const SEEN = [
  '4 0 0 abcdef',
  '4 1 0 ',
  'DATA 1, 9 bytes',
  '0 0 some data',
  'DATA 3, 10 bytes',
  '8 4 padded',
  'DATA 3, 1 bytes',
  '8 1 ',
  'DATA 3, 3 bytes',
  '8 3 ',
  'DATA 2147483647, 0 bytes',
  '1 0 ',
  '6 0 0 12345678',
  '254 255 7 unknown',
];

describe('a frame reader', () => {
  it('reads frames wherever the bytes are divided', () => {
    assert.deepEqual(read([BYTES]), SEEN);
    assert.deepEqual(read(Array.from(BYTES, (byte) => Buffer.from([byte]))), SEEN);
    for (let at = 0; at <= BYTES.length; at += 1) {
      assert.deepEqual(read([BYTES.subarray(0, at), BYTES.subarray(at)]), SEEN);
    }
    const random = seededRandom(9113);
    for (let round = 0; round < 50; round += 1) {
      const pieces: Buffer[] = [];
      for (let at = 0; at < BYTES.length;) {
        const end = at + Math.floor(random.next() * 20);
        pieces.push(BYTES.subarray(at, end));
        at = end;
      }
      assert.deepEqual(read(pieces), SEEN);
    }
  });

  it('refuses frames that are too large, or consist of padding', () => {
    const large = Buffer.from([0, 0x40, 1, 0, 0, 0, 0, 0, 1]);
    assert.throws(() => read([large]), { errorName: 'FRAME_SIZE_ERROR' });
    for (const payload of ['', '\u0001', '\u0009padding']) {
      const bytes = frame(FRAMES.DATA, FLAGS.PADDED, 1, payload);
      assert.throws(() => read([bytes]), { errorName: 'PROTOCOL_ERROR' });
    }
  });
});
