import type { Clock, ScheduledCall } from '../lib/clock.ts';
import { onAbort } from '../lib/signal.ts';

/** Each step of a stop has at least this long, even if earlier ones have used up the budget. */
const LEAST_MS = 1000;

/** The time that everything has to end after a stop, and what did not. */
export class StopBudget implements Disposable {
  /** What did not end in time. */
  readonly late: string[] = [];
  readonly #clock: Clock;
  readonly #totalMs: number;
  readonly #tie: Disposable;
  #endsAt: number | undefined;

  /** The time starts when `stop` aborts, or with {@link begin}. */
  constructor(stop: AbortSignal, totalMs: number, clock: Clock) {
    this.#clock = clock;
    this.#totalMs = totalMs;
    this.#tie = onAbort(stop, () => this.begin());
  }

  /** Starts the time, unless it has started. */
  begin(): void {
    this.#endsAt ??= this.#clock.monotonic() + this.#totalMs;
  }

  /** The time that is left for the next step. */
  get leftMs(): number {
    const endsAt = this.#endsAt ?? this.#clock.monotonic() + this.#totalMs;
    return Math.max(endsAt - this.#clock.monotonic(), LEAST_MS);
  }

  /**
   * Waits for a step. If it has not ended when the time is up, and `moreMs` later, notes the names and
   * resolves; the step continues, and its later failure is ignored.
   */
  async wait(
    stop: AbortSignal,
    step: Promise<void>,
    names: () => readonly string[],
    moreMs = 0,
  ): Promise<void> {
    let timer: ScheduledCall | undefined;
    let tie: Disposable | undefined;
    const overdue = new Promise<void>((resolve) => {
      tie = onAbort(stop, () => {
        timer = this.#clock.schedule(this.leftMs + moreMs, () => {
          this.late.push(...names());
          resolve();
        });
      });
    });
    try {
      await Promise.race([step, overdue]);
    } finally {
      tie?.[Symbol.dispose]();
      timer?.cancel();
    }
  }

  [Symbol.dispose](): void {
    this.#tie[Symbol.dispose]();
  }
}
