import { Backoff, type Delays } from '../lib/backoff.ts';
import { type Clock, sleep, systemClock } from '../lib/clock.ts';
import { errorChain } from '../lib/errors.ts';
import { requireNumber } from '../lib/option-error.ts';
import type { Random } from '../lib/random.ts';

/** The work of a loop. The signal aborts when it must stop early. */
export type LoopWork = (signal: AbortSignal) => Promise<void> | void;

/** Options of {@link backoffUntil}. */
export interface LoopOptions {
  /** Ends the loop. */
  readonly signal: AbortSignal;
  /**
   * Start the delay when the work has ended (true, the default), or when it started (false), so that
   * work shorter than the delay keeps a fixed period and longer work is repeated immediately.
   */
  readonly sliding?: boolean | undefined;
  readonly clock?: Clock | undefined;
}

/** Options of {@link jitterUntil}. */
export interface JitterUntilOptions extends LoopOptions {
  readonly periodMs: number;
  /** The largest random addition to a period, as a fraction: 0.1 adds up to a tenth. Default 0. */
  readonly jitter?: number | undefined;
  readonly random?: Pick<Random, 'next'> | undefined;
}

/**
 * Runs the work immediately and then periodically, with jitter, until the signal aborts; then it
 * resolves. Runs never overlap. An error of the work ends the loop and is thrown, unless the abort
 * caused it.
 *
 * ```ts
 * await jitterUntil(() => report(), { periodMs: 10_000, jitter: 0.1, signal });
 * ```
 */
export async function jitterUntil(work: LoopWork, options: JitterUntilOptions): Promise<void> {
  const { periodMs, jitter = 0, random, ...loop } = options;
  requireNumber('periodMs', periodMs, 'duration');
  const chance = random === undefined ? {} : { random };
  await backoffUntil(
    work,
    new Backoff({ initialMs: periodMs, factor: 1, jitter, ...chance }),
    loop,
  );
}

/** {@link jitterUntil} without jitter, client-go's `wait.Until`. */
export async function until(
  work: LoopWork,
  options: LoopOptions & { readonly periodMs: number },
): Promise<void> {
  await jitterUntil(work, options);
}

/**
 * {@link jitterUntil} with any delays: pass a {@link Backoff} that the work resets after a success.
 * Also ends when there are no more delays.
 */
export async function backoffUntil(
  work: LoopWork,
  delays: Delays,
  { signal, sliding = true, clock = systemClock }: LoopOptions,
): Promise<void> {
  try {
    while (!signal.aborted) {
      let dueAt = sliding ? undefined : nextDue(delays, clock);
      await work(signal);
      dueAt ??= nextDue(delays, clock);
      if (dueAt === Infinity) return;
      await sleep(clock, dueAt - clock.monotonic(), { signal });
    }
  } catch (error) {
    if (!isConsequence(error, signal)) throw error;
  }
}

/** Returns the end of the next delay; Infinity if there is none. */
function nextDue(delays: Delays, clock: Clock): number {
  return delays.isExhausted === true ? Infinity : clock.monotonic() + delays.next();
}

/** True if an error was caused by the abort and is not a failure of its own. */
export function isConsequence(error: unknown, { aborted, reason }: AbortSignal): boolean {
  return aborted && [...errorChain(error)].includes(reason);
}
