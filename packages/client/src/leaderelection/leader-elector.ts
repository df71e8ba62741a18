import { guardCallback } from '../lib/callback.ts';
import { type Clock, sleep, systemClock } from '../lib/clock.ts';
import { ClientError } from '../lib/errors.ts';
import { describeError, type LoggerOption, loggerOf, TroubleReporter } from '../lib/logger.ts';
import { type Random, systemRandom } from '../lib/random.ts';
import { onAbort } from '../lib/signal.ts';
import { isAlreadyExists, isConflict } from '../meta/error-guards.ts';
import { retryOnConflict } from '../wait/retry.ts';
import { type Attempt, Election } from './election.ts';
import { LeaderElectionError } from './leader-election-error.ts';
import type { ResourceLock } from './resource-lock.ts';
import { Term } from './term.ts';
import { type ElectionTiming, electionTiming, JITTER_FACTOR, longestSince } from './timing.ts';

/** What an elector calls. What they throw does not end the election unless it says so here. */
export interface LeaderCallbacks {
  /**
   * Called when this process becomes leader. The signal aborts when it must stop: because leadership
   * is lost (reason `LEADERELECTION_LOST`) or because the run is to end. If it returns a promise, the lease is
   * kept up until that settles. If it fails, leadership ends and the run rejects with the error.
   */
  readonly onStartedLeading?: (signal: AbortSignal) => Promise<void> | void;
  /** Called once whenever a run ends, also of one that never led, as client-go does. */
  readonly onStoppedLeading?: () => void;
  /** Called with each leader that is seen, ourselves included; empty if one has stepped down. */
  readonly onNewLeader?: (identity: string) => void;
}

/** How a {@link LeaderElector} is made. */
export interface LeaderElectorOptions extends Partial<ElectionTiming>, LoggerOption {
  readonly lock: ResourceLock;
  readonly callbacks?: LeaderCallbacks;
  /**
   * Gives the lease back when a run ends in order, so that the next leader need not wait for it to
   * expire. Only for those whose work is over when the promise of `onStartedLeading` settles: what it
   * leaves behind runs beside the next leader. Default false.
   */
  readonly releaseOnCancel?: boolean;
  /**
   * Called with attempts that failed and with callbacks that threw. What it throws is logged, and
   * changes nothing else. Without it, trouble is logged once when it starts and once when it is over.
   */
  readonly onError?: (error: unknown) => void;
  readonly clock?: Clock;
  readonly random?: Random;
}

/**
 * How a time of leading ended. `finished`: the work is done. `stopped`: the signal aborted, before or
 * while leading. `lost`: the lease could not be renewed in time, or somebody else has it.
 */
export type LeadershipOutcome<T> =
  | { readonly outcome: 'finished'; readonly value: T }
  | { readonly outcome: 'lost'; readonly reason: LeaderElectionError }
  | { readonly outcome: 'stopped' };

/** How the work of a leader came out. */
type WorkResult<T> =
  | { readonly settled: 'failed'; readonly error: unknown }
  | { readonly settled: 'returned'; readonly value: T };

/**
 * Lets one of several processes lead. It promises, for clocks that run at about the same rate:
 *
 * - At no moment two electors of one lock have {@link LeaderElector.isLeader} true.
 * - When leadership is lost, the signal of the work aborts before anybody else can lead; if the
 *   process was paused over that time, before `isLeader` is read for the first time after it.
 * - When a run is to end, leadership is kept until the work has returned.
 *
 * It cannot take back what the work has already sent: see the guide on leader election for fencing.
 */
export class LeaderElector implements AsyncDisposable {
  readonly #options: LeaderElectorOptions;
  readonly #timing: ElectionTiming;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #election: Election;
  readonly #lockName: string;
  readonly #trouble: TroubleReporter;
  readonly #onError: (error: unknown) => void;
  readonly #disposal = new AbortController();
  #running: Promise<unknown> | undefined;
  /** Stays after its end, until its work has settled. */
  #term: Term | undefined;
  #reportedLeader: string | undefined;

  constructor(options: LeaderElectorOptions) {
    this.#options = options;
    this.#timing = electionTiming(options);
    if (options.lock.identity === '') {
      throw new LeaderElectionError(
        'LEADERELECTION_CONFIG_INVALID',
        'lock.identity must not be empty',
      );
    }
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? systemRandom;
    this.#election = new Election(options.lock, this.#timing, this.#clock);
    const logger = loggerOf(options.logger);
    this.#lockName = options.lock.describe();
    this.#trouble = new TroubleReporter(logger);
    const { onError = (error: unknown) => this.#log(error) } = options;
    this.#onError = guardCallback('onError of the elector', onError, logger);
  }

  /**
   * Whether this process leads now, by the clock and not by timers: false from the deadline on, and
   * then the signal of the work has aborted when this returns.
   */
  get isLeader(): boolean {
    return this.#term !== undefined && !this.#term.isOver;
  }

  /**
   * Until when this process leads if no renewal succeeds, on the monotonic scale of its clock (with
   * the default clock that of `performance.now()`); undefined if it does not lead.
   */
  get leadershipDeadline(): number | undefined {
    return this.isLeader ? this.#term?.deadline : undefined;
  }

  /**
   * How often leadership has changed hands. It grows with every change as long as the Lease is not
   * deleted, so that a store can refuse writes of former leaders by it.
   */
  get leaderTransitions(): number | undefined {
    return this.#election.leaderTransitions;
  }

  /** The leader as last seen; undefined if none was. It may have changed since. */
  getLeader(): string | undefined {
    const holder = this.#election.holder;
    return holder === '' ? undefined : holder;
  }

  /**
   * Stands for election until the signal aborts, and leads at most once: resolves when leadership was
   * lost or given up and `onStartedLeading` has settled. Usually the process ends then. It may be run
   * again after that.
   */
  async run(signal?: AbortSignal): Promise<void> {
    const work = async (term: AbortSignal): Promise<void> => {
      await this.#options.callbacks?.onStartedLeading?.(term);
      // Work that goes on by itself ends with the term.
      await aborted(term);
    };
    await this.lead(signal, work);
  }

  /**
   * Stands for election, does `work` while leading, and ends when the work does, leadership is lost or
   * the signal aborts; never before the work has settled. What the work throws is thrown, except for
   * the reason of its own signal.
   */
  async lead<T>(
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T> | T,
  ): Promise<LeadershipOutcome<T>> {
    if (this.#running !== undefined) {
      throw new LeaderElectionError('LEADERELECTION_RUN_TWICE', 'the elector is running already');
    }
    const stop = new AbortController();
    using _fromCaller = onAbort(signal, () => stop.abort(signal?.reason));
    using _fromDisposal = onAbort(this.#disposal.signal, () =>
      stop.abort(this.#disposal.signal.reason),
    );
    const running = this.#campaign(stop.signal, work);
    this.#running = running;
    try {
      return await running;
    } finally {
      this.#running = undefined;
    }
  }

  /**
   * The reason to call this process unhealthy, if there is one: it still does the leader's work though
   * its lease ran out more than `maxTolerableExpiredLeaseMs` ago. For a liveness probe.
   */
  check(maxTolerableExpiredLeaseMs = 0): LeaderElectionError | undefined {
    if (this.#term === undefined) return undefined;
    const since = longestSince(this.#clock, this.#term.renewedAt);
    if (since <= this.#timing.leaseDurationMs + maxTolerableExpiredLeaseMs) return undefined;
    return new LeaderElectionError(
      'LEADERELECTION_WORK_HANGS',
      `the leadership of ${this.#options.lock.describe()} was last renewed ${Math.round(since)} ms ago, and the leader's work has not ended`,
    );
  }

  /** Ends a run as an abort of its signal does, and waits for it. The elector cannot run again. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposal.abort();
    await this.#running?.catch(() => undefined);
  }

  async #campaign<T>(
    stop: AbortSignal,
    work: (signal: AbortSignal) => Promise<T> | T,
  ): Promise<LeadershipOutcome<T>> {
    const { callbacks, lock } = this.#options;
    const term = await this.#acquire(stop);
    if (term === undefined) {
      if (this.#election.mayHold) await this.#release();
      this.#call(callbacks?.onStoppedLeading);
      return { outcome: 'stopped' };
    }
    this.#term = term;
    this.#call(() => lock.recordEvent('became leader'));
    using _stopping = onAbort(stop, () => term.stop(stop.reason));
    const working = settle(work, term.signal);
    void working.then(() => term.end());
    // Whatever goes wrong: the run does not end before the work does.
    await this.#keepRenewing(term).catch((cause: unknown) => term.lose(unrenewable(cause)));
    // The term is over: either the work has settled by now, or it has lost its protection.
    if (term.loss === undefined) await this.#release();
    this.#call(() => lock.recordEvent('stopped leading'));
    this.#call(callbacks?.onStoppedLeading);
    const result = await working;
    this.#term = undefined;
    if (result.settled === 'failed' && result.error !== term.signal.reason) throw result.error;
    if (term.loss !== undefined) return { outcome: 'lost', reason: term.loss };
    if (stop.aborted || result.settled === 'failed') return { outcome: 'stopped' };
    return { outcome: 'finished', value: result.value };
  }

  /** Attempts until it succeeds; undefined if it is stopped before. */
  async #acquire(stop: AbortSignal): Promise<Term | undefined> {
    const { renewDeadlineMs, retryPeriodMs } = this.#timing;
    const options = { clock: this.#clock, renewDeadlineMs, lock: this.#options.lock.describe() };
    while (!stop.aborted) {
      const attempt = await this.#attempt((ended) => this.#election.tryAcquire(ended), stop);
      if (attempt?.outcome === 'held') {
        const term = new Term(attempt.sentAt, options);
        // An answer that took too long makes no leader; the next attempt finds our own name.
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
        (ended) => this.#election.tryRenew(ended),
        term.over,
        (error) => term.noteFailure(error),
      );
      if (attempt?.outcome === 'held') {
        term.renew(attempt.sentAt);
      } else if (attempt?.outcome === 'refused') {
        const { lock } = this.#options;
        const holder = attempt.holder === '' ? 'nobody' : attempt.holder;
        const message = `the leadership of ${lock.describe()} was taken away; it is held by ${holder}`;
        term.lose(new LeaderElectionError('LEADERELECTION_LOST', message));
      }
    }
  }

  /** Undefined if it failed. */
  async #attempt(
    send: (ended: AbortSignal) => Promise<Attempt>,
    ended: AbortSignal,
    onFailure?: (error: unknown) => void,
  ): Promise<Attempt | undefined> {
    try {
      const attempt = await send(ended);
      this.#trouble.end(`the lock ${this.#lockName} answers again`);
      return attempt;
    } catch (error) {
      if (!ended.aborted) {
        onFailure?.(error);
        this.#report(error);
      }
      return undefined;
    } finally {
      this.#reportNewLeader();
    }
  }

  /** A renewal that was still on its way may get in between, so that a conflict is tried again. */
  async #release(): Promise<void> {
    if (this.#options.releaseOnCancel !== true) return;
    const tooLate = new AbortController();
    using _timer = this.#clock.schedule(this.#timing.renewDeadlineMs, () => tooLate.abort());
    try {
      await retryOnConflict(() => this.#election.release(tooLate.signal), {
        signal: tooLate.signal,
        clock: this.#clock,
        random: this.#random,
      });
    } catch (error) {
      this.#report(error);
    }
  }

  #reportNewLeader(): void {
    const holder = this.#election.holder;
    if (holder === undefined || holder === this.#reportedLeader) return;
    this.#reportedLeader = holder;
    this.#call(() => this.#options.callbacks?.onNewLeader?.(holder));
  }

  #call(callback: (() => void) | undefined): void {
    try {
      callback?.();
    } catch (cause) {
      this.#report(
        new LeaderElectionError('LEADERELECTION_CALLBACK_FAILED', 'a callback threw', { cause }),
      );
    }
  }

  #report(error: unknown): void {
    this.#onError(error);
  }

  #log(error: unknown): void {
    // Another candidate was faster: that is what an election is.
    if (isConflict(error) || isAlreadyExists(error)) return;
    const message = `the election on ${this.#lockName} has trouble: ${describeError(error)}`;
    this.#trouble.start(message, error instanceof ClientError ? error.code : '');
  }
}

function unrenewable(cause: unknown): LeaderElectionError {
  return new LeaderElectionError('LEADERELECTION_LOST', 'the leadership could not be renewed', {
    cause,
  });
}

async function settle<T>(
  work: (signal: AbortSignal) => Promise<T> | T,
  signal: AbortSignal,
): Promise<WorkResult<T>> {
  try {
    return { settled: 'returned', value: await work(signal) };
  } catch (error) {
    return { settled: 'failed', error };
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    onAbort(signal, resolve);
  });
}
