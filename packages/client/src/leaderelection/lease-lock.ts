import { hostname } from 'node:os';
import type { Lease, LeaseSpec } from '../api/coordination/v1.ts';
import { type Random, systemRandom } from '../lib/random.ts';
import type { MicroTime, ObjectMeta, Open } from '../meta/types.ts';
import type { CallOptions } from '../rest/options.ts';
import { LeaderElectionError } from './leader-election-error.ts';

/** The record in a lock: who leads, since when and for how long. */
export interface LeaderElectionRecord {
  /** Empty if the last leader has released the lock. */
  readonly holderIdentity: string;
  /** The time without a change after which other candidates may take over; 0 if not recorded. */
  readonly leaseDurationSeconds: number;
  /** On the clock of the holder: informational, never compared with another clock. */
  readonly acquireTime?: MicroTime | undefined;
  /** On the clock of the holder, as {@link LeaderElectionRecord.acquireTime}. */
  readonly renewTime?: MicroTime | undefined;
  /** The number of times leadership has moved to another holder. */
  readonly leaderTransitions: number;
  /** Used by the server for coordinated leader election. */
  readonly strategy?: Open<'OldestEmulationVersion'> | undefined;
  /** Used by the server for coordinated leader election. */
  readonly preferredHolder?: string | undefined;
}

/** The fields of the record that a candidate writes. All other fields of the lock are kept. */
export interface WrittenRecord {
  readonly holderIdentity: string;
  readonly leaseDurationSeconds: number;
  /** Undefined keeps the stored value. */
  readonly acquireTime: MicroTime | undefined;
  readonly renewTime: MicroTime;
  readonly leaderTransitions: number;
}

/** Options of the requests of a {@link ResourceLock}. */
export interface LockOptions {
  /** Cancels the request. A write may or may not have taken effect. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A lock that one candidate at a time can hold: `resourcelock.Interface` in client-go. Use
 * {@link LeaseLock}; other implementations must guarantee:
 *
 * - `update` succeeds only if the record is unchanged since the last `get`, `create` or `update` of
 *   this lock, and otherwise rejects with an error for which `isConflict` is true,
 * - `create` succeeds only if there is no record; `get` then rejects with an error for which
 *   `isNotFound` is true,
 * - each resolves with the stored record.
 */
export interface ResourceLock {
  /** The identity of this candidate; unique within the election. */
  readonly identity: string;
  get(options?: LockOptions): Promise<LeaderElectionRecord>;
  create(record: WrittenRecord, options?: LockOptions): Promise<LeaderElectionRecord>;
  update(record: WrittenRecord, options?: LockOptions): Promise<LeaderElectionRecord>;
  /** Records a Kubernetes event about the lock; must not throw. */
  recordEvent(what: string): void;
  /** Returns the name of the lock for messages: `kube-system/my-controller`. */
  describe(): string;
}

/** The part of `clientset.coordinationV1.leases(namespace)` that a {@link LeaseLock} uses. */
export interface LeaseClient {
  get(name: string, options?: CallOptions): Promise<Lease>;
  create(lease: Lease, options?: CallOptions): Promise<Lease>;
  update(lease: Lease, options?: CallOptions): Promise<Lease>;
}

/** The part of a `Clientset` that a {@link LeaseLock} uses. */
export interface LeasesGetter {
  readonly coordinationV1: { leases(namespace: string): LeaseClient };
}

/** The object of an event: the Lease. */
export interface LeaderEventSubject {
  readonly apiVersion: 'coordination.k8s.io/v1';
  readonly kind: 'Lease';
  readonly metadata: ObjectMeta;
}

/** Records changes of leadership; an `EventRecorder` of `client-ts/record` fits. */
export interface LeaderEventRecorder {
  event(subject: LeaderEventSubject, type: 'Normal', reason: string, message: string): void;
}

/** Options of {@link LeaseLock}. */
export interface LeaseLockOptions {
  /** A `Clientset`. It needs `get`, `create` and `update` on leases of the namespace. */
  readonly client: LeasesGetter;
  readonly namespace: string;
  readonly name: string;
  /**
   * The identity of this candidate. Two candidates with one identity both lead: use the name of the
   * pod, not that of the Deployment. Default: the host name and a random suffix.
   */
  readonly identity?: string | undefined;
  /** Labels to set on the Lease with each write; its other labels are kept. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly eventRecorder?: LeaderEventRecorder | undefined;
  readonly random?: Pick<Random, 'uuid'> | undefined;
}

/**
 * A lock on a `coordination.k8s.io/v1` Lease. Each write is conditional on the version that was last
 * read or written, and keeps all fields of the Lease that are not part of the record, including
 * unknown ones and those of coordinated leader election. Use one lock per elector.
 */
export class LeaseLock implements ResourceLock {
  readonly identity: string;
  readonly #options: LeaseLockOptions;
  readonly #client: LeaseClient;
  /** The Lease as last returned by the server. */
  #lease: Lease | undefined;

  constructor(options: LeaseLockOptions) {
    const { client, namespace, random = systemRandom } = options;
    for (const option of ['namespace', 'name'] as const) {
      if (options[option] !== '') continue;
      const message = `${option} of the lease must not be empty`;
      throw new LeaderElectionError('LEADERELECTION_CONFIG_INVALID', message);
    }
    this.identity = options.identity ?? newIdentity(random);
    this.#options = options;
    this.#client = client.coordinationV1.leases(namespace);
  }

  async get(options: LockOptions = {}): Promise<LeaderElectionRecord> {
    return this.#remember(await this.#client.get(this.#options.name, options));
  }

  async create(record: WrittenRecord, options: LockOptions = {}): Promise<LeaderElectionRecord> {
    const { name, namespace, labels } = this.#options;
    const metadata = {
      name,
      namespace,
      ...(labels === undefined ? {} : { labels: { ...labels } }),
    };
    const lease: Lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata,
      spec: specOf(record),
    };
    return this.#remember(await this.#client.create(lease, options));
  }

  async update(record: WrittenRecord, options: LockOptions = {}): Promise<LeaderElectionRecord> {
    if (this.#lease === undefined) {
      throw new LeaderElectionError(
        'LEADERELECTION_LOCK_UNREAD',
        `lease ${this.describe()} was neither read nor created`,
      );
    }
    const { metadata, spec, ...rest } = this.#lease;
    const labels = { ...metadata?.labels, ...this.#options.labels };
    const lease: Lease = {
      ...rest,
      metadata: { ...metadata, ...(Object.keys(labels).length === 0 ? {} : { labels }) },
      spec: { ...spec, ...specOf(record) },
    };
    return this.#remember(await this.#client.update(lease, options));
  }

  recordEvent(what: string): void {
    const { eventRecorder, name, namespace } = this.#options;
    const { uid, resourceVersion } = this.#lease?.metadata ?? {};
    const metadata = {
      name,
      namespace,
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    };
    eventRecorder?.event(
      { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata },
      'Normal',
      'LeaderElection',
      `${this.identity} ${what}`,
    );
  }

  describe(): string {
    return `${this.#options.namespace}/${this.#options.name}`;
  }

  #remember(lease: Lease): LeaderElectionRecord {
    this.#lease = lease;
    const { spec = {} } = lease;
    return {
      holderIdentity: spec.holderIdentity ?? '',
      leaseDurationSeconds: spec.leaseDurationSeconds ?? 0,
      acquireTime: spec.acquireTime,
      renewTime: spec.renewTime,
      leaderTransitions: spec.leaseTransitions ?? 0,
      strategy: spec.strategy,
      preferredHolder: spec.preferredHolder,
    };
  }
}

/** Returns an identity for a process that was given none: the host name and a random suffix. */
export function newIdentity(random: Pick<Random, 'uuid'>): string {
  return `${hostname()}_${random.uuid()}`;
}

function specOf(record: WrittenRecord): LeaseSpec {
  return {
    holderIdentity: record.holderIdentity,
    leaseDurationSeconds: record.leaseDurationSeconds,
    ...(record.acquireTime === undefined ? {} : { acquireTime: record.acquireTime }),
    renewTime: record.renewTime,
    leaseTransitions: record.leaderTransitions,
  };
}
