/**
 * Waiting for conditions, polling, retries and upserts.
 *
 * @module
 */

export { Backoff, type BackoffOptions, type Delays } from '../lib/backoff.ts';
export {
  type Clock,
  type ScheduledCall,
  type ScheduleOptions,
  sleep,
  systemClock,
} from '../lib/clock.ts';
export { type Random, seededRandom, systemRandom } from '../lib/random.ts';
export * as conditions from './conditions.ts';
export type { ExistingCondition, Exists, WaitCondition } from './conditions.ts';
export { type Polled, type PollOptions, pollUntil } from './poll.ts';
export type { RetryWatchOptions } from '../rest/options.ts';
export { retryWatch } from '../rest/retry-watch.ts';
export {
  DEFAULT_BACKOFF,
  DEFAULT_RETRY,
  type RetryBackoff,
  retryOnConflict,
  retryOnError,
  type RetryOptions,
} from './retry.ts';
export { TaskGroup, type TaskGroupOptions } from './task-group.ts';
export {
  createOrPatch,
  createOrUpdate,
  ensure,
  type Mutate,
  type Upserted,
  type UpsertOptions,
} from './upsert.ts';
export { WAIT_ERRORS, WaitError, type WaitErrorCode } from './wait-error.ts';
export {
  type UntilOptions,
  untilWithoutRetry,
  waitFor,
  type WaitClient,
  type WaitForOptions,
} from './wait-for.ts';
export {
  backoffUntil,
  jitterUntil,
  type JitterUntilOptions,
  type LoopOptions,
  type LoopWork,
  until,
} from './wait-loop.ts';
