import assert from 'node:assert/strict';
import type { Lease } from '../api/coordination/v1.ts';
import { seededRandom } from '../lib/random.ts';
import { newAlreadyExists, newConflict, newNotFound } from '../meta/error-factories.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { type ShardChange, ShardGroup, type ShardGroupOptions } from './shard-group.ts';
import type { ShardHold } from './shard-hold.ts';
import type { ShardLeaseClient } from './shard-leases.ts';
import { type ClockFlaws, type Network, ProcessClock } from './test-world.ts';

const resource = { group: 'coordination.k8s.io', resource: 'leases' };

/** A server with any number of Leases. */
export class LeaseServer {
  readonly leases: Map<string, Lease> = new Map();
  /** The holders of each Lease so far, in order. */
  readonly holders: Map<string, string[]> = new Map();
  #version = 0;

  get(name: string): Lease {
    const lease = this.leases.get(name);
    if (lease === undefined) throw newNotFound(resource, name);
    return structuredClone(lease);
  }

  create(lease: Lease): Lease {
    const { name = '' } = lease.metadata ?? {};
    if (this.leases.has(name)) throw newAlreadyExists(resource, name);
    return this.#store(name, lease);
  }

  update(lease: Lease): Lease {
    const { name = '', resourceVersion } = lease.metadata ?? {};
    this.#require(name, resourceVersion);
    return this.#store(name, lease);
  }

  delete(name: string, resourceVersion?: string): void {
    this.#require(name, resourceVersion);
    this.leases.delete(name);
  }

  list(labelSelector: string): Lease[] {
    const [label = '', value] = labelSelector.split('=');
    const all = [...this.leases.values()].map((lease) => structuredClone(lease));
    return all.filter(({ metadata }) => metadata?.labels?.[label] === value);
  }

  #require(name: string, resourceVersion: string | undefined): void {
    const stored = this.get(name).metadata?.resourceVersion;
    if (resourceVersion !== undefined && stored !== resourceVersion) {
      throw newConflict(resource, name, 'the object has been modified');
    }
  }

  #store(name: string, lease: Lease): Lease {
    this.#version += 1;
    const metadata = { ...lease.metadata, resourceVersion: `${this.#version}` };
    this.leases.set(name, structuredClone({ ...lease, metadata }));
    const holders = this.holders.get(name) ?? [];
    const { holderIdentity = '' } = lease.spec ?? {};
    if (holders.at(-1) !== holderIdentity) holders.push(holderIdentity);
    this.holders.set(name, holders);
    return this.get(name);
  }
}

/** Options of {@link Replica}. */
export interface ReplicaOptions extends Partial<
  Omit<ShardGroupOptions, 'clock' | 'onChange' | 'onError' | 'random'>
> {
  readonly identity: string;
  readonly flaws?: ClockFlaws;
  /** The time that work takes to end. Default 0. */
  readonly drainMs?: number;
}

/** A process that takes part, with its own clock and network. */
export class Replica {
  readonly identity: string;
  readonly clock: ProcessClock;
  readonly network: Network = { fate: 'delivered', thereMs: 0, backMs: 0 };
  readonly changes: ShardChange[] = [];
  readonly errors: unknown[] = [];
  /** What it works on, by shard. */
  readonly working: Map<number, ShardHold> = new Map();
  /** Called when work on a shard begins. */
  onWork: (hold: ShardHold) => void = () => undefined;
  readonly #options: ReplicaOptions;
  readonly #world: ShardWorld;
  #group: ShardGroup | undefined;
  #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #isWanted = false;

  constructor(world: ShardWorld, options: ReplicaOptions) {
    this.#world = world;
    this.#options = options;
    this.identity = options.identity;
    this.clock = new ProcessClock(world.clock, options.flaws);
  }

  get group(): ShardGroup {
    assert.ok(this.#group !== undefined);
    return this.#group;
  }

  /** The shards that it would write for; none while it is paused. */
  get held(): readonly number[] {
    if (this.clock.isPaused) return [];
    return [...this.working.values()].filter(({ isHeld }) => isHeld).map(({ shard }) => shard);
  }

  /** Starts it, after an earlier run has ended. */
  start(): void {
    if (this.#isWanted) return;
    this.#isWanted = true;
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.#running = this.#running.then(async () => {
      this.#group = this.#newGroup();
      await this.#group.run((hold) => this.#work(hold), { signal });
    });
  }

  stop(): void {
    this.#isWanted = false;
    this.#stop.abort();
  }

  /** The current run. */
  get running(): Promise<void> {
    return this.#running;
  }

  async end(): Promise<void> {
    this.stop();
    await this.#running;
  }

  async #work(hold: ShardHold): Promise<void> {
    assert.equal(this.working.has(hold.shard), false, 'works twice on a shard');
    this.working.set(hold.shard, hold);
    this.onWork(hold);
    this.#world.check();
    await new Promise((resolve) => {
      hold.signal.addEventListener('abort', resolve);
    });
    if (hold.lost.aborted) assert.equal(hold.isHeld, false);
    const { drainMs = 0 } = this.#options;
    await new Promise<void>((resolve) => void this.clock.schedule(drainMs, resolve));
    this.working.delete(hold.shard);
  }

  #newGroup(): ShardGroup {
    const { flaws: _, drainMs: __, ...options } = this.#options;
    const { server } = this.#world;
    const leases: ShardLeaseClient = {
      get: (name, { signal } = {}) => this.#send(() => server.get(name), signal),
      create: (lease, { signal } = {}) => this.#send(() => server.create(lease), signal),
      update: (lease, { signal } = {}) => this.#send(() => server.update(lease), signal),
      list: ({ labelSelector, signal } = {}) =>
        this.#send(() => ({ items: server.list(String(labelSelector)) }), signal),
      delete: (name, { signal, preconditions } = {}) =>
        this.#send(() => server.delete(name, preconditions?.resourceVersion), signal),
    };
    return new ShardGroup({
      client: { coordinationV1: { leases: () => leases } },
      namespace: 'apps',
      name: 'sites',
      shards: 4,
      ...options,
      clock: this.clock,
      random: seededRandom(this.identity.charCodeAt(0)),
      onChange: (change) => void this.changes.push(change),
      onError: (error) => void this.errors.push(error),
    });
  }

  #send<T>(handle: () => T, signal: AbortSignal | undefined): Promise<T> {
    return this.clock.exchange(this.network, handle, signal);
  }
}

/** The true time, one server and the replicas. */
export class ShardWorld {
  readonly clock: VirtualClock = new VirtualClock();
  readonly server: LeaseServer = new LeaseServer();
  readonly replicas: Replica[] = [];

  replica(options: ReplicaOptions): Replica {
    const replica = new Replica(this, options);
    this.replicas.push(replica);
    return replica;
  }

  /** Advances the time and checks after each step that each shard has at most one holder. */
  async pass(ms: number): Promise<void> {
    let left = ms;
    await this.clock.advance(0);
    for (;;) {
      this.check();
      const next = this.clock.untilNext;
      if (next === undefined || next > left) break;
      left -= next;
      await this.clock.advance(next);
    }
    await this.clock.advance(left);
    this.check();
  }

  /** Also of replicas with another number of shards. */
  check(): void {
    const holders = new Map<number, string>();
    const schemes = new Set<number>();
    for (const replica of this.replicas) {
      for (const shard of replica.held) {
        const other = holders.get(shard);
        assert.equal(other, undefined, `${other} and ${replica.identity} both hold ${shard}`);
        holders.set(shard, replica.identity);
        schemes.add(replica.group.shards);
      }
    }
    assert.ok(schemes.size <= 1, `replicas with ${[...schemes].join(' and ')} shards both work`);
  }

  /** The shards of each replica. */
  shares(): Readonly<Record<string, readonly number[]>> {
    return Object.fromEntries(
      this.replicas.map(({ identity, held }) => [identity, [...held].sort((a, b) => a - b)]),
    );
  }
}
