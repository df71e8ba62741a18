import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Bytes for a stream: a whole, or as they come from a Node stream, web stream or generator. */
export type StreamSource = AsyncIterable<Uint8Array | string> | Uint8Array | string;

/** Where the bytes of a stream go: a Node stream or a web stream. It is left open at the end. */
export type StreamSink = Writable | WritableStream<Uint8Array>;

/** Writes a source to a stream, at the speed of the stream, and ends the stream. */
export async function sendAll(source: StreamSource, stream: Writable): Promise<void> {
  if (typeof source === 'string' || source instanceof Uint8Array) stream.end(source);
  else await pipeline(source, stream);
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
