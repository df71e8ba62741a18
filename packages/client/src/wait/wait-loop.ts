import { Backoff, type Delays } from '../lib/backoff.ts';
import { type Clock, sleep, systemClock } from '../lib/clock.ts';
import { errorChain } from '../lib/errors.ts';
import type { Random } from '../lib/random.ts';

/** What a loop does each time. It is told when to stop early. */
export type LoopWork = (signal: AbortSignal) => Promise<void> | void;

/** How {@link backoffUntil} goes on. */
export interface LoopOptions {
  /** Ends the loop. */
  readonly signal: AbortSignal;
  /**
   * True, the default: a delay begins when the work has ended. False: when it began, so that work
   * shorter than the delay keeps the rhythm; longer work is followed by the next at once.
   */
  readonly sliding?: boolean | undefined;
  readonly clock?: Clock | undefined;
}

/** How {@link jitterUntil} goes on. */
export interface JitterUntilOptions extends LoopOptions {
  readonly periodMs: number;
  /** How much chance may add to each period, as a part of it: 0.1 gives up to a tenth. Default 0. */
  readonly jitter?: number | undefined;
  readonly random?: Pick<Random, 'next'> | undefined;
}

/**
 * Does some work now and then again and again, with a period in between, until the signal aborts;
 * then it resolves. Work is never done twice at the same time. What it throws ends the loop and is
 * thrown, unless it comes of the abort.
 *
 * ```ts
 * await jitterUntil(() => report(), { periodMs: 10_000, jitter: 0.1, signal });
 * ```
 */
export async function jitterUntil(work: LoopWork, options: JitterUntilOptions): Promise<void> {
  const { periodMs, jitter = 0, random, ...loop } = options;
  const chance = random === undefined ? {} : { random };
  await backoffUntil(
    work,
    new Backoff({ initialMs: periodMs, factor: 1, jitter, ...chance }),
    loop,
  );
}

/** {@link jitterUntil} without chance: the same period each time. */
export async function until(
  work: LoopWork,
  options: LoopOptions & { readonly periodMs: number },
): Promise<void> {
  await jitterUntil(work, options);
}

/**
 * {@link jitterUntil} with delays of any kind: give it a {@link Backoff} that the work resets when
 * things go well, and they grow while they do not. It ends, too, when there are no more delays.
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

/** When the next delay is over; never, if there is none. */
function nextDue(delays: Delays, clock: Clock): number {
  return delays.isExhausted === true ? Infinity : clock.monotonic() + delays.next();
}

/** Whether an error is what an abort leads to, and not a failure of its own. */
export function isConsequence(error: unknown, { aborted, reason }: AbortSignal): boolean {
  return aborted && [...errorChain(error)].includes(reason);
}
