import type { Clock, ScheduledCall } from '../lib/clock.ts';

/** How a {@link ResyncTimer} is made. */
export interface ResyncTimerOptions {
  readonly clock: Pick<Clock, 'schedule'>;
  /** 0 or less never resyncs. */
  readonly periodMs: number;
  readonly resync: () => void;
  /** Called when `resync` throws. */
  readonly onWatchError: () => void;
}

/**
 * Resyncs again and again, each a period after the last has ended, until one fails. It does not keep
 * a process alive: a program that waits for nothing else is at its end.
 */
export class ResyncTimer {
  readonly #options: ResyncTimerOptions;
  #timer: ScheduledCall | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(options: ResyncTimerOptions) {
    this.#options = options;
  }

  /** What the last resync threw, since the last {@link ResyncTimer.stop}. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  /** Does nothing if it runs already or has failed. */
  start(): void {
    if (this.#options.periodMs <= 0 || this.#timer !== undefined) return;
    this.#timer = this.#schedule();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#failure = undefined;
  }

  #schedule(): ScheduledCall {
    const { clock, periodMs, resync, onWatchError } = this.#options;
    return clock.schedule(
      periodMs,
      () => {
        try {
          resync();
          this.#timer = this.#schedule();
        } catch (error) {
          this.#failure = { error };
          onWatchError();
        }
      },
      { background: true },
    );
  }
}
