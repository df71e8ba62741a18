import type { Clock } from '../lib/clock.ts';
import { jsonEqual, type JsonValue } from '../lib/json.ts';
import { abortable } from '../lib/signal.ts';
import { isNotFound } from '../meta/error-guards.ts';
import { formatMicroTime } from '../meta/time.ts';
import { withDeadline } from '../lib/deadline.ts';
import { LeaderElectionError } from './leader-election-error.ts';
import type {
  LeaderElectionRecord,
  LockOptions,
  ResourceLock,
  WrittenRecord,
} from './resource-lock.ts';
import { type ElectionTiming, type Moment, readClock, requestTimeoutMs } from './timing.ts';

/** What came of an attempt to become or stay leader. Failures are thrown. */
export type Attempt =
  | {
      /** The record names us. */
      readonly outcome: 'held';
      /** Before the request was sent: others count from later. */
      readonly sentAt: Moment;
    }
  | {
      /** The record names somebody else, or nobody where it should be us. */
      readonly outcome: 'refused';
      readonly holder: string;
    };

/** The record as it was last seen, and since when it has not changed. */
interface Observation {
  readonly record: LeaderElectionRecord;
  /** On the monotonic scale. */
  readonly since: number;
}

/**
 * The rules of the election, one attempt at a time: when the record may be written, and what is
 * written then. When to attempt, and what follows, is for the elector to say.
 *
 * No clock is ever compared with another. A record counts as held until its own duration has passed
 * *here* since it was first seen as it is.
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

  /** The holder as last seen; empty if there is none, undefined if nothing was seen yet. */
  get holder(): string | undefined {
    return this.#observation?.record.holderIdentity;
  }

  /** How often leadership had changed hands when the record was last seen. */
  get leaderTransitions(): number | undefined {
    return this.#observation?.record.leaderTransitions;
  }

  /** True if we hold the lock, or sent a write that may have got us there. */
  get mayHold(): boolean {
    return this.#mayHold;
  }

  /** Tries to become leader: if nobody leads, or the leader has not been heard of for too long. */
  async tryAcquire(signal: AbortSignal): Promise<Attempt> {
    const isThere = await this.#observe(signal);
    const other = this.#heldByOther();
    if (other !== undefined) {
      this.#mayHold = false;
      return { outcome: 'refused', holder: other };
    }
    const old = isThere ? this.#observation?.record : undefined;
    // An answer may have been lost, or the process restarted with its old name: then it is ours.
    const isOurs = old?.holderIdentity === this.#lock.identity;
    const transitions = this.#observation?.record.leaderTransitions ?? -1;
    return await this.#write(isThere ? 'update' : 'create', signal, {
      acquireTime: isOurs ? old?.acquireTime : undefined,
      leaderTransitions: isOurs ? transitions : transitions + 1,
    });
  }

  /**
   * Tries to stay leader: writes at once on top of what we wrote last, and looks only if that fails.
   * Refused means that leadership is lost, at once and for good.
   */
  async tryRenew(signal: AbortSignal): Promise<Attempt> {
    const kept = {
      acquireTime: this.#observation?.record.acquireTime,
      leaderTransitions: this.#observation?.record.leaderTransitions ?? 0,
    };
    try {
      return await this.#write('update', signal, kept);
    } catch {
      // Somebody wrote to the lock, or the server is in trouble; the next request will tell.
      signal.throwIfAborted();
    }
    const isThere = await this.#observe(signal);
    const holder = this.holder ?? '';
    if (isThere && holder !== this.#lock.identity) {
      this.#mayHold = false;
      return { outcome: 'refused', holder };
    }
    return await this.#write(isThere ? 'update' : 'create', signal, kept);
  }

  /**
   * Steps down, so that the next leader need not wait. It reads the record first and leaves it alone
   * unless it names us: whoever was paused for long must not wipe out a successor.
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

  /** Reads the record; false if there is none. */
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
   * Who else holds the lock by what was seen. A lock that was deleted counts as it was last seen: its
   * holder has not heard of the deletion yet.
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
    how: 'create' | 'update',
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
    this.#see(await this.#request(signal, (options) => this.#lock[how](record, options)));
    return { outcome: 'held', sentAt };
  }

  #see(record: LeaderElectionRecord): void {
    const last = this.#observation?.record;
    if (last !== undefined && jsonEqual(plain(last), plain(record))) return;
    this.#observation = { record, since: this.#clock.monotonic() };
  }

  /** One request, no longer than its share of the time. */
  async #request<T>(signal: AbortSignal, send: (options: LockOptions) => Promise<T>): Promise<T> {
    const milliseconds = requestTimeoutMs(this.#timing);
    using limited = withDeadline(signal, {
      clock: this.#clock,
      timeoutMs: milliseconds,
      reason: () =>
        new LeaderElectionError(
          'LEADERELECTION_REQUEST_SLOW',
          `the lock ${this.#lock.describe()} did not answer within ${milliseconds} ms`,
        ),
    });
    return await abortable(send({ signal: limited.signal }), limited.signal);
  }
}

/** What makes two records different. */
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
