import type { Clock } from '../lib/clock.ts';
import { withDeadline } from '../lib/deadline.ts';
import { jsonEqual, type JsonValue } from '../lib/json.ts';
import { abortable } from '../lib/signal.ts';
import { isNotFound } from '../meta/error-guards.ts';
import { formatMicroTime } from '../meta/time.ts';
import { LeaderElectionError } from './leader-election-error.ts';
import type {
  LeaderElectionRecord,
  LockOptions,
  ResourceLock,
  WrittenRecord,
} from './lease-lock.ts';
import { type Moment, readClock } from './term.ts';

/** The jitter of the retry period of candidates, as in client-go: they wait up to 2.2 periods. */
export const JITTER_FACTOR = 1.2;

/** The checked durations of an election; see `LeaderElectionConfig`. */
export interface ElectionTiming {
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

/** Applies the defaults of client-go, and rejects durations with which two candidates could lead. */
export function electionTiming({
  leaseDurationMs = 15_000,
  renewDeadlineMs = 10_000,
  retryPeriodMs = 2000,
}: { readonly [Name in keyof ElectionTiming]?: number | undefined }): ElectionTiming {
  const timing: ElectionTiming = { leaseDurationMs, renewDeadlineMs, retryPeriodMs };
  for (const [name, value] of Object.entries(timing)) {
    if (!(Number.isFinite(value) && value > 0)) {
      throw invalid(`${name} must be greater than zero, not ${value}`);
    }
  }
  if (leaseDurationMs <= renewDeadlineMs) {
    throw invalid(
      `leaseDurationMs must be greater than renewDeadlineMs, but ${leaseDurationMs} is not greater than ${renewDeadlineMs}`,
    );
  }
  if (renewDeadlineMs <= retryPeriodMs * JITTER_FACTOR) {
    throw invalid(
      `renewDeadlineMs must be greater than retryPeriodMs times ${JITTER_FACTOR}, but ${renewDeadlineMs} is not greater than ${retryPeriodMs * JITTER_FACTOR}`,
    );
  }
  return timing;
}

function invalid(message: string): LeaderElectionError {
  return new LeaderElectionError('LEADERELECTION_CONFIG_INVALID', message);
}

/**
 * Returns the timeout of one request: half the renew deadline, so that a request that hangs leaves
 * time for another one, but at least a second.
 */
export function requestTimeoutMs({ renewDeadlineMs }: ElectionTiming): number {
  return Math.max(1000, renewDeadlineMs / 2);
}

/** The outcome of an attempt to acquire or renew the lock. Failures are thrown. */
export type Attempt =
  | {
      /** The record names this candidate. */
      readonly outcome: 'held';
      /** The moment before the request was sent: other candidates count from a later one. */
      readonly sentAt: Moment;
    }
  | {
      /** The record names another candidate, or none where it should name this one. */
      readonly outcome: 'refused';
      readonly holder: string;
    };

/** The last record that was read, and when it was first read like this. */
interface Observation {
  readonly record: LeaderElectionRecord;
  /** On the monotonic clock. */
  readonly since: number;
}

/**
 * The rules of the election, one attempt at a time: when the record may be written, and with what.
 * The elector decides when to attempt and what follows.
 *
 * Clocks of different machines are never compared. A record counts as held until its duration has
 * passed on the local clock since it was first read in its current state.
 */
export class Election {
  readonly #lock: ResourceLock;
  readonly #timing: ElectionTiming;
  readonly #clock: Clock;
  #observation: Observation | undefined;
  #mayHold = false;

  constructor(lock: ResourceLock, timing: ElectionTiming, clock: Clock) {
    this.#lock = lock;
    this.#timing = timing;
    this.#clock = clock;
  }

  /** The holder in the last record; empty if there was none, undefined before the first read. */
  get holder(): string | undefined {
    return this.#observation?.record.holderIdentity;
  }

  /** The number of leader transitions in the last record. */
  get leaderTransitions(): number | undefined {
    return this.#observation?.record.leaderTransitions;
  }

  /** True if this candidate holds the lock, or sent a write that may have acquired it. */
  get mayHold(): boolean {
    return this.#mayHold;
  }

  /** Tries to become leader, if the lock is free or its holder has not renewed it in time. */
  async tryAcquire(signal: AbortSignal): Promise<Attempt> {
    const exists = await this.#observe(signal);
    const other = this.#heldByOther();
    if (other !== undefined) {
      this.#mayHold = false;
      return { outcome: 'refused', holder: other };
    }
    const old = exists ? this.#observation?.record : undefined;
    // Own record: a response was lost, or the process restarted with the same identity.
    const isOwn = old?.holderIdentity === this.#lock.identity;
    const transitions = this.#observation?.record.leaderTransitions ?? -1;
    return await this.#write(exists ? 'update' : 'create', signal, {
      acquireTime: isOwn ? old?.acquireTime : undefined,
      leaderTransitions: isOwn ? transitions : transitions + 1,
    });
  }

  /**
   * Tries to stay leader: updates the version it wrote last without reading it, and reads only if
   * that fails, after `onSlowPath`. A refused attempt means that leadership is lost.
   */
  async tryRenew(signal: AbortSignal, onSlowPath?: () => void): Promise<Attempt> {
    const kept = {
      acquireTime: this.#observation?.record.acquireTime,
      leaderTransitions: this.#observation?.record.leaderTransitions ?? 0,
    };
    try {
      return await this.#write('update', signal, kept);
    } catch {
      // The lock was changed, or the request failed; the read below shows which.
      signal.throwIfAborted();
    }
    onSlowPath?.();
    const exists = await this.#observe(signal);
    const holder = this.holder ?? '';
    if (exists && holder !== this.#lock.identity) {
      this.#mayHold = false;
      return { outcome: 'refused', holder };
    }
    return await this.#write(exists ? 'update' : 'create', signal, kept);
  }

  /**
   * Releases the lock, so that the next leader need not wait until it expires. Reads the record first
   * and keeps it unless it names this candidate: a process that was paused must not overwrite its
   * successor.
   */
  async release(signal: AbortSignal): Promise<void> {
    const record = await this.#request(signal, (options) => this.#lock.get(options));
    this.#see(record);
    if (record.holderIdentity === this.#lock.identity) {
      const now = formatMicroTime(this.#clock.now());
      const released = await this.#request(signal, (options) =>
        this.#lock.update(
          {
            holderIdentity: '',
            leaseDurationSeconds: 1,
            acquireTime: now,
            renewTime: now,
            leaderTransitions: record.leaderTransitions,
          },
          options,
        ),
      );
      this.#see(released);
    }
    this.#mayHold = false;
  }

  /** Reads the record; returns false if there is none. */
  async #observe(signal: AbortSignal): Promise<boolean> {
    try {
      this.#see(await this.#request(signal, (options) => this.#lock.get(options)));
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  /**
   * Returns the other candidate that holds the lock by the last record. A deleted lock counts as last
   * read, because its holder may not know of the deletion yet.
   */
  #heldByOther(): string | undefined {
    if (this.#observation === undefined) return undefined;
    const { record, since } = this.#observation;
    if (record.holderIdentity === '' || record.holderIdentity === this.#lock.identity) {
      return undefined;
    }
    const durationMs = record.leaseDurationSeconds * 1000 || this.#timing.leaseDurationMs;
    return this.#clock.monotonic() - since > durationMs ? undefined : record.holderIdentity;
  }

  async #write(
    verb: 'create' | 'update',
    signal: AbortSignal,
    { acquireTime, leaderTransitions }: Pick<WrittenRecord, 'acquireTime' | 'leaderTransitions'>,
  ): Promise<Attempt> {
    const sentAt = readClock(this.#clock);
    const now = formatMicroTime(sentAt.wall);
    const record: WrittenRecord = {
      holderIdentity: this.#lock.identity,
      leaseDurationSeconds: Math.ceil(this.#timing.leaseDurationMs / 1000),
      acquireTime: acquireTime ?? now,
      renewTime: now,
      leaderTransitions,
    };
    this.#mayHold = true;
    this.#see(await this.#request(signal, (options) => this.#lock[verb](record, options)));
    return { outcome: 'held', sentAt };
  }

  #see(record: LeaderElectionRecord): void {
    const last = this.#observation?.record;
    if (last !== undefined && jsonEqual(plain(last), plain(record))) return;
    this.#observation = { record, since: this.#clock.monotonic() };
  }

  /** Sends one request, with a timeout. */
  async #request<T>(signal: AbortSignal, send: (options: LockOptions) => Promise<T>): Promise<T> {
    const milliseconds = requestTimeoutMs(this.#timing);
    using limited = withDeadline(signal, {
      clock: this.#clock,
      timeoutMs: milliseconds,
      reason: () =>
        new LeaderElectionError(
          'LEADERELECTION_REQUEST_SLOW',
          `lock ${this.#lock.describe()}: no response within ${milliseconds} ms`,
        ),
    });
    return await abortable(send({ signal: limited.signal }), limited.signal);
  }
}

/** Returns the fields by which two records are compared. */
function plain(record: LeaderElectionRecord): JsonValue {
  return [
    record.holderIdentity,
    record.leaseDurationSeconds,
    record.acquireTime ?? null,
    record.renewTime ?? null,
    record.leaderTransitions,
    record.strategy ?? null,
    record.preferredHolder ?? null,
  ];
}
