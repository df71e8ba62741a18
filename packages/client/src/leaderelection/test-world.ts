import assert from 'node:assert/strict';
import type { Lease } from '../api/coordination/v1.ts';
import type { Clock, ScheduledCall } from '../lib/clock.ts';
import { seededRandom } from '../lib/random.ts';
import { newAlreadyExists, newConflict, newNotFound } from '../meta/error-factories.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import {
  LeaderElector,
  type LeaderElectorOptions,
  type LeadershipOutcome,
} from './leader-elector.ts';
import { type LeaseClient, LeaseLock, type LeaseLockOptions } from './lease-lock.ts';

const resource = { group: 'coordination.k8s.io', resource: 'leases' };
export const leaseName = 'controller';

/**
 * What the network does with a request. `refused`: it does not arrive. `answerLost`: it is done, and
 * an error comes back. `silent`: it does not arrive, and nobody says so. `doneSilently`: it is done, and
 * nobody says so.
 */
export type Fate = 'answerLost' | 'delivered' | 'doneSilently' | 'refused' | 'silent';

/** How requests of one process fare. */
export interface Network {
  fate: Fate;
  /** Until the request arrives. */
  thereMs: number;
  /** Until the answer arrives. */
  backMs: number;
}

/** A server with one Lease, as plain as can be, on true time. */
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

  /** As somebody else would, whatever is stored. */
  put(spec: Lease['spec']): void {
    this.#store({ metadata: { name: leaseName }, ...(spec !== undefined && { spec }) });
  }

  /** As somebody else would. */
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

/** How the clock of a process differs from true time. */
export interface ClockFlaws {
  /** What its wall clock is ahead. */
  readonly skewMs?: number;
  /** How fast it runs; 1 is right. */
  readonly rate?: number;
  /** Its monotonic scale stands still while it is paused, as that of a sleeping machine does. */
  readonly sleeps?: boolean;
}

/** The clock of one process, which can be paused: nothing of it runs then, but time goes on. */
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

  /** Runs it in the process: now, or when it is no longer paused. */
  deliver(callback: () => void): void {
    if (this.isPaused) this.#held.push(callback);
    else callback();
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

/** What else a candidate of a test is. */
export interface CandidateOptions extends Omit<LeaderElectorOptions, 'clock' | 'lock' | 'random'> {
  readonly identity?: string;
  readonly clock?: ClockFlaws;
  readonly lock?: Partial<LeaseLockOptions>;
}

/** A process that stands for election, with its own clock and its own way to the server. */
export class Candidate {
  readonly identity: string;
  readonly clock: ProcessClock;
  readonly network: Network = { fate: 'delivered', thereMs: 0, backMs: 0 };
  readonly elector: LeaderElector;
  readonly lock: LeaseLock;
  /** What was called, in order. */
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
    const client: LeaseClient = {
      get: (_, { signal } = {}) => this.#send('get', () => world.server.get(), signal),
      create: (lease, { signal } = {}) =>
        this.#send('create', () => world.server.create(lease), signal),
      update: (lease, { signal } = {}) =>
        this.#send('update', () => world.server.update(lease), signal),
    };
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

  /** Stands for election until {@link Candidate.stop}. */
  run(): Promise<void> {
    this.#stop = new AbortController();
    return this.elector.run(this.#stop.signal);
  }

  lead<T>(work: (signal: AbortSignal) => Promise<T> | T): Promise<LeadershipOutcome<T>> {
    this.#stop = new AbortController();
    return this.elector.lead(this.#stop.signal, work);
  }

  stop(): void {
    this.#stop.abort();
  }

  #send<T>(verb: string, handle: () => T, signal: AbortSignal | undefined): Promise<T> {
    this.#world.server.log.push(`${this.identity} ${verb}`);
    const { fate, thereMs, backMs } = this.network;
    const time = this.#world.clock;
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      const answer = (settle: () => void): void => {
        time.schedule(backMs, () => this.clock.deliver(settle));
      };
      if (fate === 'silent') return;
      if (fate === 'refused') {
        answer(() => reject(new Error('connection refused')));
        return;
      }
      // What is sent arrives, also if the sender is paused or does not wait any longer.
      time.schedule(thereMs, () => {
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
}

/** True time, one server, and the processes that stand for election. */
export class World {
  readonly clock: VirtualClock = new VirtualClock();
  readonly server: ModelServer = new ModelServer();
  readonly candidates: Candidate[] = [];

  candidate(options: CandidateOptions = {}): Candidate {
    const candidate = new Candidate(this, options);
    this.candidates.push(candidate);
    return candidate;
  }

  /** Those that would say so if they were asked now; one that is paused cannot be asked. */
  leaders(): string[] {
    return this.candidates
      .filter(({ clock, elector }) => !clock.isPaused && elector.isLeader)
      .map(({ identity }) => identity);
  }

  /** Lets time pass, and looks after everything that happens that at most one leads. */
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
