import { randomFillSync } from 'node:crypto';
import { copyMasked, MASK_BYTES } from './mask.ts';

/** Options of {@link encodeFrame}. */
export interface WebSocketFrameOptions {
  /** True for the frames of a client. */
  readonly isMasked: boolean;
  /** Where to write the frame, if it has room; otherwise a buffer is allocated. */
  readonly into?: Buffer | undefined;
}

/** The longest header and key, and three bytes for the alignment. */
const MAX_OVERHEAD = 2 + 8 + MASK_BYTES + 3;

/** Returns the last frame of a message. Its payload is the prefix and the data, which are not changed. */
export function encodeFrame(
  opcode: number,
  prefix: Uint8Array,
  data: Uint8Array,
  { isMasked, into }: WebSocketFrameOptions,
): Buffer {
  const length = prefix.length + data.length;
  const lengthBytes = length < 126 ? 0 : length <= 0xffff ? 2 : 8;
  const start = 2 + lengthBytes + (isMasked ? MASK_BYTES : 0);
  const frame = roomFor(start + length, into, data.byteOffset - start - prefix.length);
  frame[0] = 0x80 | opcode;
  frame[1] = (isMasked ? 0x80 : 0) | (lengthBytes === 0 ? length : lengthBytes === 2 ? 126 : 127);
  if (lengthBytes === 2) frame.writeUInt16BE(length, 2);
  if (lengthBytes === 8) {
    frame.writeUInt32BE(Math.floor(length / 2 ** 32), 2);
    frame.writeUInt32BE(length % 2 ** 32, 6);
  }
  const payload = frame.subarray(start + prefix.length);
  if (isMasked) {
    const key = nextKey();
    frame.set(key, start - MASK_BYTES);
    copyMasked(prefix, frame.subarray(start), key, 0);
    copyMasked(data, payload, key, prefix.length);
  } else {
    frame.set(prefix, start);
    payload.set(data);
  }
  return frame;
}

/** Returns a buffer that begins where masking is fastest, if there is a choice. */
function roomFor(bytes: number, into: Buffer | undefined, alignment: number): Buffer {
  if (into === undefined || into.length < bytes + MAX_OVERHEAD) return Buffer.allocUnsafe(bytes);
  const at = (((alignment - into.byteOffset) % 4) + 4) % 4;
  return into.subarray(at, at + bytes);
}

/** Keys are taken from a supply of random bytes: a call per frame would cost more than the frame. */
const KEYS = Buffer.alloc(4096);
let nextKeyAt = KEYS.length;

function nextKey(): Uint8Array {
  if (nextKeyAt === KEYS.length) {
    randomFillSync(KEYS);
    nextKeyAt = 0;
  }
  nextKeyAt += MASK_BYTES;
  return KEYS.subarray(nextKeyAt - MASK_BYTES, nextKeyAt);
}
