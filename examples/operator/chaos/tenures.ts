import type { Lease } from 'client-ts/api/coordination/v1';
import { shardOfKey } from 'client-ts/leaderelection';
import type { Stored } from 'client-ts/rest';

/** Clocks write milliseconds: a time may be rounded. */
const ROUNDING_MS = 1;

/** What the Leases of a run are called, and how long they protect. */
export interface LeaseRules {
  /** Undefined: one process leads. */
  readonly shards: number | undefined;
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
}

/** The time in which a process was the holder of a lock, by its own clock. */
interface Tenure {
  readonly holder: string;
  readonly since: number;
  /** The release; undefined if it was not released. */
  until?: number;
}

/** A time in which no process held a lock. */
export interface Vacancy {
  readonly lock: string;
  /** After the release, or after the lease of a dead holder had expired. */
  readonly ms: number;
}

/**
 * The holders of the locks of a run, from the log of their Leases. The processes run on one machine, so
 * that the times which they write can be compared.
 */
export class Tenures {
  readonly #rules: LeaseRules;
  readonly #byLock = new Map<string, Tenure[]>();
  /** When each process sent a renewal that was stored. */
  readonly #renewals = new Map<string, number[]>();
  readonly #vacancies: Vacancy[] = [];
  terms = 0;

  constructor(rules: LeaseRules) {
    this.#rules = rules;
  }

  /** The times without a holder so far. */
  get vacancies(): readonly Vacancy[] {
    return this.#vacancies;
  }

  look({ metadata, spec }: Stored<Lease>): void {
    const holder = spec?.holderIdentity ?? '';
    const at = Date.parse(spec?.renewTime ?? '');
    const isReplica = metadata.name.includes('-replica-');
    const isLock = !isReplica && !metadata.name.endsWith('-shards');
    // Without shards, the lock is also what is renewed.
    if (holder !== '' && (isReplica || this.#rules.shards === undefined)) {
      this.#renewals.set(holder, [...(this.#renewals.get(holder) ?? []), at]);
    }
    if (isLock) this.#change(metadata.name, holder, at);
  }

  /** Adds the locks without a holder at this time: one that is never acquired again is noted nowhere else. */
  addOpenVacancies(at: number): void {
    for (const [lock, tenures] of this.#byLock) {
      const last = tenures.findLast(({ since }) => since <= at);
      const ms = last === undefined ? 0 : at - this.#freeAt(last, at);
      if (ms > 0) this.#vacancies.push({ lock, ms });
    }
  }

  /** The process that holds the lock of a key by the last record; empty if there is none. */
  holderOf(key: string): string {
    const last = this.#of(this.lockOf(key)).at(-1);
    return last === undefined || last.until !== undefined ? '' : last.holder;
  }

  /**
   * True if a process held the lock of a key at a time: it had acquired it, had not released it, and
   * its lease had not expired since its last renewal.
   */
  held(key: string, holder: string, at: number): boolean {
    const isTenure = (tenure: Tenure): boolean =>
      tenure.holder === holder &&
      tenure.since <= at + ROUNDING_MS &&
      at <= (tenure.until ?? Infinity) + ROUNDING_MS;
    return this.#of(this.lockOf(key)).some(isTenure) && at <= this.leaseEnd(holder, at);
  }

  /** The end of the lease of a process, if it had not renewed it after this time. */
  leaseEnd(holder: string, at: number): number {
    const before = (this.#renewals.get(holder) ?? []).filter((sent) => sent <= at + ROUNDING_MS);
    return Math.max(-Infinity, ...before) + this.#rules.renewDeadlineMs + ROUNDING_MS;
  }

  /** The end of the time in which a process had an unbroken lease. */
  unbrokenUntil(holder: string, from: number): number {
    let end = this.leaseEnd(holder, from);
    for (const sent of this.#renewals.get(holder) ?? []) {
      if (sent > from && sent <= end) end = sent + this.#rules.renewDeadlineMs;
    }
    return end;
  }

  /** The name of the Lease that protects a key. */
  lockOf(key: string): string {
    const { shards } = this.#rules;
    const name = 'web-set-operator';
    return shards === undefined ? name : `${name}-shard-${shardOfKey(key, shards)}`;
  }

  #of(lock: string): Tenure[] {
    return this.#byLock.get(lock) ?? [];
  }

  #change(lock: string, holder: string, at: number): void {
    const tenures = this.#of(lock);
    this.#byLock.set(lock, tenures);
    const last = tenures.at(-1);
    if (holder === '') {
      if (last !== undefined) last.until ??= at;
      return;
    }
    const isSame = last?.holder === holder && last.until === undefined;
    if (isSame && this.#rules.shards === undefined) return;
    if (last !== undefined) {
      this.#vacancies.push({ lock, ms: Math.max(0, at - this.#freeAt(last, Infinity)) });
    }
    this.terms += 1;
    tenures.push({ holder, since: at });
  }

  /** When others could have the lock after a tenure, by the renewals that were sent until a time. */
  #freeAt({ holder, since, until = Infinity }: Tenure, at: number): number {
    const renewals = (this.#renewals.get(holder) ?? []).filter((sent) => sent <= at);
    const renewed = Math.max(since, ...renewals);
    // A release, or a record of a dead holder that others have cleared after its lease.
    return Math.min(until, renewed + this.#rules.leaseDurationMs);
  }
}
