import type { FileHandle } from 'node:fs/promises';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Bytes for a stream: a whole, or as they come from a Node stream, web stream or generator, or from an open
 * file. A file is read to its end without new memory for every part, which is the fastest, and left open.
 */
export type StreamSource = AsyncIterable<Uint8Array | string> | FileHandle | Uint8Array | string;

/** Where the bytes of a stream go: a Node stream or a web stream. It is left open at the end. */
export type StreamSink = Writable | WritableStream<Uint8Array>;

/** A file is read in parts of this size. */
const FILE_BYTES = 256 * 1024;

/** Writes a source to a stream that copies what it is given, at the speed of the stream, and ends the stream. */
export async function sendAll(source: StreamSource, stream: Writable): Promise<void> {
  if (typeof source === 'string' || source instanceof Uint8Array) stream.end(source);
  else if (isFile(source)) await sendFile(source, stream);
  else await pipeline(source, stream);
}

function isFile(source: object): source is FileHandle {
  return 'fd' in source && !(Symbol.asyncIterator in source);
}

async function sendFile(file: FileHandle, stream: Writable): Promise<void> {
  const block = Buffer.allocUnsafeSlow(FILE_BYTES);
  while (!stream.destroyed) {
    const { bytesRead } = await file.read(block, 0, block.length);
    if (bytesRead === 0) break;
    // Until the stream has copied it. A stream that is destroyed calls back, too.
    await new Promise<void>((resolve) => {
      stream.write(block.subarray(0, bytesRead), () => resolve());
    });
  }
  stream.end();
}

/** Writes a stream to a sink, at the speed of the sink, and leaves the sink open. */
export async function writeAll(stream: Readable, sink: StreamSink): Promise<void> {
  if (!('getWriter' in sink)) return await pipeline(stream, sink, { end: false });
  const writer = sink.getWriter();
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) await writer.write(chunk);
  } finally {
    writer.releaseLock();
  }
}

/**
 * Writes what a socket receives to a stream that copies it, with its end, at the speed of the stream. The
 * memory of every part is freed when it is copied: the collector would have to run for it.
 */
export function pump(socket: Socket, stream: Writable): void {
  socket.on('data', (chunk: Buffer) => {
    if (!stream.write(chunk, () => free(chunk))) socket.pause();
  });
  stream.on('drain', () => socket.resume());
  socket.once('end', () => stream.end());
}

/**
 * Frees memory that nothing uses any more, unless it is a part of a larger buffer. Node 20 leaves that to
 * the collector.
 */
function free({ buffer, length }: Buffer): void {
  const transfer: unknown = Reflect.get(buffer, 'transfer');
  if (typeof transfer !== 'function' || buffer.byteLength !== length) return;
  Reflect.apply(transfer, buffer, [0]);
}
