import { CallTracker } from '../lib/call-tracker.ts';
import { guardCallback } from '../lib/callback.ts';
import { type Clock, sleep, systemClock } from '../lib/clock.ts';
import { withDeadline } from '../lib/deadline.ts';
import { ClientError } from '../lib/errors.ts';
import { describeError, type LoggerOption, loggerOf, TroubleReporter } from '../lib/logger.ts';
import { type Random, systemRandom } from '../lib/random.ts';
import { anySignal, onAbort } from '../lib/signal.ts';
import { isAlreadyExists, isConflict } from '../meta/error-guards.ts';
import { retryOnConflict } from '../wait/retry.ts';
import { electionSteps, type ElectionStep } from './diagnostics.ts';
import {
  type Attempt,
  Election,
  type ElectionTiming,
  electionTiming,
  JITTER_FACTOR,
} from './election.ts';
import { LeaderElectionError } from './leader-election-error.ts';
import type { ResourceLock } from './lease-lock.ts';
import { longestSince, Term } from './term.ts';

/** Callbacks of an elector. An error in one does not end the election, except as noted. */
export interface LeaderCallbacks {
  /**
   * Called when this process becomes leader. The signal aborts when it must stop: because leadership
   * was lost (with a `LEADERELECTION_LOST` error) or because the run is stopped. If it returns a
   * promise, the lease is renewed until that settles. If it throws, leadership ends and `run` rejects
   * with the error.
   */
  readonly onStartedLeading?: ((signal: AbortSignal) => Promise<void> | void) | undefined;
  /** Called once at the end of each run, even if this process never led, as in client-go. */
  readonly onStoppedLeading?: (() => void) | undefined;
  /** Called with each new leader, including this process; empty if the leader released the lock. */
  readonly onNewLeader?: ((identity: string) => void) | undefined;
}

/** Options of {@link LeaderElector}. */
export interface LeaderElectionConfig extends LoggerOption {
  readonly lock: ResourceLock;
  /**
   * The time without a change of the record after which other candidates take over. Stored in whole
   * seconds, rounded up. Default 15,000.
   */
  readonly leaseDurationMs?: number | undefined;
  /**
   * The time after which a leader that cannot renew stops leading, counted from when the last
   * successful renewal was sent. Default 10,000.
   */
  readonly renewDeadlineMs?: number | undefined;
  /** The time between two attempts, of the leader and of candidates. Default 2,000. */
  readonly retryPeriodMs?: number | undefined;
  readonly callbacks?: LeaderCallbacks | undefined;
  /**
   * Releases the lock when a run is stopped, so that the next leader need not wait until it expires.
   * Set it only if all of the leader's work has ended when the promise of `onStartedLeading` settles:
   * anything left running would run beside the next leader. Default false.
   */
  readonly releaseOnCancel?: boolean | undefined;
  /**
   * Called with failed attempts and with errors of callbacks. Errors it throws are logged. Default:
   * logs a warning when attempts start to fail and another one when they succeed again.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
  /**
   * Called when a renewal could not update the record it wrote last, and reads it first: another
   * process has changed it, or a request failed.
   */
  readonly onSlowPath?: (() => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

/** Options of {@link LeaderElector.run} and {@link LeaderElector.lead}. */
export interface ElectionRunOptions {
  /** Stops waiting for leadership, or stops the work and then the leadership. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The end of a run. `finished`: the work is done. `stopped`: the signal aborted before or while
 * leading. `lost`: the lease could not be renewed in time, or another candidate holds it.
 */
export type LeadershipOutcome<T> =
  | { readonly outcome: 'finished'; readonly value: T }
  | { readonly outcome: 'lost'; readonly reason: LeaderElectionError }
  | { readonly outcome: 'stopped' };

type WorkResult<T> =
  | { readonly settled: 'failed'; readonly error: unknown }
  | { readonly settled: 'returned'; readonly value: T };

/**
 * Elects one of several processes as leader. Guarantees, for clocks that run at about the same rate:
 *
 * - {@link LeaderElector.isLeader} is never true in two electors of one lock at the same time.
 * - When leadership is lost, the signal of the work aborts before another process can lead; if this
 *   process was paused meanwhile, before `isLeader` is read for the first time after the pause.
 * - When a run is stopped, leadership is kept until the work has returned.
 *
 * Requests that the work has already sent cannot be recalled: see the guide on leader election for
 * fencing.
 */
export class LeaderElector implements AsyncDisposable {
  readonly #config: LeaderElectionConfig;
  readonly #timing: ElectionTiming;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #election: Election;
  readonly #lockName: string;
  readonly #trouble: TroubleReporter;
  readonly #onError: (error: unknown) => void;
  readonly #closing = new AbortController();
  #running: Promise<unknown> | undefined;
  /** Tracks the work of the current run. */
  #calls: CallTracker<'work'> | undefined;
  /** Kept after its end until its work has settled. */
  #term: Term | undefined;
  #reportedLeader: string | undefined;

  constructor(config: LeaderElectionConfig) {
    this.#config = config;
    this.#timing = electionTiming(config);
    if (config.lock.identity === '') {
      throw new LeaderElectionError(
        'LEADERELECTION_CONFIG_INVALID',
        'lock.identity must not be empty',
      );
    }
    this.#clock = config.clock ?? systemClock;
    this.#random = config.random ?? systemRandom;
    this.#election = new Election(config.lock, this.#timing, this.#clock);
    const logger = loggerOf(config.logger);
    this.#lockName = config.lock.describe();
    this.#trouble = new TroubleReporter(logger, {
      start: 'election.failing',
      end: 'election.recovered',
      fields: { lease: this.#lockName },
    });
    const { onError = (error: unknown) => this.#log(error) } = config;
    this.#onError = guardCallback('onError of the elector', onError, logger);
  }

  /**
   * True while this process leads. Compares the deadline with the clock instead of relying on a
   * timer: false from the deadline on, and then the signal of the work has aborted.
   */
  get isLeader(): boolean {
    return this.#term !== undefined && !this.#term.isOver;
  }

  /**
   * The time until which this process leads without another renewal, on the monotonic clock (that of
   * `performance.now()` by default); undefined if it does not lead.
   */
  get leadershipDeadline(): number | undefined {
    return this.isLeader ? this.#term?.deadline : undefined;
  }

  /**
   * The number of times leadership has moved to another holder. It grows as long as the Lease is not
   * deleted, so it can serve as a fencing token.
   */
  get leaderTransitions(): number | undefined {
    return this.#election.leaderTransitions;
  }

  /** Returns the last known leader; undefined if there is none. It may have changed since. */
  getLeader(): string | undefined {
    const holder = this.#election.holder;
    return holder === '' ? undefined : holder;
  }

  /**
   * Takes part in the election until the signal aborts, and leads at most once: resolves when
   * leadership was lost or ended and `onStartedLeading` has settled. Most programs then exit; the
   * elector may also be run again.
   */
  async run(options: ElectionRunOptions = {}): Promise<void> {
    await this.lead(async (term) => {
      await this.#config.callbacks?.onStartedLeading?.(term);
      // A callback that returned may have started work in the background: it ends with the term.
      await aborted(term);
    }, options);
  }

  /**
   * Waits for leadership and runs `work` once. Ends when the work returns, leadership is lost or the
   * signal aborts, but never before the work has settled. Rejects with an error of the work, except
   * the reason of its own signal.
   */
  async lead<T>(
    work: (signal: AbortSignal) => Promise<T> | T,
    { signal }: ElectionRunOptions = {},
  ): Promise<LeadershipOutcome<T>> {
    if (this.#running !== undefined) {
      throw new LeaderElectionError('LEADERELECTION_RUN_TWICE', 'the elector is already running');
    }
    using stop = anySignal([signal, this.#closing.signal]);
    const running = this.#campaign(stop.signal, work);
    this.#running = running;
    try {
      return await running;
    } finally {
      this.#running = undefined;
    }
  }

  /**
   * Returns an error if this process still does the leader's work although its lease expired more
   * than `maxTolerableExpiredLeaseMs` ago; undefined if it is healthy. Use it in a liveness probe.
   */
  check(maxTolerableExpiredLeaseMs = 0): LeaderElectionError | undefined {
    if (this.#term === undefined) return undefined;
    const since = longestSince(this.#clock, this.#term.renewedAt);
    if (since <= this.#timing.leaseDurationMs + maxTolerableExpiredLeaseMs) return undefined;
    return new LeaderElectionError(
      'LEADERELECTION_WORK_HANGS',
      `leadership of ${this.#lockName} was last renewed ${Math.round(since)} ms ago, and the leader's work has not ended`,
    );
  }

  /**
   * Stops a run as its signal does, and waits for its end. Within the work of the leader it does not
   * wait, because the run ends after the work. The elector cannot run again.
   */
  async close(): Promise<void> {
    const isWithinWork = this.#calls?.isWithin === true;
    this.#closing.abort();
    if (!isWithinWork) await this.#running?.catch(() => undefined);
  }

  /** Same as {@link LeaderElector.close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #campaign<T>(
    stop: AbortSignal,
    work: (signal: AbortSignal) => Promise<T> | T,
  ): Promise<LeadershipOutcome<T>> {
    const { callbacks, lock } = this.#config;
    const term = await this.#acquire(stop);
    if (term === undefined) {
      if (this.#election.mayHold) await this.#release();
      this.#call(callbacks?.onStoppedLeading);
      return { outcome: 'stopped' };
    }
    this.#term = term;
    this.#publish('acquired');
    this.#call(() => lock.recordEvent('became leader'));
    using _stopping = onAbort(stop, () => term.stop(stop.reason));
    const working = this.#work(work, term.signal);
    void working.then(() => term.end());
    // The run must not end before the work does, whatever fails.
    await this.#keepRenewing(term).catch((cause: unknown) => term.lose(unrenewable(cause)));
    // The term is over: either the work has settled, or leadership was lost.
    if (term.loss === undefined) await this.#release();
    else this.#publish('lost', term.loss);
    this.#call(() => lock.recordEvent('stopped leading'));
    this.#call(callbacks?.onStoppedLeading);
    const result = await working;
    this.#term = undefined;
    if (result.settled === 'failed' && result.error !== term.signal.reason) throw result.error;
    if (term.loss !== undefined) return { outcome: 'lost', reason: term.loss };
    if (stop.aborted || result.settled === 'failed') return { outcome: 'stopped' };
    return { outcome: 'finished', value: result.value };
  }

  async #work<T>(
    work: (signal: AbortSignal) => Promise<T> | T,
    signal: AbortSignal,
  ): Promise<WorkResult<T>> {
    using calls = new CallTracker<'work'>();
    this.#calls = calls;
    try {
      return { settled: 'returned', value: await calls.call('work', work, signal) };
    } catch (error) {
      return { settled: 'failed', error };
    }
  }

  /** Attempts until it succeeds; returns undefined if it is stopped first. */
  async #acquire(stop: AbortSignal): Promise<Term | undefined> {
    const { renewDeadlineMs, retryPeriodMs } = this.#timing;
    const options = { clock: this.#clock, renewDeadlineMs, lock: this.#lockName };
    while (!stop.aborted) {
      const attempt = await this.#attempt((ended) => this.#election.tryAcquire(ended), stop);
      if (attempt?.outcome === 'held') {
        const term = new Term(attempt.sentAt, options);
        // A response after the deadline makes no leader; the next attempt finds the own record.
        if (!term.isOver) return term;
      }
      const jitter = 1 + this.#random.next() * JITTER_FACTOR;
      await sleep(this.#clock, retryPeriodMs * jitter, { signal: stop }).catch(() => undefined);
    }
    return undefined;
  }

  async #keepRenewing(term: Term): Promise<void> {
    while (!term.isOver) {
      await sleep(this.#clock, this.#timing.retryPeriodMs, { signal: term.over }).catch(
        () => undefined,
      );
      if (term.isOver) return;
      const attempt = await this.#attempt(
        (ended) => this.#election.tryRenew(ended, () => this.#call(this.#config.onSlowPath)),
        term.over,
        (error) => term.noteFailure(error),
      );
      if (attempt?.outcome === 'held') {
        term.renew(attempt.sentAt);
        this.#publish('renewed');
      } else if (attempt?.outcome === 'refused') {
        const state =
          attempt.holder === '' ? 'it has no holder' : `it is held by ${attempt.holder}`;
        const message = `leadership of ${this.#lockName} was lost: ${state}`;
        term.lose(new LeaderElectionError('LEADERELECTION_LOST', message));
      }
    }
  }

  /** Returns undefined if the attempt failed. */
  async #attempt(
    send: (ended: AbortSignal) => Promise<Attempt>,
    ended: AbortSignal,
    onFailure?: (error: unknown) => void,
  ): Promise<Attempt | undefined> {
    try {
      const attempt = await send(ended);
      this.#trouble.end(`election on ${this.#lockName} works again`);
      return attempt;
    } catch (error) {
      if (!ended.aborted) {
        onFailure?.(error);
        this.#publish('failed', error);
        this.#onError(error);
      }
      return undefined;
    } finally {
      this.#reportNewLeader();
    }
  }

  /** Releases the lock. A renewal still in flight may cause a conflict, which is retried. */
  async #release(): Promise<void> {
    if (this.#config.releaseOnCancel !== true) return;
    const timeoutMs = this.#timing.renewDeadlineMs;
    using limited = withDeadline(undefined, {
      clock: this.#clock,
      timeoutMs,
      background: false,
      reason: () => new DOMException(`not released after ${timeoutMs} ms`, 'TimeoutError'),
    });
    try {
      await retryOnConflict(() => this.#election.release(limited.signal), {
        signal: limited.signal,
        clock: this.#clock,
        random: this.#random,
      });
      this.#publish('released');
    } catch (error) {
      this.#onError(error);
    }
  }

  #reportNewLeader(): void {
    const holder = this.#election.holder;
    if (holder === undefined || holder === this.#reportedLeader) return;
    this.#reportedLeader = holder;
    if (holder !== this.#config.lock.identity) this.#publish('leader');
    this.#call(() => this.#config.callbacks?.onNewLeader?.(holder));
  }

  #publish(what: ElectionStep['what'], error?: unknown): void {
    if (!electionSteps.hasSubscribers) return;
    electionSteps.publish({
      lease: this.#lockName,
      identity: this.#config.lock.identity,
      what,
      leader: what === 'released' ? '' : (this.getLeader() ?? ''),
      term: this.leaderTransitions ?? 0,
      ...(error !== undefined && { error }),
    });
  }

  #call(callback: (() => void) | undefined): void {
    try {
      callback?.();
    } catch (cause) {
      this.#onError(
        new LeaderElectionError('LEADERELECTION_CALLBACK_FAILED', 'a callback threw', { cause }),
      );
    }
  }

  #log(error: unknown): void {
    // A lost race against another candidate is part of an election.
    if (isConflict(error) || isAlreadyExists(error)) return;
    const message = `election on ${this.#lockName} fails: ${describeError(error)}`;
    this.#trouble.start(message, error instanceof ClientError ? error.code : '');
  }
}

function unrenewable(cause: unknown): LeaderElectionError {
  return new LeaderElectionError('LEADERELECTION_LOST', 'leadership could not be renewed', {
    cause,
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    onAbort(signal, resolve);
  });
}

/** Options of {@link withLeadership}. */
export interface WithLeadershipOptions extends LeaderElectionConfig, ElectionRunOptions {}

/**
 * Waits for leadership, runs `work` and resolves when it has ended: because it is done, the signal
 * aborted, or leadership was lost. Releases the lock at the end unless `releaseOnCancel` is false,
 * which is safe here because the work has ended.
 *
 * ```ts
 * const lock = new LeaseLock({ client: clientset, namespace: 'apps', name: 'web' });
 * const { outcome } = await withLeadership({ lock, signal }, (leading) => runController({ …, signal: leading }));
 * if (outcome === 'lost') process.exit(1);
 * ```
 */
export async function withLeadership<T>(
  { signal, ...config }: WithLeadershipOptions,
  work: (signal: AbortSignal, elector: LeaderElector) => Promise<T> | T,
): Promise<LeadershipOutcome<T>> {
  await using elector = new LeaderElector({ releaseOnCancel: true, ...config });
  return await elector.lead((leading) => work(leading, elector), { signal });
}
