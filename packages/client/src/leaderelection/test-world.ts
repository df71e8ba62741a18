import assert from 'node:assert/strict';
import type { Lease } from '../api/coordination/v1.ts';
import type { Clock, ScheduledCall } from '../lib/clock.ts';
import { seededRandom } from '../lib/random.ts';
import { newAlreadyExists, newConflict, newNotFound } from '../meta/error-factories.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import {
  type LeaderElectionConfig,
  LeaderElector,
  type LeadershipOutcome,
} from './leader-elector.ts';
import { type LeaseClient, LeaseLock, type LeaseLockOptions } from './lease-lock.ts';

const resource = { group: 'coordination.k8s.io', resource: 'leases' };
export const leaseName = 'controller';

/**
 * What the network does with a request. `refused`: fails before it arrives. `answerLost`: takes
 * effect, then fails. `silent`: neither arrives nor fails. `doneSilently`: takes effect without a
 * response.
 */
export type Fate = 'answerLost' | 'delivered' | 'doneSilently' | 'refused' | 'silent';

/** The network of one process. */
export interface Network {
  fate: Fate;
  /** The time until a request arrives. */
  thereMs: number;
  /** The time until a response arrives. */
  backMs: number;
}

/** A server with one Lease. */
export class ModelServer {
  readonly log: string[] = [];
  lease: Lease | undefined;
  #version = 0;

  get(): Lease {
    if (this.lease === undefined) throw newNotFound(resource, leaseName);
    return structuredClone(this.lease);
  }

  create(lease: Lease): Lease {
    if (this.lease !== undefined) throw newAlreadyExists(resource, leaseName);
    return this.#store(lease);
  }

  update(lease: Lease): Lease {
    if (this.lease === undefined) throw newNotFound(resource, leaseName);
    if (lease.metadata?.resourceVersion !== this.lease.metadata?.resourceVersion) {
      throw newConflict(resource, leaseName, 'the object has been modified');
    }
    return this.#store(lease);
  }

  /** Overwrites the Lease. */
  put(spec: Lease['spec']): void {
    this.#store({ metadata: { name: leaseName }, ...(spec !== undefined && { spec }) });
  }

  /** Deletes the Lease. */
  delete(): void {
    this.lease = undefined;
  }

  #store(lease: Lease): Lease {
    this.#version += 1;
    this.lease = structuredClone({
      ...lease,
      metadata: { ...lease.metadata, uid: 'u-1', resourceVersion: `${this.#version}` },
    });
    return this.get();
  }
}

/** The errors of the clock of a process. */
export interface ClockFlaws {
  /** How far its wall clock is ahead. */
  readonly skewMs?: number;
  /** Its rate; 1 is correct. */
  readonly rate?: number;
  /** The monotonic clock stops during a pause, as on a sleeping machine. */
  readonly sleeps?: boolean;
}

/** The clock of one process. While it is paused no callback of the process runs. */
export class ProcessClock implements Clock {
  readonly #true: VirtualClock;
  readonly #flaws: Required<ClockFlaws>;
  readonly #held: (() => void)[] = [];
  #pausedAt: number | undefined;
  #sleptMs = 0;

  constructor(clock: VirtualClock, { skewMs = 0, rate = 1, sleeps = false }: ClockFlaws = {}) {
    this.#true = clock;
    this.#flaws = { skewMs, rate, sleeps };
  }

  get isPaused(): boolean {
    return this.#pausedAt !== undefined;
  }

  now(): number {
    return this.#true.now() * this.#flaws.rate + this.#flaws.skewMs;
  }

  monotonic(): number {
    const sleeping = this.#pausedAt === undefined ? 0 : this.#true.monotonic() - this.#pausedAt;
    const slept = this.#flaws.sleeps ? this.#sleptMs + sleeping : 0;
    return (this.#true.monotonic() - slept) * this.#flaws.rate;
  }

  schedule(delayMs: number, callback: () => void): ScheduledCall {
    const due = this.monotonic() + Math.max(0, delayMs);
    let isCancelled = false;
    let call: ScheduledCall | undefined;
    const arm = (): void => {
      const left = Math.max(0, due - this.monotonic()) / this.#flaws.rate;
      call = this.#true.schedule(left, () => this.deliver(fire));
    };
    const fire = (): void => {
      if (isCancelled) return;
      if (due - this.monotonic() > 0.001) arm();
      else callback();
    };
    arm();
    const cancel = (): void => {
      isCancelled = true;
      call?.cancel();
    };
    return { cancel, [Symbol.dispose]: cancel };
  }

  /** Runs the callback in the process: now, or after the pause. */
  deliver(callback: () => void): void {
    if (this.isPaused) this.#held.push(callback);
    else callback();
  }

  /** Sends a request of the process through its network, and returns the answer. */
  exchange<T>(
    { fate, thereMs, backMs }: Network,
    handle: () => T,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      const answer = (settle: () => void): void => {
        this.#true.schedule(backMs, () => this.deliver(settle));
      };
      if (fate === 'silent') return;
      if (fate === 'refused') {
        answer(() => reject(new Error('connection refused')));
        return;
      }
      // A sent request arrives even if the sender is paused or has stopped waiting.
      this.#true.schedule(thereMs, () => {
        let result: () => void;
        try {
          const value = handle();
          result = () => resolve(value);
        } catch (error) {
          result = () => reject(error);
        }
        if (fate === 'delivered') answer(result);
        if (fate === 'answerLost') answer(() => reject(new Error('connection reset')));
      });
    });
  }

  pause(): void {
    this.#pausedAt ??= this.#true.monotonic();
  }

  resume(): void {
    if (this.#pausedAt === undefined) return;
    this.#sleptMs += this.#true.monotonic() - this.#pausedAt;
    this.#pausedAt = undefined;
    for (const callback of this.#held.splice(0)) {
      this.#true.schedule(0, () => this.deliver(callback));
    }
  }
}

/** Options of {@link Candidate}. */
export interface CandidateOptions extends Omit<LeaderElectionConfig, 'clock' | 'lock' | 'random'> {
  readonly identity?: string;
  readonly clock?: ClockFlaws;
  readonly lock?: Partial<LeaseLockOptions>;
}

/** A process that takes part in the election, with its own clock and network. */
export class Candidate {
  readonly identity: string;
  readonly clock: ProcessClock;
  readonly network: Network = { fate: 'delivered', thereMs: 0, backMs: 0 };
  readonly elector: LeaderElector;
  readonly lock: LeaseLock;
  /** The callbacks that were called, in order. */
  readonly calls: string[] = [];
  readonly errors: unknown[] = [];
  readonly #world: World;
  #stop = new AbortController();

  constructor(
    world: World,
    { identity = 'a', clock, lock, callbacks, ...options }: CandidateOptions,
  ) {
    this.#world = world;
    this.identity = identity;
    this.clock = new ProcessClock(world.clock, clock);
    const leases: LeaseClient = {
      get: (_, { signal } = {}) => this.#send('get', () => world.server.get(), signal),
      create: (lease, { signal } = {}) =>
        this.#send('create', () => world.server.create(lease), signal),
      update: (lease, { signal } = {}) =>
        this.#send('update', () => world.server.update(lease), signal),
    };
    const client = { coordinationV1: { leases: () => leases } };
    this.lock = new LeaseLock({ client, namespace: 'apps', name: leaseName, identity, ...lock });
    this.elector = new LeaderElector({
      lock: this.lock,
      clock: this.clock,
      random: seededRandom(identity.charCodeAt(0)),
      onError: (error) => void this.errors.push(error),
      ...options,
      callbacks: {
        onNewLeader: (leader) => void this.calls.push(`new leader ${leader}`),
        onStoppedLeading: () => void this.calls.push('stopped'),
        ...callbacks,
      },
    });
  }

  /** Runs the elector until {@link Candidate.stop}. */
  run(): Promise<void> {
    this.#stop = new AbortController();
    return this.elector.run({ signal: this.#stop.signal });
  }

  lead<T>(work: (signal: AbortSignal) => Promise<T> | T): Promise<LeadershipOutcome<T>> {
    this.#stop = new AbortController();
    return this.elector.lead(work, { signal: this.#stop.signal });
  }

  stop(): void {
    this.#stop.abort();
  }

  #send<T>(verb: string, handle: () => T, signal: AbortSignal | undefined): Promise<T> {
    this.#world.server.log.push(`${this.identity} ${verb}`);
    return this.clock.exchange(this.network, handle, signal);
  }
}

/** The true time, one server and the candidates. */
export class World {
  readonly clock: VirtualClock = new VirtualClock();
  readonly server: ModelServer = new ModelServer();
  readonly candidates: Candidate[] = [];

  candidate(options: CandidateOptions = {}): Candidate {
    const candidate = new Candidate(this, options);
    this.candidates.push(candidate);
    return candidate;
  }

  /** The candidates with isLeader true; a paused one cannot read it. */
  leaders(): string[] {
    return this.candidates
      .filter(({ clock, elector }) => !clock.isPaused && elector.isLeader)
      .map(({ identity }) => identity);
  }

  /** Advances the time and checks after each step that at most one candidate leads. */
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

  check(): void {
    const leaders = this.leaders();
    assert.ok(
      leaders.length <= 1,
      `${leaders.join(' and ')} both lead at ${this.clock.monotonic()}`,
    );
  }
}
