import { JsonFrames } from 'client-ts/codec';
import {
  abortable,
  ClientError,
  type ClientErrorOptions,
  defineErrors,
  systemClock,
  withDeadline,
} from 'client-ts/internal';
import type { Transport, TransportHeaders } from 'client-ts/transport';
import type { ApiObject } from './exchange.ts';

export interface WatchedEvent {
  readonly type: string;
  readonly object: ApiObject;
}

/** A watch did not deliver the expected events. */
class WatchError extends ClientError {
  constructor(message: string, options?: ClientErrorOptions) {
    super('CONFORMANCE_WATCH', message, options);
  }

  static {
    defineErrors(this, 'WatchError', 'CONFORMANCE', { CONFORMANCE_WATCH: { retry: 'never' } });
  }
}

/** Long enough for an event to arrive on any machine. */
const TIMEOUT_MS = 10_000;

/** One open watch with JSON events. Disposing it closes the connection. */
export class WatchStream implements AsyncDisposable {
  readonly status: number;
  readonly headers: TransportHeaders;
  readonly #path: string;
  readonly #body: AsyncIterator<Uint8Array>;
  readonly #stop: AbortController;
  readonly #frames = new JsonFrames();

  private constructor(parts: {
    path: string;
    status: number;
    headers: TransportHeaders;
    body: AsyncIterable<Uint8Array>;
    stop: AbortController;
  }) {
    this.status = parts.status;
    this.headers = parts.headers;
    this.#path = parts.path;
    this.#body = parts.body[Symbol.asyncIterator]();
    this.#stop = parts.stop;
  }

  static async open(
    transport: Transport,
    path: string,
    headers: TransportHeaders,
  ): Promise<WatchStream> {
    const stop = new AbortController();
    const request = { method: 'GET', path, headers, signal: stop.signal };
    const response = await transport.request(request);
    return new WatchStream({ ...response, path, stop });
  }

  /** Returns the next event, or undefined when the server has ended the stream. */
  async next(): Promise<WatchedEvent | undefined> {
    for (;;) {
      const frame = this.#frames.next();
      if (frame !== undefined) {
        return JSON.parse(Buffer.from(frame).toString('utf8')) as WatchedEvent;
      }
      const chunk = await this.#withTimeout(this.#body.next());
      if (chunk.done === true) {
        this.#frames.end();
        return undefined;
      }
      this.#frames.push(chunk.value);
    }
  }

  /** Returns the next `count` events; fails if the stream ends first. */
  async take(count: number): Promise<WatchedEvent[]> {
    const events: WatchedEvent[] = [];
    while (events.length < count) {
      const event = await this.next();
      if (event === undefined) {
        throw new WatchError(`${this.#path} ended after ${events.length} of ${count} events`);
      }
      events.push(event);
    }
    return events;
  }

  /** Returns all events until the server ends the stream. */
  async rest(): Promise<WatchedEvent[]> {
    const events: WatchedEvent[] = [];
    for (let event = await this.next(); event !== undefined; event = await this.next()) {
      events.push(event);
    }
    return events;
  }

  async #withTimeout<T>(work: Promise<T>): Promise<T> {
    using limited = withDeadline(undefined, {
      clock: systemClock,
      timeoutMs: TIMEOUT_MS,
      background: false,
      reason: () => new WatchError(`${this.#path} was silent for ${TIMEOUT_MS / 1000} s`),
    });
    return await abortable(work, limited.signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
  }
}
