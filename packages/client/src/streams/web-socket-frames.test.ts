import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { WebSocketServer } from 'ws';
import { encodeFrame, OPCODE, WebSocketFrameReader } from './web-socket-frames.ts';

/** A frame as servers write it. */
function serverFrame(opcode: number, payload: Uint8Array, isFinal = true): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = (isFinal ? 0x80 : 0) | opcode;
  head[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

/** Reads chunks and returns the messages, and the control frames. */
function readAll(chunks: readonly Buffer[]): {
  readonly messages: readonly Buffer[];
  readonly controls: readonly (readonly [number, string])[];
} {
  const messages: Buffer[] = [];
  const controls: (readonly [number, string])[] = [];
  let parts: Buffer[] = [];
  const reader = new WebSocketFrameReader({
    onPart: (part, isFirst, isLast) => {
      assert.equal(isFirst, parts.length === 0);
      assert.ok(part.length > 0 || isLast);
      parts.push(part);
      if (!isLast) return;
      messages.push(Buffer.concat(parts));
      parts = [];
    },
    onControl: (opcode, payload) => controls.push([opcode, payload.toString('latin1')]),
  });
  for (const chunk of chunks) reader.push(chunk);
  return { messages, controls };
}

/** Cuts bytes at arbitrary places. */
function cut(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = cuts.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b);
  return [...places, bytes.length].map((end, index) => bytes.subarray(places[index - 1] ?? 0, end));
}

describe('WebSocketFrameReader', () => {
  const payload = fc.uint8Array({ maxLength: 300 });
  const message = fc.array(payload, { minLength: 1, maxLength: 4 });

  it('reads messages and control frames between their fragments, however the bytes are cut', () => {
    const control = fc.option(fc.uint8Array({ maxLength: 125 }), { nil: undefined });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(message, control), { maxLength: 6 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        (sent, cuts) => {
          const frames = sent.flatMap(([fragments, ping]) =>
            fragments.flatMap((fragment, index) => {
              const opcode = index === 0 ? OPCODE.binary : OPCODE.continuation;
              const frame = serverFrame(opcode, fragment, index === fragments.length - 1);
              return ping === undefined ? [frame] : [serverFrame(OPCODE.ping, ping), frame];
            }),
          );
          const { messages, controls } = readAll(cut(Buffer.concat(frames), cuts));
          assert.deepEqual(
            messages,
            sent.map(([fragments]) => Buffer.concat(fragments)),
          );
          const pings = sent.map(([fragments, ping]) =>
            ping === undefined ? 0 : fragments.length,
          );
          assert.equal(
            controls.length,
            pings.reduce((sum, count) => sum + count, 0),
          );
        },
      ),
    );
  });

  it('reads long messages', () => {
    for (const length of [125, 126, 65_535, 65_536, 200_000]) {
      const bytes = Buffer.alloc(length, 'abcdefg');
      const { messages } = readAll(cut(serverFrame(OPCODE.binary, bytes), [1, 3, 5, 9, 70_000]));
      assert.ok(messages.length === 1 && messages[0]?.equals(bytes));
    }
  });

  const invalid: readonly (readonly [string, RegExp, readonly Buffer[]])[] = [
    ['a text message', /text message/, [serverFrame(OPCODE.text, Buffer.from('x'))]],
    ['a reserved opcode', /opcode 3/, [serverFrame(3, Buffer.alloc(0))]],
    ['a reserved control opcode', /opcode 11/, [serverFrame(11, Buffer.alloc(0))]],
    ['reserved bits', /reserved bits/, [Buffer.of(0xc2, 0)]],
    ['a masked frame', /masked/, [Buffer.of(0x82, 0x80, 0, 0, 0, 0)]],
    ['a fragmented ping', /fragmented/, [serverFrame(OPCODE.ping, Buffer.alloc(0), false)]],
    ['a long ping', /too long/, [serverFrame(OPCODE.ping, Buffer.alloc(126))]],
    ['a continuation of nothing', /continues no/, [serverFrame(0, Buffer.alloc(1))]],
    [
      'a message in a message',
      /not complete/,
      [serverFrame(2, Buffer.alloc(1), false), serverFrame(2, Buffer.alloc(1))],
    ],
    [
      'a message of more than 16 MiB in fragments',
      /more than 16777216 bytes/,
      [serverFrame(2, Buffer.alloc(10_000_000), false), serverFrame(0, Buffer.alloc(7_000_000))],
    ],
  ];
  for (const [what, pattern, frames] of invalid) {
    it(`refuses ${what}`, () => {
      assert.throws(() => readAll(frames), pattern);
    });
  }

  it('never throws anything else, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 }), (chunks) => {
        try {
          readAll(chunks.map((chunk) => Buffer.from(chunk)));
        } catch (error) {
          assert.equal(Reflect.get(Object(error), 'name'), 'StreamsError');
        }
      }),
    );
  });
});

describe('encodeFrame', () => {
  it('writes what `ws` reads, for every length and alignment', async () => {
    const lengths = [0, 1, 2, 3, 4, 5, 7, 8, 124, 125, 126, 127, 65_535, 65_536, 100_001];
    const cases = lengths.flatMap((length) => [0, 1, 8].map((prefix) => ({ length, prefix })));
    for (const { length, prefix } of cases) {
      const head = Buffer.alloc(prefix, 'p');
      const data = Buffer.alloc(length, 'abcdefg');
      const frame = encodeFrame(OPCODE.binary, head, data);
      assert.deepEqual(await readWithWs(frame), Buffer.concat([head, data]));
    }
  });

  it('uses another key for every frame', () => {
    const keys = new Set<string>();
    for (let frame = 0; frame < 3000; frame += 1) {
      keys.add(encodeFrame(OPCODE.binary, Buffer.alloc(1)).toString('hex', 2, 6));
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
