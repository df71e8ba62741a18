import { type Clock, sleep } from 'client-ts/internal';
import type { Transport, TransportRequest } from 'client-ts/transport';
import { firstHeader } from '../http/exchange.ts';
import { type Answer, type CapturedEvent, parsed } from './answer.ts';
import { frameReader } from './frames.ts';

/**
 * One open watch. It reads from the start and records, for every frame, which exchange was sent
 * last.
 */
export class WatchCapture {
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  readonly #openedAt: number;
  readonly #events: CapturedEvent[] = [];
  readonly #chunks: Uint8Array[] = [];
  #closedBy: Answer['closedBy'];
  #closedAfterMs = 0;
  #changed: () => void = () => undefined;
  #status = 0;
  #headers: Answer['headers'] = {};

  private constructor(clock: Clock) {
    this.#clock = clock;
    this.#openedAt = clock.monotonic();
  }

  /** Sends the request; resolves with the response headers. */
  static async open(
    transport: Transport,
    request: TransportRequest,
    options: { clock: Clock; lastSent: () => string },
  ): Promise<WatchCapture> {
    const capture = new WatchCapture(options.clock);
    // The caller's signal ends the wait for the headers, not the watch.
    const giveUp = (): void => capture.#stop.abort(request.signal?.reason);
    request.signal?.addEventListener('abort', giveUp, { once: true });
    const response = await transport.request({ ...request, signal: capture.#stop.signal });
    request.signal?.removeEventListener('abort', giveUp);
    capture.#status = response.status;
    capture.#headers = response.headers;
    void capture.#read(response.body, options.lastSent);
    return capture;
  }

  async #read(body: AsyncIterable<Uint8Array>, lastSent: () => string): Promise<void> {
    const type = firstHeader(this.#headers, 'content-type') ?? '';
    const frames = frameReader(this.#status, type);
    try {
      for await (const chunk of body) {
        this.#chunks.push(chunk);
        if (this.#status !== 200 && this.#status !== 101) continue;
        for (const frame of frames(chunk)) {
          this.#events.push({ ...frame, after: lastSent() });
        }
        this.#changed();
      }
      this.#closedBy ??= 'server';
    } catch {
      // Our own abort ends the stream with an error, too, but then `close` has already set this.
      this.#closedBy ??= 'broken connection';
    } finally {
      this.#closedAfterMs = this.#clock.monotonic() - this.#openedAt;
      this.#changed();
    }
  }

  /** Resolves when there are `count` frames, the stream has ended, or the time is over. */
  async waitForEvents(count: number, timeoutMs: number): Promise<void> {
    await this.#waitUntil(() => this.#events.length >= count || this.#closed, timeoutMs);
  }

  /** Resolves when the server has ended the stream or the time is over. */
  async waitForEnd(timeoutMs: number): Promise<void> {
    await this.#waitUntil(() => this.#closed, timeoutMs);
  }

  get #closed(): boolean {
    return this.#closedBy !== undefined;
  }

  async #waitUntil(reached: () => boolean, timeoutMs: number): Promise<void> {
    if (reached()) return;
    await new Promise<void>((resolve) => {
      const timer = this.#clock.schedule(timeoutMs, resolve);
      this.#changed = () => {
        if (!reached()) return;
        timer.cancel();
        resolve();
      };
    });
    this.#changed = () => undefined;
  }

  /** Closes the watch, unless the server has, and returns what was received. */
  async close(): Promise<Answer> {
    if (!this.#closed) {
      this.#closedBy = 'client';
      this.#stop.abort();
      // Lets the reader see the abort before its results are taken.
      await sleep(this.#clock, 0);
    }
    const bytes = Buffer.concat(this.#chunks);
    const answer = {
      status: this.#status,
      headers: this.#headers,
      bytes,
      body: parsed(bytes),
      encodedBytes: bytes.length,
    };
    if (this.#status !== 200 && this.#status !== 101) return answer;
    return {
      ...answer,
      body: undefined,
      events: this.#events,
      closedBy: this.#closedBy ?? 'client',
      closedAfterMs: this.#closedAfterMs,
    };
  }
}
