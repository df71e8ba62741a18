/**
 * The source of time. Everything outside `lib/` and `clientcmd/` takes a `Clock`, so that tests and
 * simulations control time.
 */
export interface Clock {
  /** Returns milliseconds since the Unix epoch. */
  now(): number;
  /** Returns milliseconds of a monotonic clock; only differences are meaningful. */
  monotonic(): number;
  /** Calls `callback` once after `delayMs`; the returned handle cancels it. */
  schedule(delayMs: number, callback: () => void, options?: ScheduleOptions): ScheduledCall;
}

/** Options of a scheduled call. */
export interface ScheduleOptions {
  /** True if the timer does not keep the process alive. Default false. */
  readonly background?: boolean | undefined;
}

/** A pending call made by {@link Clock.schedule}. Disposing or cancelling twice is harmless. */
export interface ScheduledCall extends Disposable {
  cancel(): void;
}

/** Longer timers overflow `setTimeout` and would fire immediately. */
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

/** The system clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  schedule: (delayMs, callback, options = {}) => new TimerCall(delayMs, callback, options),
};

/**
 * Resolves after `delayMs`, or rejects with the reason of the signal when it aborts. The timer is
 * cleared in both cases.
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
