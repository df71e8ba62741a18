import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { WebSocketServer } from 'ws';
import { encodeFrame } from './encode-frame.ts';
import { OPCODE } from './opcodes.ts';

describe('encodeFrame', () => {
  it('writes what `ws` reads, for every length and alignment', async () => {
    const lengths = [0, 1, 2, 3, 4, 5, 7, 8, 124, 125, 126, 127, 65_535, 65_536, 100_001];
    const cases = lengths.flatMap((length) => [0, 1, 8].map((prefix) => ({ length, prefix })));
    const into = Buffer.alloc(65_600);
    for (const { length, prefix } of cases) {
      const head = Buffer.alloc(prefix, 'p');
      const all = Buffer.alloc(length + 3, 'abcdefg');
      for (const start of [0, 1, 2, 3]) {
        const data = all.subarray(start, start + length);
        const expected = Buffer.concat([head, data]);
        for (const options of [{}, { into }, { into: into.subarray(1) }]) {
          const frame = encodeFrame(OPCODE.binary, head, data, { isMasked: true, ...options });
          assert.deepEqual(await readWithWs(frame), expected);
        }
        assert.deepEqual(data, Buffer.alloc(length + 3, 'abcdefg').subarray(start, start + length));
      }
    }
  });

  it('writes frames of a server without a key', () => {
    const frame = encodeFrame(OPCODE.binary, Buffer.of(1), Buffer.from('ab'), { isMasked: false });
    assert.deepEqual(frame, Buffer.of(0x82, 3, 1, 0x61, 0x62));
  });

  it('uses the given memory if it has room', () => {
    const into = Buffer.alloc(64);
    const encode = (bytes: number): Buffer =>
      encodeFrame(OPCODE.binary, Buffer.of(1), Buffer.alloc(bytes), { isMasked: true, into });
    assert.equal(encode(10).buffer, into.buffer);
    assert.notEqual(encode(64).buffer, into.buffer);
  });

  it('uses another key for every frame', () => {
    const keys = new Set<string>();
    for (let count = 0; count < 3000; count += 1) {
      const frame = encodeFrame(OPCODE.binary, Buffer.alloc(1), Buffer.alloc(0), {
        isMasked: true,
      });
      keys.add(frame.toString('hex', 2, 6));
    }
    assert.ok(keys.size > 2990);
  });
});

/** Lets the server of `ws` read a frame. */
async function readWithWs(frame: Buffer): Promise<Buffer> {
  const server = new WebSocketServer({ noServer: true, clientTracking: false });
  const socket = new PassThrough();
  const headers = {
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.alloc(16).toString('base64'),
  };
  return await new Promise((resolve, reject) => {
    // What the server writes comes back to it, and is ignored: only the frame is read.
    const pair = Object.assign(socket, { write: () => true });
    const request = { method: 'GET', headers, url: '/' } as never;
    server.handleUpgrade(request, pair, frame, (accepted) => {
      accepted.once('message', (message) => resolve(message as Buffer)).once('error', reject);
    });
  });
}
