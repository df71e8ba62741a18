import type { Clock, ScheduledCall } from 'client-ts/internal';

/** How long a stream may be silent in both directions, as on a real server. */
export const STREAM_IDLE_MS: number = 4 * 60 * 60_000;

/** Calls back once after a time without {@link touch}. Does not keep the process alive. */
export class IdleTimeout implements Disposable {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #onIdle: () => void;
  #lastMs: number;
  #timer: ScheduledCall;

  constructor(clock: Clock, onIdle: () => void, limitMs: number = STREAM_IDLE_MS) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    this.#onIdle = onIdle;
    this.#lastMs = clock.monotonic();
    this.#timer = this.#schedule(limitMs);
  }

  /** Notes activity. Cheap: it does not touch the timer. */
  touch(): void {
    this.#lastMs = this.#clock.monotonic();
  }

  [Symbol.dispose](): void {
    this.#timer.cancel();
  }

  #schedule(delayMs: number): ScheduledCall {
    return this.#clock.schedule(delayMs, () => this.#check(), { background: true });
  }

  #check(): void {
    const leftMs = this.#lastMs + this.#limitMs - this.#clock.monotonic();
    if (leftMs <= 0) this.#onIdle();
    else this.#timer = this.#schedule(leftMs);
  }
}
