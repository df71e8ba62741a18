import type { Clock, ScheduledCall } from '../lib/clock.ts';
import { LeaderElectionError } from './leader-election-error.ts';
import { longestSince, type Moment } from './timing.ts';

/** How a {@link Term} is made. */
export interface TermOptions {
  readonly clock: Clock;
  readonly renewDeadlineMs: number;
  /** What messages call the lock. */
  readonly lock: string;
}

/**
 * One time of being leader, from the answer that says so to its end; there is no way back. It ends
 * by itself when it was not renewed in time, and that does not depend on a timer: whoever asks after
 * the deadline, even in the very first callback after a pause, is told that it is over.
 */
export class Term {
  readonly #options: TermOptions;
  readonly #work = new AbortController();
  readonly #over = new AbortController();
  #renewedAt: Moment;
  #timer: ScheduledCall | undefined;
  #loss: LeaderElectionError | undefined;
  #lastFailure: unknown;

  /** `sentAt` is the moment before the request was sent that made us leader. */
  constructor(sentAt: Moment, options: TermOptions) {
    this.#options = options;
    this.#renewedAt = sentAt;
    this.#arm();
  }

  /** For what the leader does: aborts when it must stop, or is asked to. */
  get signal(): AbortSignal {
    return this.#work.signal;
  }

  /** Aborts when the term is over. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Until when it lasts unless it is renewed, on the monotonic scale of the clock. */
  get deadline(): number {
    return this.#renewedAt.monotonic + this.#options.renewDeadlineMs;
  }

  /** The moment before the last successful write was sent. */
  get renewedAt(): Moment {
    return this.#renewedAt;
  }

  /** Why the term ended before its work was done, if it did. */
  get loss(): LeaderElectionError | undefined {
    return this.#loss;
  }

  /** Looks at the clock. If the deadline has passed, the signals abort before this returns. */
  get isOver(): boolean {
    if (this.#over.signal.aborted) return true;
    if (longestSince(this.#options.clock, this.#renewedAt) < this.#options.renewDeadlineMs) {
      return false;
    }
    this.#lapse();
    return true;
  }

  /** Lengthens the term; without effect if it ended while the answer was on its way. */
  renew(sentAt: Moment): void {
    if (this.isOver) return;
    this.#renewedAt = sentAt;
    this.#lastFailure = undefined;
    this.#arm();
  }

  /** Remembers why a renewal failed: that is the cause if the term lapses. */
  noteFailure(error: unknown): void {
    this.#lastFailure = error;
  }

  /** Asks the work to stop. The term goes on, so that the work is protected until it has. */
  stop(reason: unknown): void {
    this.#work.abort(reason);
  }

  /** Ends the term in order, because its work has. */
  end(): void {
    this.#end(undefined);
  }

  /** Ends the term against the will of its leader. */
  lose(reason: LeaderElectionError): void {
    if (!this.#over.signal.aborted) this.#loss = reason;
    this.#end(reason);
  }

  #end(reason: unknown): void {
    this.#timer?.cancel();
    this.#over.abort(reason);
    this.#work.abort(reason);
  }

  #arm(): void {
    this.#timer?.cancel();
    const left = this.#options.renewDeadlineMs - longestSince(this.#options.clock, this.#renewedAt);
    this.#timer = this.#options.clock.schedule(left, () => this.#lapse());
  }

  #lapse(): void {
    const { lock, renewDeadlineMs } = this.#options;
    this.lose(
      new LeaderElectionError(
        'LEADERELECTION_LOST',
        `the leadership of ${lock} was not renewed within ${renewDeadlineMs} ms`,
        { cause: this.#lastFailure },
      ),
    );
  }
}
