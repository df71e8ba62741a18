/**
 * The only door to time. Everything outside `lib/` and `clientcmd/` takes a `Clock`, so that a test
 * can move time by hand and a simulation can run hours in milliseconds.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Milliseconds on a scale that never jumps backwards; only differences mean anything. */
  monotonic(): number;
  /** Calls `callback` once after `delayMs`; the returned handle cancels it. */
  schedule(delayMs: number, callback: () => void, options?: ScheduleOptions): ScheduledCall;
}

/** How a scheduled call stands to the life of the process. */
export interface ScheduleOptions {
  /**
   * True for housekeeping that nobody waits for: a process with nothing else to do exits without
   * it. Default false.
   */
  readonly background?: boolean | undefined;
}

/** A pending call made by {@link Clock.schedule}. Disposing or cancelling twice is harmless. */
export interface ScheduledCall extends Disposable {
  cancel(): void;
}

/** Timers longer than this overflow `setTimeout` and would fire at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

class TimerCall implements ScheduledCall {
  #timer: NodeJS.Timeout | undefined;

  constructor(delayMs: number, callback: () => void, { background = false }: ScheduleOptions) {
    const deadline = performance.now() + delayMs;
    const arm = (remainingMs: number): void => {
      this.#timer = setTimeout(
        () => {
          const left = deadline - performance.now();
          if (remainingMs > LONGEST_TIMEOUT_MS && left > 0) arm(left);
          else callback();
        },
        Math.min(Math.max(0, remainingMs), LONGEST_TIMEOUT_MS),
      );
      if (background) this.#timer.unref();
    };
    arm(delayMs);
  }

  cancel(): void {
    clearTimeout(this.#timer);
  }

  [Symbol.dispose](): void {
    this.cancel();
  }
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  schedule: (delayMs, callback, options = {}) => new TimerCall(delayMs, callback, options),
};

/**
 * Resolves after `delayMs`, or rejects with the signal's reason as soon as it aborts. No timer is
 * left behind in either case.
 */
export function sleep(
  clock: Clock,
  delayMs: number,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason as Error);
      return;
    }
    const onAbort = (): void => {
      call.cancel();
      reject(signal?.reason as Error);
    };
    const call = clock.schedule(delayMs, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
