import { hostname } from 'node:os';
import type { Lease, LeaseSpec } from '../api/coordination/v1.ts';
import { type Random, systemRandom } from '../lib/random.ts';
import type { ObjectMeta } from '../meta/types.ts';
import type { CallOptions } from '../rest/options.ts';
import { LeaderElectionError } from './leader-election-error.ts';
import type {
  LeaderElectionRecord,
  LockOptions,
  ResourceLock,
  WrittenRecord,
} from './resource-lock.ts';

/** What a {@link LeaseLock} needs of a client: `clientset.coordinationV1.leases(namespace)` has it. */
export interface LeaseClient {
  get(name: string, options?: CallOptions): Promise<Lease>;
  create(lease: Lease, options?: CallOptions): Promise<Lease>;
  update(lease: Lease, options?: CallOptions): Promise<Lease>;
}

/** What an event is about. */
export interface LeaderEventSubject {
  readonly apiVersion: 'coordination.k8s.io/v1';
  readonly kind: 'Lease';
  readonly metadata: ObjectMeta;
}

/** Where a lock tells who leads; the `EventRecorder` of `client-ts/record` is one. */
export interface LeaderEventSink {
  event(subject: LeaderEventSubject, type: 'Normal', reason: string, message: string): void;
}

/** How a {@link LeaseLock} is made. */
export interface LeaseLockOptions {
  readonly client: LeaseClient;
  readonly namespace: string;
  readonly name: string;
  /**
   * Who this candidate is. Two with one identity both lead, so that a pod's name is good and the name
   * of a Deployment is not. Default: the host's name and a random part.
   */
  readonly identity?: string;
  /** Set on the Lease with every write; other labels are left alone. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly events?: LeaderEventSink;
  readonly random?: Pick<Random, 'uuid'>;
}

/**
 * A lock on a `coordination.k8s.io/v1` Lease. Writes build on the version that was last read or
 * written, and keep every field of the Lease that is not theirs, those of coordinated election
 * (`strategy`, `preferredHolder`) and unknown ones included. One lock belongs to one elector.
 *
 * Of permissions it needs `get`, `create` and `update` on leases.
 */
export class LeaseLock implements ResourceLock {
  readonly identity: string;
  readonly #options: LeaseLockOptions;
  /** As the server last gave it. */
  #lease: Lease | undefined;

  constructor(options: LeaseLockOptions) {
    const { random = systemRandom, identity = `${hostname()}_${random.uuid()}` } = options;
    for (const option of ['namespace', 'name'] as const) {
      if (options[option] !== '') continue;
      const message = `${option} of the lease must not be empty`;
      throw new LeaderElectionError('LEADERELECTION_CONFIG_INVALID', message);
    }
    this.identity = identity;
    this.#options = options;
  }

  async get(options: LockOptions = {}): Promise<LeaderElectionRecord> {
    return this.#remember(await this.#options.client.get(this.#options.name, options));
  }

  async create(record: WrittenRecord, options: LockOptions = {}): Promise<LeaderElectionRecord> {
    const { client, name, namespace, labels } = this.#options;
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
    return this.#remember(await client.create(lease, options));
  }

  async update(record: WrittenRecord, options: LockOptions = {}): Promise<LeaderElectionRecord> {
    if (this.#lease === undefined) {
      throw new LeaderElectionError(
        'LEADERELECTION_LOCK_UNREAD',
        `the lease ${this.describe()} was neither read nor created yet`,
      );
    }
    const { metadata, spec, ...rest } = this.#lease;
    const labels = { ...metadata?.labels, ...this.#options.labels };
    const lease: Lease = {
      ...rest,
      metadata: { ...metadata, ...(Object.keys(labels).length === 0 ? {} : { labels }) },
      spec: { ...spec, ...specOf(record) },
    };
    return this.#remember(await this.#options.client.update(lease, options));
  }

  recordEvent(what: string): void {
    const { events, name, namespace } = this.#options;
    const { uid, resourceVersion } = this.#lease?.metadata ?? {};
    const metadata = {
      name,
      namespace,
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    };
    events?.event(
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
    return recordOf(lease.spec);
  }
}

/** Reads a Lease as an election record. */
export function recordOf(spec: LeaseSpec = {}): LeaderElectionRecord {
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

function specOf(record: WrittenRecord): LeaseSpec {
  return {
    holderIdentity: record.holderIdentity,
    leaseDurationSeconds: record.leaseDurationSeconds,
    ...(record.acquireTime === undefined ? {} : { acquireTime: record.acquireTime }),
    renewTime: record.renewTime,
    leaseTransitions: record.leaderTransitions,
  };
}
