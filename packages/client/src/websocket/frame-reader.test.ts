import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { WebSocketFrameReader } from './frame-reader.ts';
import { OPCODE } from './opcodes.ts';

/** The key of the clients in these tests. */
const KEY = Buffer.of(0x12, 0xf0, 0x55, 0x0f);

/** A frame as servers write it, or as clients do. */
function frameOf(
  opcode: number,
  payload: Uint8Array,
  { isFinal = true, isMasked = false } = {},
): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = (isFinal ? 0x80 : 0) | opcode;
  head[1] = (isMasked ? 0x80 : 0) | (length < 126 ? length : length < 65_536 ? 126 : 127);
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  if (!isMasked) return Buffer.concat([head, payload]);
  const masked = payload.map((byte, index) => byte ^ (KEY[index % 4] ?? 0));
  return Buffer.concat([head, KEY, masked]);
}

/** Reads chunks and returns the messages, and the control frames. */
function readAll(
  chunks: readonly Buffer[],
  isMasked = false,
): {
  readonly messages: readonly Buffer[];
  readonly controls: readonly (readonly [number, string])[];
} {
  const messages: Buffer[] = [];
  const controls: (readonly [number, string])[] = [];
  let parts: Buffer[] = [];
  const reader = new WebSocketFrameReader(
    {
      onPart: (part, isFirst, isLast) => {
        assert.equal(isFirst, parts.length === 0);
        assert.ok(part.length > 0 || isLast);
        parts.push(Buffer.from(part));
        if (!isLast) return;
        messages.push(Buffer.concat(parts));
        parts = [];
      },
      onControl: (opcode, payload) => controls.push([opcode, payload.toString('latin1')]),
    },
    { isMasked, maxMessageBytes: 16 * 1024 * 1024 },
  );
  // All in the same memory: the reader must not keep what it is given.
  const memory = Buffer.alloc(Math.max(0, ...chunks.map(({ length }) => length)));
  for (const chunk of chunks) {
    chunk.copy(memory);
    reader.push(memory.subarray(0, chunk.length));
  }
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

  for (const isMasked of [false, true]) {
    const side = isMasked ? 'a client' : 'a server';

    it(`reads messages of ${side}, and control frames between fragments, however the bytes are cut`, () => {
      const control = fc.option(fc.uint8Array({ maxLength: 125 }), { nil: undefined });
      fc.assert(
        fc.property(
          fc.array(fc.tuple(message, control), { maxLength: 6 }),
          fc.array(fc.nat(), { maxLength: 12 }),
          (sent, cuts) => {
            const frames = sent.flatMap(([fragments, ping]) =>
              fragments.flatMap((fragment, index) => {
                const opcode = index === 0 ? OPCODE.binary : OPCODE.continuation;
                const isFinal = index === fragments.length - 1;
                const frame = frameOf(opcode, fragment, { isFinal, isMasked });
                return ping === undefined
                  ? [frame]
                  : [frameOf(OPCODE.ping, ping, { isMasked }), frame];
              }),
            );
            const { messages, controls } = readAll(cut(Buffer.concat(frames), cuts), isMasked);
            assert.deepEqual(
              messages,
              sent.map(([fragments]) => Buffer.concat(fragments)),
            );
            assert.deepEqual(
              controls.map(([, payload]) => payload),
              sent.flatMap(([fragments, ping]) =>
                ping === undefined ? [] : fragments.map(() => Buffer.from(ping).toString('latin1')),
              ),
            );
          },
        ),
      );
    });

    it(`reads long messages of ${side}`, () => {
      for (const length of [125, 126, 65_535, 65_536, 200_000]) {
        const bytes = Buffer.alloc(length, 'abcdefg');
        const chunks = cut(frameOf(OPCODE.binary, bytes, { isMasked }), [1, 3, 5, 9, 70_000]);
        const { messages } = readAll(chunks, isMasked);
        assert.ok(messages.length === 1 && messages[0]?.equals(bytes));
      }
    });
  }

  it('distinguishes text from binary messages', () => {
    const kinds: boolean[] = [];
    const receiver = {
      onPart: (...[, , , isText]: readonly [Buffer, boolean, boolean, boolean]) =>
        void kinds.push(isText),
      onControl: () => undefined,
    };
    const reader = new WebSocketFrameReader(receiver, { isMasked: false, maxMessageBytes: 9 });
    reader.push(frameOf(OPCODE.text, Buffer.from('a'), { isFinal: false }));
    reader.push(frameOf(OPCODE.continuation, Buffer.from('b')));
    reader.push(frameOf(OPCODE.binary, Buffer.from('c')));
    assert.deepEqual(kinds, [true, true, false]);
  });

  const invalid: readonly (readonly [string, RegExp, readonly Buffer[]])[] = [
    ['a reserved opcode', /opcode 3/, [frameOf(3, Buffer.alloc(0))]],
    ['a reserved control opcode', /opcode 11/, [frameOf(11, Buffer.alloc(0))]],
    ['reserved bits', /reserved bits/, [Buffer.of(0xc2, 0)]],
    ['a masked frame of a server', /is masked/, [Buffer.of(0x82, 0x80, 0, 0, 0, 0)]],
    [
      'a fragmented ping',
      /fragmented/,
      [frameOf(OPCODE.ping, Buffer.alloc(0), { isFinal: false })],
    ],
    ['a long ping', /too long/, [frameOf(OPCODE.ping, Buffer.alloc(126))]],
    ['a continuation of nothing', /continues no/, [frameOf(0, Buffer.alloc(1))]],
    [
      'a message in a message',
      /not complete/,
      [frameOf(2, Buffer.alloc(1), { isFinal: false }), frameOf(2, Buffer.alloc(1))],
    ],
    [
      'a message of more than 16 MiB in fragments',
      /more than 16777216 bytes/,
      [
        frameOf(2, Buffer.alloc(10_000_000), { isFinal: false }),
        frameOf(0, Buffer.alloc(7_000_000)),
      ],
    ],
  ];
  for (const [what, pattern, frames] of invalid) {
    it(`refuses ${what}`, () => {
      assert.throws(() => readAll(frames), pattern);
    });
  }

  it('refuses a frame of a client that is not masked', () => {
    assert.throws(() => readAll([frameOf(2, Buffer.alloc(1))], true), /not masked/);
  });

  it('never throws anything else, whatever the bytes are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 }),
        fc.boolean(),
        (chunks, isMasked) => {
          try {
            readAll(
              chunks.map((chunk) => Buffer.from(chunk)),
              isMasked,
            );
          } catch (error) {
            assert.equal(Reflect.get(Object(error), 'name'), 'WebSocketError');
          }
        },
      ),
    );
  });
});
