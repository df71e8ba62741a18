import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { frameReader } from './frames.ts';

function webSocketMessage(opcode: number, payload: Buffer): Buffer {
  const short = payload.length < 126 ? payload.length : payload.length < 65_536 ? 126 : 127;
  const extended = Buffer.alloc(short === 126 ? 2 : short === 127 ? 8 : 0);
  if (short === 126) extended.writeUInt16BE(payload.length);
  if (short === 127) extended.writeBigUInt64BE(BigInt(payload.length));
  return Buffer.concat([Buffer.from([0x80 | opcode, short]), extended, payload]);
}

describe('frames of a WebSocket', () => {
  it('are complete, however the chunks are cut', () => {
    const payloads = [10, 300, 70_000].map((length) => Buffer.alloc(length, 'x'));
    const stream = Buffer.concat([
      ...payloads.map((payload) => webSocketMessage(1, payload)),
      webSocketMessage(8, Buffer.from([3, 232])),
    ]);
    for (const size of [1, 7, 4096, stream.length]) {
      const read = frameReader(101, '');
      const frames = [];
      for (let at = 0; at < stream.length; at += size) {
        frames.push(...read(stream.subarray(at, at + size)));
      }
      assert.deepEqual(
        frames.map(({ opcode, bytes }) => [opcode, bytes.length]),
        [
          [1, 10],
          [1, 300],
          [1, 70_000],
          [8, 2],
        ],
      );
    }
  });
});
