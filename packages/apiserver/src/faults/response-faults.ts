import { once } from 'node:events';

import {
  decodeWatchFrame,
  encodeWatchFrame,
  type Frames,
  JsonFrames,
  LengthDelimitedFrames,
  MEDIA_TYPES,
  mediaTypeEssence,
} from 'client-ts/codec';
import { type Clock, sleep } from 'client-ts/internal';
import { failureStatus, type Status } from 'client-ts/meta';

import { type ApiResponse, ConnectionResetError, isStream, leave } from '../http.ts';
import type { BreakingPoint, Fault } from './fault.ts';

type Stream = AsyncIterable<Uint8Array>;

export interface FaultContext {
  readonly clock: Clock;
  /** The signal of the request. */
  readonly signal: AbortSignal;
}

/** Applies a fault to a response; a fault that does not concern it leaves it unchanged. */
export function applyToResponse(
  response: ApiResponse,
  fault: Fault,
  context: FaultContext,
): ApiResponse {
  const format = eventFormat(contentTypeOf(response));
  switch (fault.kind) {
    case 'reset':
      return cut(response, fault, format, () => {
        throw new ConnectionResetError();
      });
    case 'stall':
      return cut(response, fault, format, () => untilAborted(context.signal));
    case 'drop-events':
      return onStream(response, (stream) => dropEvents(stream, format, fault));
    case 'delay-events':
      return onStream(response, (stream) => delayEvents(stream, format, fault, context));
    case 'end-stream':
      return onStream(response, (stream) => firstEvents(stream, format, fault.afterEvents));
    case 'error-event':
      return onStream(response, async function* (stream) {
        yield* firstEvents(stream, format, fault.afterEvents);
        yield format.encode('ERROR', statusFor(fault));
      });
    case 'latency':
    case 'status':
      return response;
  }
}

/** Returns the Status of a fault, with the usual reason and message of its code as defaults. */
export function statusFor(fault: {
  readonly code: number;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
}): Status {
  const { code, retryAfterSeconds } = fault;
  const known = KNOWN_FAILURES[code];
  return failureStatus({
    code,
    reason: fault.reason ?? known?.reason ?? '',
    message: fault.message ?? known?.message ?? `injected fault: ${code}`,
    ...(retryAfterSeconds !== undefined && { details: { retryAfterSeconds } }),
  });
}

const KNOWN_FAILURES: Readonly<Record<number, { reason: string; message: string }>> = {
  401: { reason: 'Unauthorized', message: 'Unauthorized' },
  403: { reason: 'Forbidden', message: 'forbidden by an injected fault' },
  409: {
    reason: 'Conflict',
    message:
      'the object has been modified; please apply your changes to the latest version and try again',
  },
  410: { reason: 'Expired', message: 'The resourceVersion for the provided watch is too old.' },
  429: { reason: 'TooManyRequests', message: 'Too many requests, please try again later.' },
  500: { reason: 'InternalError', message: 'Internal error occurred: injected fault' },
  503: {
    reason: 'ServiceUnavailable',
    message: 'the server is currently unable to handle the request',
  },
  504: {
    reason: 'Timeout',
    message: 'Timeout: request did not complete within the allotted timeout',
  },
};

/** Waits until the client disconnects or the server stops. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** Returns the response up to the breaking point, followed by `breakOff`. */
function cut(
  response: ApiResponse,
  point: BreakingPoint,
  format: EventFormat,
  breakOff: () => Promise<void>,
): ApiResponse {
  if ('at' in point && point.at !== 'after-headers') return response;
  const body = changed(streamOf(response.body), async function* (stream) {
    yield* startOf(stream, point, format);
    await breakOff();
  });
  return { ...response, headers: withLength(response), body };
}

function startOf(body: Stream, point: BreakingPoint, format: EventFormat): Stream {
  if ('afterBytes' in point) return firstBytes(body, point.afterBytes);
  if ('afterEvents' in point) return firstEvents(body, format, point.afterEvents);
  // Writing the empty chunk sends the headers.
  return firstBytes(body, 0);
}

async function* firstBytes(body: Stream, count: number): AsyncGenerator<Uint8Array> {
  let rest = count;
  if (rest === 0) {
    yield new Uint8Array();
    return;
  }
  for await (const chunk of body) {
    yield chunk.subarray(0, rest);
    rest -= chunk.length;
    if (rest <= 0) return;
  }
}

async function* firstEvents(
  body: Stream,
  format: EventFormat,
  count: number,
): AsyncGenerator<Uint8Array> {
  let rest = count;
  if (rest === 0) {
    yield new Uint8Array();
    return;
  }
  for await (const frame of framesOf(body, format)) {
    yield format.wrap(frame);
    rest -= 1;
    if (rest === 0) return;
  }
}

async function* dropEvents(
  stream: Stream,
  format: EventFormat,
  {
    types,
    first = Infinity,
  }: { readonly types?: readonly string[] | undefined; readonly first?: number | undefined },
): AsyncGenerator<Uint8Array> {
  let dropped = 0;
  for await (const frame of framesOf(stream, format)) {
    const concerned = types === undefined || types.includes(format.typeOf(frame));
    if (concerned && dropped < first) dropped += 1;
    else yield format.wrap(frame);
  }
}

async function* delayEvents(
  stream: Stream,
  format: EventFormat,
  { types, ms }: { readonly types?: readonly string[] | undefined; readonly ms: number },
  { clock, signal }: FaultContext,
): AsyncGenerator<Uint8Array> {
  for await (const frame of framesOf(stream, format)) {
    const concerned = types === undefined || types.includes(format.typeOf(frame));
    if (concerned) await sleep(clock, ms, { signal });
    yield format.wrap(frame);
  }
}

function onStream(response: ApiResponse, change: (stream: Stream) => Stream): ApiResponse {
  const { body } = response;
  return isStream(body) ? { ...response, body: changed(body, change) } : response;
}

/**
 * Returns a changed stream that releases its source when it is over. The change itself releases only
 * a source that it has begun to read.
 */
function changed(body: Stream, change: (stream: Stream) => Stream): Stream {
  const source = body[Symbol.asyncIterator]();
  const chunks = (async function* (): AsyncGenerator<Uint8Array, undefined> {
    try {
      yield* change({ [Symbol.asyncIterator]: () => source });
    } finally {
      leave(source);
    }
  })();
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => chunks.next(),
      return: () => {
        leave(source);
        return chunks.return(undefined);
      },
    }),
  };
}

function streamOf(body: ApiResponse['body']): Stream {
  return isStream(body) ? body : only(body);
}

async function* only(chunk: Uint8Array | undefined): AsyncGenerator<Uint8Array> {
  if (chunk !== undefined) yield chunk;
}

/** Announces the whole length, so that the client notices the missing part. */
function withLength({ headers, body }: ApiResponse): ApiResponse['headers'] {
  return isStream(body) ? headers : { ...headers, 'content-length': String(body?.length ?? 0) };
}

function contentTypeOf({ headers }: ApiResponse): string {
  const value = headers['content-type'] ?? '';
  return typeof value === 'string' ? value : (value[0] ?? '');
}

/** The wire format of a watch's events. */
export interface EventFormat {
  frames(): Frames;
  /** Returns the bytes of one event on the wire, from its frame. */
  wrap(frame: Uint8Array): Uint8Array;
  typeOf(frame: Uint8Array): string;
  encode(type: string, object: object): Uint8Array;
}

const NEWLINE = Buffer.from('\n');

const json: EventFormat = {
  frames: () => new JsonFrames(),
  wrap: (frame) => Buffer.concat([frame, NEWLINE]),
  typeOf: (frame) => (JSON.parse(Buffer.from(frame).toString()) as { type: string }).type,
  encode: (type, object) => Buffer.from(`${JSON.stringify({ type, object })}\n`),
};

const protobuf: EventFormat = {
  frames: () => new LengthDelimitedFrames(),
  wrap: (frame) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(frame.length);
    return Buffer.concat([length, frame]);
  },
  typeOf: (frame) => decodeWatchFrame(frame).type,
  encode: (type, object) => encodeWatchFrame({ type, object }),
};

/** Returns the format of a watch by its content type. */
function eventFormat(contentType: string): EventFormat {
  return mediaTypeEssence(contentType) === MEDIA_TYPES.protobuf ? protobuf : json;
}

/** Splits a stream into frames, independent of its chunks. */
async function* framesOf(
  source: AsyncIterable<Uint8Array>,
  format: EventFormat,
): AsyncGenerator<Uint8Array> {
  const frames = format.frames();
  for await (const chunk of source) {
    frames.push(chunk);
    for (let frame = frames.next(); frame !== undefined; frame = frames.next()) yield frame;
  }
}
