import type { Codec, WatchDecoder } from '../codec/codec.ts';
import { ApiError, errorFromObject, type FailedRequest } from '../meta/api-error.ts';
import { isStatus } from '../meta/status.ts';
import type { KubernetesObject, ObjectMeta, Status, WatchEvent } from '../meta/types.ts';
import { RestError } from './rest-error.ts';
import type { ReadyIterator } from './stream.ts';

/** An object has appeared, changed or gone; the last has the state before it went. */
export interface ObjectEvent<T> {
  readonly type: 'ADDED' | 'DELETED' | 'MODIFIED';
  readonly object: T;
}

/** Nothing happened up to this resourceVersion. The object has nothing else in it. */
export interface BookmarkEvent {
  readonly type: 'BOOKMARK';
  readonly object: KubernetesObject & {
    readonly metadata: ObjectMeta & { readonly resourceVersion: string };
  };
}

/** The server ends the watch and says why. */
export interface ErrorEvent {
  readonly type: 'ERROR';
  readonly object: Status;
}

/** Everything that can come in a watch. */
export type AnyWatchEvent<T> = BookmarkEvent | ErrorEvent | ObjectEvent<T>;

/** How the bytes of a watch become events. */
export interface WatchReading {
  readonly codec: Pick<Codec, 'watchDecoder'>;
  readonly maxFrameBytes?: number;
  /** Hands ERROR events out instead of throwing them. */
  readonly errorEvents: boolean;
  readonly request: FailedRequest;
}

/**
 * The events of one watch. The next bytes are asked for only when every event in the last ones has
 * been taken. Ends with the stream; throws if the stream ends within an event, if a frame is no
 * event, and, unless told otherwise, what the server says in an ERROR event.
 */
export class WatchEvents<T extends object>
  implements AsyncIterableIterator<AnyWatchEvent<T>>, ReadyIterator<AnyWatchEvent<T>>
{
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #decoder: WatchDecoder<T>;
  readonly #reading: WatchReading;
  readonly #over: () => void;
  #isOver = false;
  /** What is wrong with the next event. It is thrown in its turn. */
  #failure: { readonly error: unknown } | undefined;
  /** Readers that did not wait for each other take their turns. */
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** `over` is called once, when the events have ended, in whatever way. */
  constructor(body: AsyncIterable<Uint8Array>, reading: WatchReading, over: () => void) {
    const { codec, maxFrameBytes } = reading;
    this.#chunks = body[Symbol.asyncIterator]();
    this.#decoder = codec.watchDecoder<T>(maxFrameBytes === undefined ? {} : { maxFrameBytes });
    this.#reading = reading;
    this.#over = over;
  }

  ready(): AnyWatchEvent<T> | undefined {
    return this.#waiting === 0 ? this.#take() : undefined;
  }

  next(): Promise<IteratorResult<AnyWatchEvent<T>, undefined>> {
    const isFirst = this.#waiting === 0;
    this.#waiting += 1;
    const turn = isFirst ? this.#advance() : this.#last.then(() => this.#advance());
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async return(): Promise<IteratorResult<AnyWatchEvent<T>, undefined>> {
    this.#end();
    await this.#chunks.return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #advance(): Promise<IteratorResult<AnyWatchEvent<T>, undefined>> {
    try {
      while (!this.#isOver) {
        const event = this.#take();
        if (event !== undefined) return { done: false, value: event };
        if (this.#failure !== undefined) throw this.#failure.error;
        const { done, value } = await this.#chunks.next();
        if (done !== true) this.#decoder.push(value);
        else {
          this.#decoder.end();
          this.#end();
        }
      }
    } catch (error) {
      this.#end();
      // Frees the connection. What else goes wrong with it matters less than what went wrong first.
      await this.#chunks.return?.().catch(() => undefined);
      throw error;
    } finally {
      this.#waiting -= 1;
    }
    return { done: true, value: undefined };
  }

  #take(): AnyWatchEvent<T> | undefined {
    if (this.#isOver || this.#failure !== undefined) return undefined;
    const { request, errorEvents } = this.#reading;
    try {
      const frame = this.#decoder.next();
      if (frame === undefined) return undefined;
      const event = checkEvent(frame, request);
      if (event.type === 'ERROR' && !errorEvents) throw new ApiError(event.object, { request });
      return event;
    } catch (error) {
      this.#failure = { error };
      return undefined;
    }
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#over();
  }
}

function checkEvent<T extends object>(
  event: WatchEvent<T>,
  request: FailedRequest,
): AnyWatchEvent<T> {
  switch (event.type) {
    case 'ADDED':
    case 'BOOKMARK':
    case 'DELETED':
    case 'MODIFIED':
      return event as AnyWatchEvent<T>;
    case 'ERROR':
      if (!isStatus(event.object)) throw errorFromObject(event.object);
      return { type: 'ERROR', object: event.object };
    default:
      throw new RestError('REST_WATCH_EVENT_INVALID', `a watch event has the type ${event.type}`, {
        request,
      });
  }
}
