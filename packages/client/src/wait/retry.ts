import { Backoff } from '../lib/backoff.ts';
import { type Clock, sleep, systemClock } from '../lib/clock.ts';
import { requireNumber } from '../lib/option-error.ts';
import { type Random, systemRandom } from '../lib/random.ts';
import { isConflict } from '../meta/error-guards.ts';

/** The attempts of {@link retryOnError} and the delays between them. */
export interface RetryBackoff {
  /** The number of attempts, the first one included. */
  readonly steps: number;
  readonly initialMs: number;
  /** The ratio of a delay to the one before. */
  readonly factor: number;
  /** The largest random addition to a delay, as a fraction. */
  readonly jitter: number;
}

/** For conflicts between clients that change the same object: five attempts, 10 ms apart. */
export const DEFAULT_RETRY: RetryBackoff = { steps: 5, initialMs: 10, factor: 1, jitter: 0.1 };

/** For objects that controllers change all the time: four attempts, 10, 50 and 250 ms apart. */
export const DEFAULT_BACKOFF: RetryBackoff = { steps: 4, initialMs: 10, factor: 5, jitter: 0.1 };

/** Options of {@link retryOnError}. */
export interface RetryOptions {
  /** Default {@link DEFAULT_RETRY}. */
  readonly backoff?: RetryBackoff | undefined;
  /** Ends the retries. Work that is running is interrupted only if it uses the signal too. */
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

/**
 * Runs `work` again while it fails with an error for which `retriable` returns true. After the last
 * attempt its error is thrown.
 */
export async function retryOnError<T>(
  retriable: (error: unknown) => boolean,
  work: () => Promise<T> | T,
  options: RetryOptions = {},
): Promise<T> {
  const { backoff = DEFAULT_RETRY, clock = systemClock, random = systemRandom, signal } = options;
  const { steps, ...delays } = backoff;
  requireNumber('steps', steps, 'count');
  const waits = new Backoff({ ...delays, maxMs: Infinity, clock, random });
  for (let step = 1; ; step += 1) {
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (step >= steps || !retriable(error)) throw error;
    }
    await sleep(clock, waits.next(), { signal });
  }
}

/**
 * Runs `work` again while it fails with a conflict, and returns its result. The work must read the
 * object again each time, change it and write it.
 *
 * ```ts
 * await retryOnConflict(async () => {
 *   const map = await configMaps.get('settings');
 *   return await configMaps.update({ ...map, data: { ...map.data, mode: 'fast' } });
 * });
 * ```
 */
export async function retryOnConflict<T>(
  work: () => Promise<T> | T,
  options: RetryOptions = {},
): Promise<T> {
  return await retryOnError(isConflict, work, options);
}
