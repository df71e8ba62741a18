import { Backoff } from '../lib/backoff.ts';
import { type Clock, sleep } from '../lib/clock.ts';
import { errorChain } from '../lib/errors.ts';
import { describeError, type Logger } from '../lib/logger.ts';
import type { ControllerCache } from './controller-cache.ts';
import { ControllerError, type ControllerErrorCode } from './controller-error.ts';

/** Of reads that a cache refuses only until it has caught up. */
const BEHIND: ReadonlySet<ControllerErrorCode> = new Set([
  'CONTROLLER_CACHE_BEHIND',
  'CONTROLLER_NOT_SYNCED',
  'CONTROLLER_WRITE_UNSETTLED',
]);

const DELAYS = { initialMs: 50, maxMs: 30_000 };

/** What {@link LateChanges} needs. */
export interface LateChangesOptions {
  readonly cache: Pick<ControllerCache, 'settled'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called with errors that no wait mends, and those that persist after the caches have synced. */
  readonly onError: (error: ControllerError) => void;
}

/** A change that is kept. */
interface LateChange {
  readonly handle: () => void;
  /** True if it was kept after the caches had synced: then it is not the first sync that is missing. */
  readonly isRetry: boolean;
}

/**
 * Changes whose mapping or predicate has read a cache that was behind. Such a change must not be lost,
 * because no other event shows it: it is kept, and handled again when the caches have synced and the
 * outcome of own writes is known.
 */
export class LateChanges {
  readonly #options: LateChangesOptions;
  readonly #stop = new AbortController();
  #changes: LateChange[] = [];
  #hasStarted = false;
  #isWorking = false;
  /** Of the change that is being handled, which is synchronous. */
  #isRetry = false;
  #isLate = false;

  constructor(options: LateChangesOptions) {
    this.#options = options;
  }

  /**
   * Calls `handle` with a change, now and until it no longer reports an error of a cache that is behind
   * to {@link LateChanges.report}.
   */
  handle<A, B>(handle: (first: A, second: B) => void, first: A, second: B): void {
    this.#isRetry = false;
    this.#isLate = false;
    handle(first, second);
    if (this.#isLate) this.#keep(() => handle(first, second));
  }

  /** Reports an error of the change that is being handled. */
  readonly report = (error: ControllerError): void => {
    const isBehind = isCausedByBehind(error);
    this.#isLate ||= isBehind;
    if (!isBehind || this.#isRetry) this.#options.onError(error);
  };

  /** Handles what was kept while the caches synced. */
  start(): void {
    this.#hasStarted = true;
    void this.#work();
  }

  /** Drops what is kept. */
  stop(): void {
    this.#stop.abort();
    this.#changes = [];
  }

  #again({ handle, isRetry }: LateChange): void {
    this.#isRetry = isRetry;
    this.#isLate = false;
    handle();
    if (this.#isLate) this.#keep(handle);
  }

  #keep(handle: () => void): void {
    if (this.#stop.signal.aborted) return;
    this.#changes.push({ handle, isRetry: this.#isRetry || this.#hasStarted });
    if (this.#hasStarted) void this.#work();
  }

  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    const { cache, clock, logger } = this.#options;
    const { signal } = this.#stop;
    const backoff = new Backoff({ ...DELAYS, clock });
    while (this.#changes.length > 0 && !signal.aborted) {
      try {
        await cache.settled({ signal });
      } catch (error) {
        logger.debug(`the outcome of writes is not known yet: ${describeError(error)}`, {
          event: 'cache.unsettled',
        });
      }
      const changes = this.#changes;
      this.#changes = [];
      for (const change of changes) this.#again(change);
      if (this.#changes.length === 0) break;
      await sleep(clock, backoff.next(), { signal }).catch(() => undefined);
    }
    this.#isWorking = false;
  }
}

function isCausedByBehind(error: ControllerError): boolean {
  for (const link of errorChain(error)) {
    if (link instanceof ControllerError && BEHIND.has(link.code)) return true;
  }
  return false;
}
