import { type Frames, JsonFrames, LengthDelimitedFrames } from 'client-ts/codec';

/** One message of a stream. */
export interface Frame {
  readonly bytes: Uint8Array;
  /** The opcode of a WebSocket message. */
  readonly opcode?: number;
}

/** Splits a watch stream into frames, depending on its response headers. */
export function frameReader(
  status: number,
  contentType: string,
): (chunk: Uint8Array) => Iterable<Frame> {
  if (status === 101) return webSocketFrames();
  const frames: Frames = contentType.startsWith('application/vnd.kubernetes.protobuf')
    ? new LengthDelimitedFrames()
    : new JsonFrames();
  return function* read(chunk) {
    frames.push(chunk);
    for (let bytes = frames.next(); bytes !== undefined; bytes = frames.next()) yield { bytes };
  };
}

/** Parses messages of a WebSocket server, which are never masked (RFC 6455, section 5.2). */
function webSocketFrames(): (chunk: Uint8Array) => Iterable<Frame> {
  let pending = Buffer.alloc(0);
  const next = (): Frame | undefined => {
    if (pending.length < 2) return undefined;
    const short = pending.readUInt8(1) & 0x7f;
    const header = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (pending.length < header) return undefined;
    const length =
      short === 126
        ? pending.readUInt16BE(2)
        : short === 127
          ? Number(pending.readBigUInt64BE(2))
          : short;
    if (pending.length < header + length) return undefined;
    const frame = {
      opcode: pending.readUInt8(0) & 0x0f,
      bytes: pending.subarray(header, header + length),
    };
    pending = pending.subarray(header + length);
    return frame;
  };
  return function* read(chunk) {
    pending = Buffer.concat([pending, chunk]);
    for (let frame = next(); frame !== undefined; frame = next()) yield frame;
  };
}
