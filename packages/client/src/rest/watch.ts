import { type Codec, codecFor, type WatchDecoder } from '../codec/codec.ts';
import type { ReadOnlyCodec, ReadOnlyCodecs } from '../codec/lazy/read-only-codec.ts';
import { MEDIA_TYPES } from '../codec/media-types.ts';
import type { Deadline } from '../lib/deadline.ts';
import { ApiError, errorFromObject, type FailedRequest } from '../meta/api-error.ts';
import { isStatus } from '../meta/status.ts';
import type { KubernetesObject, ObjectMeta, Status, WatchEvent } from '../meta/types.ts';
import type { IsEnough } from '../transport/connections/response-body.ts';
import { describeRequest, type Engine, open, type RequestSpec, withRequest } from './engine.ts';
import { contentTypeOf, unreadableAnswer } from './failure.ts';
import { RestError } from './rest-error.ts';
import { type ReadyIterator, Stream } from './stream.ts';

/** An object was created, changed or deleted. DELETED carries the last state. */
export interface ObjectEvent<T> {
  readonly type: 'ADDED' | 'DELETED' | 'MODIFIED';
  readonly object: T;
}

/** Every change up to this resourceVersion has been sent. The object has no other fields. */
export interface BookmarkEvent {
  readonly type: 'BOOKMARK';
  readonly object: KubernetesObject & {
    readonly metadata: ObjectMeta & { readonly resourceVersion: string };
  };
}

/** The server ends the watch, with a reason. */
export interface ErrorEvent {
  readonly type: 'ERROR';
  readonly object: Status;
}

/** Every event that a watch can send. */
export type AnyWatchEvent<T> = BookmarkEvent | ErrorEvent | ObjectEvent<T>;

/** Every selected object, at one version. It replaces what was known before. */
export interface InitEvent<T> {
  readonly type: 'init';
  readonly objects: readonly T[];
  readonly resourceVersion: string;
}

/** An object was created or changed. */
export interface AppliedEvent<T> {
  readonly type: 'applied';
  readonly object: T;
}

/** An object was deleted, or is no longer selected. It has the last state. */
export interface DeletedEvent<T> {
  readonly type: 'deleted';
  readonly object: T;
}

/** The events of `watchAll`. */
export type WatchAllEvent<T> = AppliedEvent<T> | DeletedEvent<T> | InitEvent<T>;

/** How a watch is read. */
export interface WatchStreamOptions {
  readonly signal?: AbortSignal | undefined;
  /** Return ERROR events instead of throwing them as errors. Default false. */
  readonly errorEvents?: boolean | undefined;
  /**
   * Return read-only objects that keep their bytes and decode fields when they are read: cheap to
   * keep in a cache. See `ReadOnlyCodec`. `ListWatch` makes the forms in which only some fields are
   * kept. Default false.
   */
  readonly readOnly?: ReadOnlyCodecs | boolean | undefined;
  /** A larger event ends the watch with `CODEC_FRAME_TOO_LARGE`. Default 16 MiB. */
  readonly maxFrameBytes?: number | undefined;
}

/** A watch that is still open this long after its `timeoutSeconds` counts as dead. */
const GRACE_MS = 30_000;

/**
 * Opens a watch. The next bytes are read when every event of the last chunk has been taken.
 *
 * A watch that outlives the `timeoutSeconds` it was requested with ends with `REST_WATCH_OVERDUE`: a
 * half-dead connection looks exactly like a quiet watch, on HTTP/1.1 for hours.
 */
export function watchStream<T extends object>(
  engine: Engine,
  spec: RequestSpec,
  { signal, errorEvents = false, readOnly = false, maxFrameBytes }: WatchStreamOptions,
): Stream<AnyWatchEvent<T>> {
  const request = describeRequest(engine, spec);
  const openWatch = async (streamSignal: AbortSignal): Promise<WatchEvents<T>> => {
    const { headers, body, status } = await open(engine, spec, streamSignal);
    const contentType = contentTypeOf(headers);
    const codec = await codecOf(contentType ?? MEDIA_TYPES.json, readOnly, (error) =>
      unreadableAnswer(error, { request, status, contentType }),
    );
    const decoder = codec.watchDecoder<T>(maxFrameBytes === undefined ? {} : { maxFrameBytes });
    return new WatchEvents(body, decoder, { errorEvents, request });
  };
  return new Stream<AnyWatchEvent<T>>(openWatch, {
    signal,
    deadline: overdue(engine, spec),
    translateError: (error) => withRequest(engine, spec, error),
  });
}

async function codecOf(
  contentType: string,
  readOnly: ReadOnlyCodecs | boolean,
  explained: (error: unknown) => unknown,
): Promise<Codec | ReadOnlyCodec> {
  try {
    if (readOnly === false) return codecFor(contentType);
    if (readOnly !== true) return readOnly.codecFor(contentType);
    // Loaded on demand: programs without informers, which bring it along, do not need it.
    const { readOnlyCodecFor } = await import('../codec/lazy/read-only-codec.ts');
    return readOnlyCodecFor(contentType);
  } catch (error) {
    throw explained(error);
  }
}

function overdue(engine: Engine, spec: RequestSpec): Deadline | undefined {
  const asked = spec.parameters.find(([name]) => name === 'timeoutSeconds')?.[1];
  if (asked === undefined) return undefined;
  return {
    clock: engine.clock,
    timeoutMs: Number(asked) * 1000 + GRACE_MS,
    reason: () =>
      new RestError(
        'REST_WATCH_OVERDUE',
        `a watch for ${asked} s has not ended ${GRACE_MS / 1000} s later`,
        { request: describeRequest(engine, spec) },
      ),
  };
}

interface WatchReading {
  readonly errorEvents: boolean;
  readonly request: FailedRequest;
}

/**
 * Turns the chunks of a body into events. Throws if the body ends within an event, for a frame that
 * is not an event, and, without `errorEvents`, for ERROR events.
 */
class WatchEvents<T extends object> implements ReadyIterator<AnyWatchEvent<T>> {
  readonly #chunks: ReadyIterator<Uint8Array>;
  readonly #decoder: WatchDecoder<T>;
  readonly #reading: WatchReading;
  /** Servers send an event in several pieces; until it is whole, there is nothing to decode. */
  readonly #isEnough: IsEnough = (bytes, start, end) => this.#decoder.isEnough(bytes, start, end);
  /** True if a chunk was pushed that has not been returned. */
  #hasChunk = false;

  constructor(body: AsyncIterable<Uint8Array>, decoder: WatchDecoder<T>, reading: WatchReading) {
    this.#chunks = body[Symbol.asyncIterator]();
    this.#decoder = decoder;
    this.#reading = reading;
  }

  ready(): AnyWatchEvent<T> | undefined {
    for (;;) {
      const frame = this.#decoder.next();
      if (frame !== undefined) return checkEvent(frame, this.#reading);
      this.#returnChunks();
      const chunk = this.#chunks.ready?.();
      if (chunk === undefined) return undefined;
      this.#push(chunk);
    }
  }

  #push(chunk: Uint8Array): void {
    this.#hasChunk = true;
    this.#decoder.push(chunk);
  }

  /**
   * All events of a chunk are decoded, and none of them keeps a part of it. If its memory were not used again, V8 would
   * collect everything after every 64 MB of events.
   */
  #returnChunks(): void {
    if (!this.#hasChunk || this.#chunks.reuse === undefined) return;
    this.#hasChunk = false;
    this.#decoder.keepRest();
    this.#chunks.reuse();
  }

  arrival(): Promise<void> | undefined {
    return this.#chunks.arrival?.(this.#isEnough);
  }

  async next(): Promise<IteratorResult<AnyWatchEvent<T>, undefined>> {
    for (;;) {
      const event = this.ready();
      if (event !== undefined) return { done: false, value: event };
      const { done, value } = await this.#chunks.next();
      if (done === true) {
        this.#decoder.end();
        return { done: true, value: undefined };
      }
      this.#push(value);
    }
  }

  async return(): Promise<IteratorResult<AnyWatchEvent<T>, undefined>> {
    await this.#chunks.return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

function checkEvent<T extends object>(
  event: WatchEvent<T>,
  { errorEvents, request }: WatchReading,
): AnyWatchEvent<T> {
  switch (event.type) {
    case 'ADDED':
    case 'BOOKMARK':
    case 'DELETED':
    case 'MODIFIED':
      return event as AnyWatchEvent<T>;
    case 'ERROR':
      if (!isStatus(event.object)) throw errorFromObject(event.object);
      if (!errorEvents) throw new ApiError(event.object, { request });
      return { type: 'ERROR', object: event.object };
    default:
      throw new RestError('REST_WATCH_EVENT_INVALID', `a watch event has the type ${event.type}`, {
        request,
      });
  }
}
