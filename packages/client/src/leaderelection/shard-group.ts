import type { Lease, LeaseSpec } from '../api/coordination/v1.ts';
import { type Clock, sleep, systemClock } from '../lib/clock.ts';
import { withDeadline } from '../lib/deadline.ts';
import { describeError, type Logger, type LoggerOption, loggerOf } from '../lib/logger.ts';
import { guardCallback } from '../lib/callback.ts';
import { OptionError } from '../lib/option-error.ts';
import { type Random, systemRandom } from '../lib/random.ts';
import { abortable, anySignal } from '../lib/signal.ts';
import { isAlreadyExists, isConflict, isNotFound } from '../meta/error-guards.ts';
import { checkNameLength, validateDns1123Subdomain } from '../meta/names.ts';
import { formatMicroTime } from '../meta/time.ts';
import { retryOnConflict, type RetryOptions } from '../wait/retry.ts';
import { type ElectionTiming, electionTiming, requestTimeoutMs } from './election.ts';
import { electionSteps } from './diagnostics.ts';
import { LeaderElectionError } from './leader-election-error.ts';
import { type ElectionRunOptions, LeaderElector } from './leader-elector.ts';
import { LeaseLock, newIdentity } from './lease-lock.ts';
import { planShards } from './shard-assignment.ts';
import { type ShardHold, ShardHolding } from './shard-hold.ts';
import {
  holderOf,
  LEAVING_LABEL,
  GROUP_LABEL,
  ReplicaRecords,
  SCHEME_LABEL,
  type ShardLeaseClient,
  ShardLeaseNames,
  type ShardLeaseRole,
  type ShardLeasesGetter,
  type ShardSnapshot,
} from './shard-leases.ts';

/** A change of what a replica holds. */
export interface ShardChange {
  readonly shard: number;
  /**
   * `acquired`: this replica holds the shard. `ending`: its work was asked to end. `released`: the
   * shard is free for others. `lost`: the Lease of the replica could not be renewed.
   */
  readonly what: 'acquired' | 'ending' | 'lost' | 'released';
  /** See `ShardHold.term`. */
  readonly term: number;
}

/** Options of {@link ShardGroup}. */
export interface ShardGroupOptions extends LoggerOption {
  /** A `Clientset`. It needs `create`, `delete`, `get`, `list` and `update` on leases of the namespace. */
  readonly client: ShardLeasesGetter;
  readonly namespace: string;
  /** The name of the group: the prefix of the names of its Leases, and a label of them. */
  readonly name: string;
  /** The number of shards, from 1 to 1,024. All replicas must agree; see {@link ShardGroup}. */
  readonly shards: number;
  /** Names how keys map to shards if it is not by `shardOfKey`. Default `rendezvous`. */
  readonly scheme?: string | undefined;
  /** Unique per replica. Default: the host name and a random suffix. */
  readonly identity?: string | undefined;
  /** Labels to set on the Leases, beside those of the group. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** The time without a renewal after which others take over the shards of a replica. Default 15,000. */
  readonly leaseDurationMs?: number | undefined;
  /** The time after which a replica that cannot renew has lost its shards. Default 10,000. */
  readonly renewDeadlineMs?: number | undefined;
  /** The time between two renewals, and between two looks at the other replicas. Default 2,000. */
  readonly retryPeriodMs?: number | undefined;
  /** Called after each change of what this replica holds. */
  readonly onChange?: ((change: ShardChange) => void) | undefined;
  /** Called with failed requests, which are repeated. Default: logs a warning when they start to fail. */
  readonly onError?: ((error: unknown) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

/** What a replica knows of the shards. It may have changed since. */
export interface ShardGroupStatus {
  readonly identity: string;
  /** The shards that this replica holds, in order; also those that it is about to release. */
  readonly held: readonly number[];
  /** The holder of each shard; undefined if there is none. */
  readonly holders: readonly (string | undefined)[];
  /** The replicas that share the shards, in order. */
  readonly replicas: readonly string[];
  /** The replicas with another number of shards that have to end first. */
  readonly waitingFor: readonly string[];
}

/** The names of the Leases add to the name of the group. */
const LONGEST_NAME = 50;
const MOST_SHARDS = 1024;

/** After this many missed renewals a replica gets no more shards: it may be dead. */
const SUSPECT_PERIODS = 2;

/** The spread of the looks of replicas that were started together. */
const LOOK_JITTER = 0.2;

/**
 * Shares a number of shards between replicas, all of which work: each shard is held by one replica
 * at a time, in fair shares, which move when replicas come and go.
 *
 * Each replica renews one Lease of its own, and that is what keeps its shards; each shard has a Lease
 * that names its holder, and every change of it is conditional. Guarantees, for clocks that run at
 * about the same rate (see `LeaderElector`):
 *
 * - `isHeld` of a shard is never true in two replicas at the same time, whatever the server, the
 *   network and the scheduler do.
 * - A shard that moves is released when the work on it has ended, and acquired after that.
 * - A replica that cannot renew its Lease loses all of its shards, waits until the work on them has
 *   ended, and takes part again.
 * - Replicas with another number of shards, or another `scheme`, never hold shards at the same time:
 *   the later ones wait until all of the earlier ones have ended.
 *
 * A shard without a holder is acquired within two `retryPeriodMs`, one of a dead replica after
 * `leaseDurationMs` more.
 */
export class ShardGroup {
  /** The identity of this replica. */
  readonly identity: string;
  readonly shards: number;
  readonly #options: ShardGroupOptions;
  readonly #timing: ElectionTiming;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #logger: Logger;
  readonly #leases: ShardLeaseClient;
  readonly #names: ShardLeaseNames;
  readonly #scheme: string;
  readonly #records: ReplicaRecords;
  readonly #onChange: (change: ShardChange) => void;
  readonly #failure = new AbortController();
  /** The labels of the own Lease; they are set with each renewal. */
  readonly #ownLabels: Record<string, string>;
  readonly #holdings = new Map<number, ShardHolding>();
  #elector: LeaderElector | undefined;
  #snapshot: ShardSnapshot | undefined;
  /** True if the scheme was confirmed in this term. */
  #isConfirmed = false;
  #isRunning = false;

  constructor(options: ShardGroupOptions) {
    const { client, namespace, name, shards, scheme = 'rendezvous' } = options;
    const { clock = systemClock, random = systemRandom } = options;
    const problems = [
      ...checkNameLength(name, LONGEST_NAME, 'characters'),
      ...validateDns1123Subdomain(name),
    ];
    if (problems.length > 0) throw new OptionError('name', `"${name}" ${problems.join(', ')}`);
    if (!Number.isInteger(shards) || shards < 1 || shards > MOST_SHARDS) {
      throw new OptionError('shards', `${shards} is not a whole number from 1 to ${MOST_SHARDS}`);
    }
    this.#timing = electionTiming(options);
    this.#options = options;
    this.#clock = clock;
    this.#random = random;
    this.#logger = loggerOf(options.logger);
    this.#leases = client.coordinationV1.leases(namespace);
    this.#names = new ShardLeaseNames(name);
    this.#scheme = `${scheme}-${shards}`;
    this.shards = shards;
    // Said in both cases: the Lease may be that of an earlier process with the same identity.
    this.#ownLabels = { ...this.#labels('replica'), [LEAVING_LABEL]: 'false' };
    this.identity = options.identity ?? newIdentity(random);
    this.#records = new ReplicaRecords({
      names: this.#names,
      shards,
      scheme: this.#scheme,
      identity: this.identity,
      leaseDurationMs: this.#timing.leaseDurationMs,
      suspectAfterMs: this.#timing.retryPeriodMs * SUSPECT_PERIODS,
    });
    this.#onChange = guardCallback('onChange of the shards', options.onChange, this.#logger);
  }

  /** True while this replica has a valid Lease, with or without shards. Compares the clock. */
  get isMember(): boolean {
    return this.#elector?.isLeader === true;
  }

  get status(): ShardGroupStatus {
    const { holders = [], replicas = [], others = [] } = this.#snapshot ?? {};
    const held = [...this.#holdings.values()].filter(({ isHeld }) => isHeld);
    const own = new Set(held.map(({ shard }) => shard));
    return {
      identity: this.identity,
      held: [...own].sort((left, right) => left - right),
      holders: Array.from({ length: this.shards }, (_, shard) => {
        if (own.has(shard)) return this.identity;
        return holders[shard] === this.identity ? undefined : holders[shard];
      }),
      replicas: [...replicas].sort(),
      waitingFor: this.#isConfirmed ? [] : [...others].sort(),
    };
  }

  /**
   * Returns an error if this replica still works on shards although its Lease expired more than
   * `maxTolerableExpiredLeaseMs` ago. Use it in a liveness probe.
   */
  check(maxTolerableExpiredLeaseMs = 0): LeaderElectionError | undefined {
    return this.#elector?.check(maxTolerableExpiredLeaseMs);
  }

  /**
   * Takes part until the signal aborts, and calls `work` for each shard that this replica acquires.
   * The shard is kept until `work` has settled, and `work` has to settle soon after the signal of its
   * hold has aborted. Resolves when all work has ended and the shards are released. Rejects with the
   * error of a `work` that failed for another reason than its signal.
   */
  async run(
    work: (hold: ShardHold) => Promise<void>,
    { signal }: ElectionRunOptions = {},
  ): Promise<void> {
    if (this.#isRunning) {
      throw new LeaderElectionError('LEADERELECTION_RUN_TWICE', 'the group is already running');
    }
    this.#isRunning = true;
    using stop = anySignal([signal, this.#failure.signal]);
    while (!stop.signal.aborted) {
      const elector = this.#newElector();
      this.#elector = elector;
      await elector.lead((term) => this.#takePart(term, elector, work), { signal: stop.signal });
    }
    await this.#removeOwn();
    this.#failure.signal.throwIfAborted();
  }

  async #takePart(
    term: AbortSignal,
    elector: LeaderElector,
    work: (hold: ShardHold) => Promise<void>,
  ): Promise<void> {
    this.#isConfirmed = false;
    for (;;) {
      // Also before the first look: replicas that start together see each other, and fewer shards move.
      const jitter = 1 + this.#random.next() * LOOK_JITTER;
      const periodMs = this.#timing.retryPeriodMs * jitter;
      await sleep(this.#clock, periodMs, { signal: term }).catch(() => undefined);
      if (term.aborted) break;
      await this.#look(term, elector, work);
    }
    if (term.reason instanceof LeaderElectionError) {
      for (const holding of this.#holdings.values()) this.#lose(holding, term.reason);
    } else {
      await this.#leave();
      for (const holding of this.#holdings.values()) this.#end(holding, term.reason);
    }
    await Promise.all([...this.#holdings.values()].map(({ ended }) => ended));
  }

  /** Looks at the Leases of all replicas, and acquires and releases shards. */
  async #look(
    term: AbortSignal,
    elector: LeaderElector,
    work: (hold: ShardHold) => Promise<void>,
  ): Promise<void> {
    try {
      const snapshot = await this.#list(term);
      if (!this.#isConfirmed) this.#isConfirmed = await this.#confirmScheme(snapshot, term);
      if (!this.#isConfirmed) return;
      const held = new Set(this.#holdings.keys());
      const { acquire, release } = planShards(snapshot, this.identity, held);
      await Promise.all([
        ...acquire.map((shard) => this.#acquire(shard, snapshot, { term, elector, work })),
        ...release.map((shard) => this.#giveUp(shard, snapshot, term)),
        ...expired(snapshot, acquire).map((shard) => this.#clear(shard, snapshot, term)),
        this.#tidy(snapshot, term),
      ]);
    } catch (error) {
      if (!term.aborted) this.#report(error);
    }
  }

  async #list(signal: AbortSignal): Promise<ShardSnapshot> {
    const sentAt = this.#clock.monotonic();
    const { name } = this.#options;
    const { items } = await this.#request(signal, (options) =>
      this.#leases.list({ ...options, labelSelector: `${GROUP_LABEL}=${name}` }),
    );
    const snapshot = this.#records.see(items, { sentAt, receivedAt: this.#clock.monotonic() });
    this.#snapshot = snapshot;
    return snapshot;
  }

  /**
   * Returns true if the scheme of the group is that of this replica. Every replica writes the Lease of
   * the scheme once in each term, after its own Lease; so a change of the scheme, which is conditional
   * on a list without live replicas of the old one, fails if one has joined meanwhile.
   */
  async #confirmScheme(
    { schemeLease, others }: ShardSnapshot,
    signal: AbortSignal,
  ): Promise<boolean> {
    const name = this.#names.scheme;
    const lease = (from: Lease): Lease => this.#written(name, 'scheme', from, this.identity);
    try {
      if (schemeLease === undefined) {
        await this.#request(signal, (options) => this.#leases.create(lease({}), options));
        return true;
      }
      if (schemeOf(schemeLease) !== this.#scheme) {
        if (others.length > 0) return false;
        await this.#request(signal, (options) => this.#leases.update(lease(schemeLease), options));
        return true;
      }
      return await retryOnConflict(async () => {
        const stored = await this.#request(signal, (options) => this.#leases.get(name, options));
        if (schemeOf(stored) !== this.#scheme) return false;
        await this.#request(signal, (options) => this.#leases.update(lease(stored), options));
        return true;
      }, this.#retry(signal));
    } catch (error) {
      if (isLostRace(error)) return false;
      throw error;
    }
  }

  async #acquire(
    shard: number,
    { leases }: ShardSnapshot,
    { term, elector, work }: ShardTerm,
  ): Promise<void> {
    const name = this.#names.shard(shard);
    const old = leases[shard];
    const transitions = (old?.spec?.leaseTransitions ?? 0) + 1;
    const wanted = this.#written(name, 'shard', old ?? {}, this.identity, transitions);
    const verb = old === undefined ? 'create' : 'update';
    let lease: Lease;
    try {
      lease = await this.#request(term, (options) => this.#leases[verb](wanted, options));
    } catch (error) {
      if (!term.aborted && !isLostRace(error)) this.#report(error);
      return;
    }
    if (term.aborted || !elector.isLeader) return;
    const holding = new ShardHolding({
      shard,
      name,
      lease,
      identity: this.identity,
      isMember: () => elector.isLeader,
      get: () => this.#request(undefined, (options) => this.#leases.get(name, options)),
      update: (next) => this.#request(undefined, (options) => this.#leases.update(next, options)),
      retry: this.#retry(),
    });
    this.#holdings.set(shard, holding);
    this.#notify(holding, 'acquired');
    void this.#hold(holding, work);
  }

  async #hold(holding: ShardHolding, work: (hold: ShardHold) => Promise<void>): Promise<void> {
    const { shard } = holding;
    const name = this.#names.shard(shard);
    const outcome = await holding.run(work, {
      release: (lease) => this.#written(name, 'shard', lease, ''),
      onWorkError: (error) => this.#failure.abort(error),
      onReleaseError: (error) => this.#report(error),
    });
    this.#holdings.delete(shard);
    if (!holding.lost.aborted) this.#notify(holding, outcome);
  }

  /** Ends the work on a shard, or corrects a record of this replica that has no work. */
  async #giveUp(shard: number, snapshot: ShardSnapshot, signal: AbortSignal): Promise<void> {
    const holding = this.#holdings.get(shard);
    const reason = new DOMException(`shard ${shard} moves to another replica`, 'AbortError');
    if (holding === undefined) await this.#clear(shard, snapshot, signal);
    else this.#end(holding, reason);
  }

  /** Removes the holder of a shard, which does not hold it any more, from its Lease. */
  async #clear(shard: number, { leases }: ShardSnapshot, signal: AbortSignal): Promise<void> {
    const lease = leases[shard];
    if (lease === undefined) return;
    const released = this.#written(this.#names.shard(shard), 'shard', lease, '');
    await this.#request(signal, (options) => this.#leases.update(released, options)).catch(
      (error: unknown) => {
        if (!signal.aborted && !isLostRace(error)) this.#report(error);
      },
    );
  }

  /** Deletes the Leases of replicas that ended long ago; one replica does it for all. */
  async #tidy({ left, replicas }: ShardSnapshot, signal: AbortSignal): Promise<void> {
    if ([...replicas].sort()[0] !== this.identity) return;
    for (const lease of left) await this.#remove(lease, signal);
  }

  async #remove({ metadata = {} }: Lease, signal: AbortSignal | undefined): Promise<void> {
    const { name = '', resourceVersion = '' } = metadata;
    try {
      await this.#request(signal, (options) =>
        this.#leases.delete(name, { ...options, preconditions: { resourceVersion } }),
      );
    } catch (error) {
      if (signal?.aborted !== true && !isLostRace(error)) this.#report(error);
    }
  }

  /** Announces the end, so that no shard is assigned to this replica any more. */
  async #leave(): Promise<void> {
    this.#ownLabels[LEAVING_LABEL] = 'true';
    if (this.#holdings.size === 0) return;
    const name = this.#names.replica(this.identity);
    try {
      await retryOnConflict(async () => {
        const lease = await this.#request(undefined, (options) => this.#leases.get(name, options));
        if (holderOf(lease) !== this.identity) return;
        const { metadata } = lease;
        const labels = { ...metadata?.labels, ...this.#ownLabels };
        await this.#request(undefined, (options) =>
          this.#leases.update({ ...lease, metadata: { ...metadata, labels } }, options),
        );
      }, this.#retry());
    } catch (error) {
      if (!isLostRace(error)) this.#report(error);
    }
  }

  /** Deletes the own Lease at the end of a run, if it was released. */
  async #removeOwn(): Promise<void> {
    try {
      const name = this.#names.replica(this.identity);
      const lease = await this.#request(undefined, (options) => this.#leases.get(name, options));
      if (holderOf(lease) === '') await this.#remove(lease, undefined);
    } catch (error) {
      if (!isLostRace(error)) this.#report(error);
    }
  }

  #end(holding: ShardHolding, reason: unknown): void {
    if (holding.isEnding) return;
    this.#notify(holding, 'ending');
    holding.end(reason);
  }

  #lose(holding: ShardHolding, reason: unknown): void {
    this.#notify(holding, 'lost');
    holding.lose(reason);
  }

  #notify({ shard, term }: ShardHolding, what: ShardChange['what']): void {
    this.#onChange({ shard, what, term });
    if (what === 'ending' || !electionSteps.hasSubscribers) return;
    electionSteps.publish({
      lease: `${this.#options.namespace}/${this.#names.shard(shard)}`,
      identity: this.identity,
      what,
      leader: what === 'acquired' ? this.identity : '',
      term,
    });
  }

  #lock(): LeaseLock {
    const { client, namespace } = this.#options;
    const { identity } = this;
    const name = this.#names.replica(identity);
    return new LeaseLock({ client, namespace, name, identity, labels: this.#ownLabels });
  }

  #newElector(): LeaderElector {
    const { onError, logger } = this.#options;
    return new LeaderElector({
      ...this.#timing,
      lock: this.#lock(),
      releaseOnCancel: true,
      clock: this.#clock,
      random: this.#random,
      logger,
      onError,
    });
  }

  #labels(role: ShardLeaseRole): Record<string, string> {
    return { ...this.#options.labels, ...this.#names.labels(role, this.#scheme) };
  }

  /** Returns a Lease to write: what is stored, with another holder. */
  #written(
    name: string,
    role: 'scheme' | 'shard',
    { metadata, spec, ...rest }: Lease,
    holderIdentity: string,
    leaseTransitions = spec?.leaseTransitions ?? 0,
  ): Lease {
    const now = formatMicroTime(this.#clock.now());
    const written: LeaseSpec = {
      holderIdentity,
      leaseDurationSeconds: Math.ceil(this.#timing.leaseDurationMs / 1000),
      renewTime: now,
      leaseTransitions,
      ...(holderIdentity !== '' && { acquireTime: now }),
    };
    return {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      ...rest,
      metadata: {
        ...metadata,
        name,
        namespace: this.#options.namespace,
        labels: { ...metadata?.labels, ...this.#labels(role) },
      },
      spec: { ...spec, ...written },
    };
  }

  async #request<T>(
    signal: AbortSignal | undefined,
    send: (options: { readonly signal: AbortSignal }) => Promise<T>,
  ): Promise<T> {
    const timeoutMs = requestTimeoutMs(this.#timing);
    using limited = withDeadline(signal, {
      clock: this.#clock,
      timeoutMs,
      reason: () =>
        new LeaderElectionError(
          'LEADERELECTION_REQUEST_SLOW',
          `shards ${this.#options.namespace}/${this.#options.name}: no response within ${timeoutMs} ms`,
        ),
    });
    return await abortable(send({ signal: limited.signal }), limited.signal);
  }

  #retry(signal?: AbortSignal): RetryOptions {
    return { signal, clock: this.#clock, random: this.#random };
  }

  #report(error: unknown): void {
    const { onError } = this.#options;
    if (onError !== undefined) onError(error);
    else {
      const { name } = this.#options;
      this.#logger.warn(`shards ${name}: ${describeError(error)}`, {
        event: 'shards.failed',
        name,
      });
    }
  }
}

/** One term of a replica. */
interface ShardTerm {
  readonly term: AbortSignal;
  readonly elector: LeaderElector;
  readonly work: (hold: ShardHold) => Promise<void>;
}

/**
 * Returns the shards of dead replicas that another one should have. It may have started too late to know
 * that they are dead, so that the record has to say it.
 */
function expired({ leases, holders }: ShardSnapshot, acquired: readonly number[]): number[] {
  return leases.flatMap((lease, shard) => {
    const isExpired = lease !== undefined && holderOf(lease) !== '' && holders[shard] === undefined;
    return isExpired && !acquired.includes(shard) ? [shard] : [];
  });
}

function schemeOf({ metadata }: Lease): string | undefined {
  return metadata?.labels?.[SCHEME_LABEL];
}

/** Another replica was faster; the next look shows the result. */
function isLostRace(error: unknown): boolean {
  return isConflict(error) || isAlreadyExists(error) || isNotFound(error);
}
