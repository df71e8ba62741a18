import type { Clock, ScheduledCall } from '../lib/clock.ts';
import { LeaderElectionError } from './leader-election-error.ts';

/** A moment on the monotonic and on the wall clock. */
export interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

/** Returns the current moment. */
export function readClock(clock: Clock): Moment {
  return { monotonic: clock.monotonic(), wall: clock.now() };
}

/**
 * Returns the longest time that may have passed since a moment. The monotonic clock of most systems
 * stops while the machine sleeps, and the wall clock can be set back; a leader must trust the longer
 * of the two durations, or it acts after its lease has expired.
 */
export function longestSince(clock: Clock, { monotonic, wall }: Moment): number {
  return Math.max(clock.monotonic() - monotonic, clock.now() - wall);
}

/** Options of {@link Term}. */
export interface TermOptions {
  readonly clock: Clock;
  readonly renewDeadlineMs: number;
  /** The name of the lock in messages. */
  readonly lock: string;
}

/**
 * One period of leadership; once over, it stays over. It ends when it is not renewed in time. That
 * does not depend on a timer: reading {@link Term.isOver} after the deadline, even in the first
 * callback after a pause of the process, returns true.
 */
export class Term {
  readonly #options: TermOptions;
  readonly #work = new AbortController();
  readonly #over = new AbortController();
  #renewedAt: Moment;
  #timer: ScheduledCall | undefined;
  #loss: LeaderElectionError | undefined;
  #lastFailure: unknown;

  /** `sentAt` is the moment before the request was sent that acquired the lock. */
  constructor(sentAt: Moment, options: TermOptions) {
    this.#options = options;
    this.#renewedAt = sentAt;
    this.#arm();
  }

  /** The signal of the leader's work: aborts when the work must stop, or is asked to. */
  get signal(): AbortSignal {
    return this.#work.signal;
  }

  /** Aborts when the term is over. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** The end of the term unless it is renewed, on the monotonic clock. */
  get deadline(): number {
    return this.#renewedAt.monotonic + this.#options.renewDeadlineMs;
  }

  /** The moment before the last successful write was sent. */
  get renewedAt(): Moment {
    return this.#renewedAt;
  }

  /** The reason if the term ended before its work did. */
  get loss(): LeaderElectionError | undefined {
    return this.#loss;
  }

  /** Compares the deadline with the clock. If it has passed, both signals abort before this returns. */
  get isOver(): boolean {
    if (this.#over.signal.aborted) return true;
    if (longestSince(this.#options.clock, this.#renewedAt) < this.#options.renewDeadlineMs) {
      return false;
    }
    this.#lapse();
    return true;
  }

  /** Extends the term; has no effect if it ended before the response arrived. */
  renew(sentAt: Moment): void {
    if (this.isOver) return;
    this.#renewedAt = sentAt;
    this.#lastFailure = undefined;
    this.#arm();
  }

  /** Remembers the error of a failed renewal, which becomes the cause if the term lapses. */
  noteFailure(error: unknown): void {
    this.#lastFailure = error;
  }

  /** Asks the work to stop. The term continues, so that the work stays protected until it ends. */
  stop(reason: unknown): void {
    this.#work.abort(reason);
  }

  /** Ends the term because its work has ended. */
  end(): void {
    this.#end(undefined);
  }

  /** Ends the term because leadership was lost. */
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
        `leadership of ${lock} was not renewed within ${renewDeadlineMs} ms`,
        { cause: this.#lastFailure },
      ),
    );
  }
}
