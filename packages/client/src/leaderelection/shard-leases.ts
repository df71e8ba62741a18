import type { Lease } from '../api/coordination/v1.ts';
import type { CallOptions, DeletionOptions, ListOptions } from '../rest/options.ts';
import type { LeaseClient } from './lease-lock.ts';
import type { ShardView } from './shard-assignment.ts';
import { hashOfText } from './shard-hash.ts';

/** The part of `clientset.coordinationV1.leases(namespace)` that a `ShardGroup` uses. */
export interface ShardLeaseClient extends LeaseClient {
  list(options?: ListOptions): Promise<{ readonly items: readonly Lease[] }>;
  delete(name: string, options?: CallOptions & DeletionOptions): Promise<unknown>;
}

/** The part of a `Clientset` that a `ShardGroup` uses. */
export interface ShardLeasesGetter {
  readonly coordinationV1: { leases(namespace: string): ShardLeaseClient };
}

/** The label with the name of the group, on all of its Leases. */
export const GROUP_LABEL = 'client-ts/sharding';
/** The label with what a Lease is for: `scheme`, `shard` or `replica`. */
export const ROLE_LABEL = 'client-ts/role';
/** The label with how keys map to shards: replicas that disagree must not work at the same time. */
export const SCHEME_LABEL = 'client-ts/scheme';
/** The label of the Lease of a replica: `true` if it is about to end. */
export const LEAVING_LABEL = 'client-ts/leaving';
/** The annotation with what the holder of a shard has saved for the next one. */
export const MEMO_ANNOTATION = 'client-ts/memo';

/** What a Lease of a group is for. */
export type ShardLeaseRole = 'replica' | 'scheme' | 'shard';

/** The names of the Leases of a group. */
export class ShardLeaseNames {
  readonly #group: string;

  constructor(group: string) {
    this.#group = group;
  }

  /** The Lease that records the scheme. */
  get scheme(): string {
    return `${this.#group}-shards`;
  }

  shard(shard: number): string {
    return `${this.#group}-shard-${shard}`;
  }

  replica(identity: string): string {
    return `${this.#group}-replica-${hashOfText(identity).toString(16).padStart(8, '0')}`;
  }

  /** Returns the labels of a Lease of the group. */
  labels(role: ShardLeaseRole, scheme: string): Record<string, string> {
    return { [GROUP_LABEL]: this.#group, [ROLE_LABEL]: role, [SCHEME_LABEL]: scheme };
  }
}

/** When a list was requested and when its answer arrived, on the local monotonic clock. */
export interface ListTimes {
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** What one list of the Leases of a group shows to one replica. */
export interface ShardSnapshot extends ShardView {
  /** The Lease of each shard; undefined if there is none yet. */
  readonly leases: readonly (Lease | undefined)[];
  /** The Lease that records the scheme; undefined if there is none yet. */
  readonly schemeLease: Lease | undefined;
  /** Live replicas that do not use this scheme, and live holders of which nothing else is known. */
  readonly others: readonly string[];
  /** Leases of replicas that ended long ago. */
  readonly left: readonly Lease[];
}

/** Options of {@link ReplicaRecords}. */
export interface ReplicaRecordsOptions {
  readonly names: ShardLeaseNames;
  readonly shards: number;
  readonly scheme: string;
  readonly identity: string;
  /** For records without a duration. */
  readonly leaseDurationMs: number;
  /** The time without a renewal after which a replica keeps its shards, and gets no others. */
  readonly suspectAfterMs: number;
}

/** A record of a replica, and when it was first read like this. */
interface Observation {
  readonly state: string;
  readonly since: number;
}

/** After this many lease durations the Lease of an ended replica is deleted. */
const KEPT_DURATIONS = 10;

/**
 * Tells live replicas from dead ones by the rule of the leader election: a replica is live until its
 * Lease has not changed for its duration, on the local clock, since it was first read in that state.
 * The clocks of different machines are never compared.
 *
 * A holder without a Lease counts as live for as long, because its Lease may have been deleted by
 * hand.
 */
export class ReplicaRecords {
  readonly #options: ReplicaRecordsOptions;
  #observations = new Map<string, Observation>();

  constructor(options: ReplicaRecordsOptions) {
    this.#options = options;
  }

  /** Takes in the answer of a list that was sent after all earlier ones had been answered. */
  see(items: readonly Lease[], times: ListTimes): ShardSnapshot {
    const { names, shards, scheme, identity } = this.#options;
    const byName = new Map(items.map((lease) => [lease.metadata?.name ?? '', lease]));
    const leases = Array.from({ length: shards }, (_, shard) => byName.get(names.shard(shard)));
    const replicas = items.filter((lease) => lease.metadata?.labels?.[ROLE_LABEL] === 'replica');
    const byIdentity = new Map(replicas.map((lease) => [holderOf(lease), lease]));
    const recorded = items
      .filter((lease) => lease.metadata?.labels?.[ROLE_LABEL] === 'shard')
      .map(holderOf);
    const known = new Set([...byIdentity.keys(), ...recorded, identity]);
    known.delete('');
    this.#observe(known, byIdentity, times);
    const live = [...known].filter(
      (one) => one === identity || this.#isLive(one, byIdentity, times),
    );
    const isLive = new Set(live);
    const takesPart = (one: string): boolean => {
      const labels = byIdentity.get(one)?.metadata?.labels;
      const isStaying = labels?.[SCHEME_LABEL] === scheme && labels[LEAVING_LABEL] !== 'true';
      return isStaying && this.#silentMs(one, times) <= this.#options.suspectAfterMs;
    };
    const usesScheme = (one: string): boolean =>
      byIdentity.get(one)?.metadata?.labels?.[SCHEME_LABEL] === scheme;
    return {
      leases,
      schemeLease: byName.get(names.scheme),
      holders: leases.map((lease) => {
        const holder = lease === undefined ? '' : holderOf(lease);
        return isLive.has(holder) ? holder : undefined;
      }),
      replicas: live.filter((one) => one === identity || takesPart(one)),
      others: live.filter((one) => one !== identity && !usesScheme(one)),
      left: replicas.filter((lease) => this.#isLongGone(lease, times)),
    };
  }

  #observe(
    identities: ReadonlySet<string>,
    byIdentity: ReadonlyMap<string, Lease>,
    { receivedAt }: ListTimes,
  ): void {
    const next = new Map<string, Observation>();
    for (const one of identities) {
      const state = byIdentity.get(one)?.metadata?.resourceVersion ?? '';
      const last = this.#observations.get(one);
      next.set(one, last?.state === state ? last : { state, since: receivedAt });
    }
    this.#observations = next;
  }

  /**
   * The list shows what was stored when it was sent or later: a replica that had renewed in time
   * before that would have another version.
   */
  #isLive(
    identity: string,
    byIdentity: ReadonlyMap<string, Lease>,
    { sentAt }: ListTimes,
  ): boolean {
    return this.#silentMs(identity, { sentAt }) <= this.#durationOf(byIdentity.get(identity));
  }

  /** The time since the Lease of a replica was first seen as it is. */
  #silentMs(identity: string, { sentAt }: Pick<ListTimes, 'sentAt'>): number {
    return sentAt - (this.#observations.get(identity)?.since ?? sentAt);
  }

  #isLongGone(lease: Lease, times: ListTimes): boolean {
    const holder = holderOf(lease);
    if (holder === '') return true;
    if (holder === this.#options.identity) return false;
    return this.#silentMs(holder, times) > this.#durationOf(lease) * KEPT_DURATIONS;
  }

  #durationOf(lease: Lease | undefined): number {
    const seconds = lease?.spec?.leaseDurationSeconds ?? 0;
    return seconds * 1000 || this.#options.leaseDurationMs;
  }
}

/** Returns the holder in a Lease; empty if there is none. */
export function holderOf({ spec }: Lease): string {
  return spec?.holderIdentity ?? '';
}
