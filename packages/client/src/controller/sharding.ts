import { AsyncLocalStorage } from 'node:async_hooks';
import { splitMetaNamespaceKey } from '../cache/store.ts';
import type { Clientset } from '../kubernetes/clientset.ts';
import { guardCallback } from '../lib/callback.ts';
import type { Clock, ScheduledCall } from '../lib/clock.ts';
import { Deferred } from '../lib/deferred.ts';
import { ClientError } from '../lib/errors.ts';
import { errorLogger, type Logger } from '../lib/logger.ts';
import { OptionError } from '../lib/option-error.ts';
import type { Random } from '../lib/random.ts';
import { anySignal, onAbort } from '../lib/signal.ts';
import { ShardGroup, type ShardChange } from '../leaderelection/shard-group.ts';
import { hashOfText, shardOfKey } from '../leaderelection/shard-hash.ts';
import type { ShardHold } from '../leaderelection/shard-hold.ts';
import { leadershipStatus } from '../observe/controller-metrics.ts';
import type { MetricsRegistry } from '../observe/metrics-registry.ts';
import type { Config } from '../transport/config.ts';
import { untilCaughtUp } from './catch-up.ts';
import type { HealthCheck } from './health-checks.ts';
import type { ManagerSharding } from './manager-options.ts';
import { leaseProblem, StartUpError } from './start-up-error.ts';
import { WriteFence } from './write-fence.ts';

/** What a {@link Sharding} gets from its manager. */
export interface ShardingEnvironment {
  /** Not fenced. */
  readonly client: Clientset;
  readonly metrics: MetricsRegistry;
  readonly clock: Clock;
  readonly random: Random | undefined;
  readonly logger: Logger;
  /** How long reconciles may finish when their shard moves; then their signals abort. */
  readonly finishingMs: number;
}

/** What a manager does while it takes part. */
export interface ShardedWork {
  /** The names of the controllers. */
  readonly controllers: readonly string[];
  /** Takes keys from the queues until the signal aborts. */
  readonly work: (signal: AbortSignal) => Promise<void>;
  /** Resolves when the caches show what the last holder of a shard wrote. */
  readonly catchUp: (signal: AbortSignal) => Promise<void>;
  /** Enqueues all keys of some shards. */
  readonly onStarted: (shards: ReadonlySet<number>) => void;
}

/** The shards of a manager; `manager.shards`. It may have changed since. */
export interface ManagerShards {
  /** The number of shards. */
  readonly total: number;
  /** The shards of which this replica reconciles the keys, in order. */
  readonly active: readonly number[];
  /** The replica that holds each shard; undefined if none does. */
  readonly holders: readonly (string | undefined)[];
  /** The identities of the replicas that share the shards, in order. */
  readonly replicas: readonly string[];
  /** The identity of this replica. */
  readonly identity: string;
  /** Replicas with another number of shards that have to end first. */
  readonly waitingFor: readonly string[];
}

/** A shard that this replica reconciles, or is about to release. */
class ActiveShard {
  readonly hold: ShardHold;
  readonly #cancel = new AbortController();
  readonly #idle = new Deferred();
  #running = 0;
  #isClosed = false;

  constructor(hold: ShardHold) {
    this.hold = hold;
  }

  /** True while reconciles may start. */
  get isOpen(): boolean {
    return !this.#isClosed && this.hold.isHeld;
  }

  /** Aborts when reconciles in progress have to end. */
  get signal(): AbortSignal {
    return this.#cancel.signal;
  }

  enter(): void {
    this.#running += 1;
  }

  leave(): void {
    this.#running -= 1;
    if (this.#isClosed && this.#running === 0) this.#idle.resolve();
  }

  /** Lets no reconcile start any more. Resolves when none is in progress. */
  close(): Promise<void> {
    this.#isClosed = true;
    if (this.#running === 0) this.#idle.resolve();
    return this.#idle.promise;
  }

  cancel(reason: unknown): void {
    this.#cancel.abort(reason);
  }
}

/**
 * Starts shards together that were acquired before the start begins, because it reads all caches and their
 * keys: a replica that acquires a hundred shards does not do so a hundred times.
 */
class ShardStarts {
  readonly #start: (shards: readonly ActiveShard[]) => Promise<void>;
  #last: Promise<void> = Promise.resolve();
  #next: { readonly shards: ActiveShard[]; readonly started: Promise<void> } | undefined;

  constructor(start: (shards: readonly ActiveShard[]) => Promise<void>) {
    this.#start = start;
  }

  /** Resolves when the shard has started. */
  add(shard: ActiveShard): Promise<void> {
    if (this.#next !== undefined) {
      this.#next.shards.push(shard);
      return this.#next.started;
    }
    const shards = [shard];
    const started = this.#last.then(() => {
      this.#next = undefined;
      return this.#start(shards);
    });
    this.#next = { shards, started };
    this.#last = started.catch(() => undefined);
    return started;
  }
}

/** The shard of the reconcile in which a request is made. */
const scope = new AsyncLocalStorage<ActiveShard>();

/** The part of a manager that shares its keys with other replicas. */
export class Sharding {
  readonly #options: ManagerSharding;
  readonly #environment: ShardingEnvironment;
  readonly #namespace: string;
  readonly #active = new Map<number, ActiveShard>();
  readonly #failure = new AbortController();
  readonly #reportShardOf: (error: OptionError) => void;
  #group: ShardGroup | undefined;
  #name: string;

  constructor(options: ManagerSharding, environment: ShardingEnvironment) {
    const { client, logger } = environment;
    this.#options = options;
    this.#environment = environment;
    this.#namespace = options.namespace ?? client.namespace;
    this.#name = options.name ?? '';
    let isReported = false;
    this.#reportShardOf = guardCallback(
      'shardOf',
      (error: OptionError) => {
        const message = `${error.message}; the keys are spread by their names`;
        if (!isReported) logger.error(message, { event: 'shards.failed' });
        isReported = true;
      },
      logger,
    );
    // Options are checked where they are given, and not when the manager runs.
    const group = this.#newGroup(options.name ?? 'unnamed');
    if (options.name !== undefined) this.#group = group;
  }

  get status(): ManagerShards {
    const { shards: total } = this.#options;
    const { identity = '', holders, replicas = [], waitingFor = [] } = this.#group?.status ?? {};
    const open = [...this.#active.values()].filter(({ isOpen }) => isOpen);
    return {
      total,
      identity,
      active: open.map(({ hold }) => hold.shard).sort((left, right) => left - right),
      holders: holders ?? Array.from({ length: total }, () => undefined),
      replicas,
      waitingFor,
    };
  }

  /** How long a shard may be without a holder, at most about. */
  get handOverMs(): number {
    return (this.#options.leaseDurationMs ?? 15_000) * 2;
  }

  /** Returns a config whose clients write only for shards that this replica holds. */
  fenced(config: Config): Config {
    const fence = new WriteFence(() => {
      const active = scope.getStore();
      if (active === undefined) return this.#group?.isMember === true ? undefined : this.#described;
      return active.hold.isHeld ? undefined : `${this.#described}-shard-${active.hold.shard}`;
    });
    const { attemptMiddleware = [] } = config;
    return { ...config, attemptMiddleware: [...attemptMiddleware, fence.middleware] };
  }

  /** Returns the checks of liveness. */
  healthChecks(): readonly (readonly [string, HealthCheck])[] {
    const check = (): string => {
      const problem = this.#group?.check();
      if (problem !== undefined) throw problem;
      const { active, replicas, waitingFor } = this.status;
      if (waitingFor.length > 0) return `waiting for the end of ${waitingFor.join(', ')}`;
      return `shards ${active.join(', ') || 'none'}; ${replicas.length} replicas`;
    };
    return [['sharding', check]];
  }

  /** Returns the shard of a key. */
  shardOf(controller: string, key: string): number {
    const { shards, shardOf } = this.#options;
    if (shardOf === undefined) return shardOfKey(key, shards);
    try {
      const { namespace, name } = splitMetaNamespaceKey(key);
      const found: unknown = shardOf({ controller, namespace, name });
      if (typeof found === 'string') return shardOfKey(found, shards);
      if (typeof found === 'number' && Number.isInteger(found) && found >= 0 && found < shards) {
        return found;
      }
      const what = `${String(found)} for "${key}" is neither a text nor a shard below ${shards}`;
      this.#reportShardOf(new OptionError('sharding.shardOf', what));
    } catch (error) {
      const what = `failed for "${key}": ${String(error)}`;
      this.#reportShardOf(new OptionError('sharding.shardOf', what));
    }
    // The same in all replicas.
    return shardOfKey(key, shards);
  }

  /** True while this replica reconciles the key. */
  isActive(controller: string, key: string): boolean {
    return this.#active.get(this.shardOf(controller, key))?.isOpen === true;
  }

  /**
   * Runs a reconcile of a key if this replica holds its shard, and returns undefined otherwise. Writes
   * in it, and in what it starts, pass only while the shard is held. The signal aborts when the shard
   * is lost, or has to be released soon.
   */
  async within<T>(
    controller: string,
    key: string,
    reconcile: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    const active = this.#active.get(this.shardOf(controller, key));
    if (active?.isOpen !== true) return undefined;
    active.enter();
    try {
      return await scope.run(active, reconcile, active.signal);
    } catch (error) {
      // The next holder reconciles all keys of the shard.
      if (!active.isOpen) return undefined;
      throw error;
    } finally {
      active.leave();
    }
  }

  /** Takes part until the signal aborts. Rejects if the Leases cannot be used. */
  async run(stop: AbortSignal, sharded: ShardedWork): Promise<void> {
    this.#name = this.#options.name ?? defaultName(sharded.controllers);
    const group = this.#group ?? this.#newGroup(this.#name);
    this.#group = group;
    using until = anySignal([stop, this.#failure.signal]);
    const working = sharded.work(until.signal).catch((error: unknown) => {
      this.#failure.abort(error);
    });
    const starts = new ShardStarts((shards) => this.#start(shards, sharded));
    const held = (hold: ShardHold): Promise<void> => this.#work(hold, starts, working);
    await Promise.all([working, group.run(held, { signal: until.signal })]);
    this.#failure.signal.throwIfAborted();
  }

  async #work(hold: ShardHold, starts: ShardStarts, working: Promise<void>): Promise<void> {
    const active = new ActiveShard(hold);
    const ended = new Promise<void>((resolve) => void onAbort(hold.signal, resolve));
    try {
      await Promise.race([starts.add(active), ended]);
      await ended;
      const idle = active.close();
      using _cancel = this.#cancelLater(active);
      // What the workers no longer wait for at a stop keeps no shard; the fence stops its writes.
      await Promise.race([idle, working]);
    } finally {
      this.#active.delete(hold.shard);
    }
  }

  /** Waits until the caches show what the last holders wrote, and reconciles the shards from then on. */
  async #start(shards: readonly ActiveShard[], { catchUp, onStarted }: ShardedWork): Promise<void> {
    const { clock, random, logger } = this.#environment;
    const kept = (): readonly ActiveShard[] => shards.filter(({ hold }) => !hold.signal.aborted);
    const over = new AbortController();
    for (const { hold } of shards) {
      onAbort(hold.signal, () => {
        if (kept().length === 0) over.abort();
      });
    }
    const options = { clock, random, logger, signal: over.signal };
    if (!(await untilCaughtUp(catchUp, options))) return;
    const started = kept();
    for (const active of started) this.#active.set(active.hold.shard, active);
    onStarted(new Set(started.map(({ hold }) => hold.shard)));
  }

  /** Cancels reconciles: now if the shard is lost, after the time to finish if it moves. */
  #cancelLater(active: ActiveShard): Disposable {
    const { clock, logger, finishingMs } = this.#environment;
    const { hold } = active;
    let timer: ScheduledCall | undefined;
    if (Number.isFinite(finishingMs)) {
      timer = clock.schedule(finishingMs, () => {
        const message = `shard ${hold.shard} moves, and reconciles have not ended; they are cancelled`;
        logger.warn(message, { event: 'shards.cancelled', shard: hold.shard });
        active.cancel(hold.signal.reason);
      });
    }
    const tie = onAbort(hold.lost, () => active.cancel(hold.lost.reason));
    return {
      [Symbol.dispose]: () => {
        timer?.cancel();
        tie[Symbol.dispose]();
      },
    };
  }

  get #described(): string {
    return `${this.#namespace}/${this.#name}`;
  }

  #newGroup(name: string): ShardGroup {
    const { shards, shardOf, identity, labels, ...rest } = this.#options;
    const { client, metrics, clock, random, logger } = this.#environment;
    const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = rest;
    const log = errorLogger(logger, 'shards.failed');
    return new ShardGroup({
      client,
      namespace: this.#namespace,
      name,
      shards,
      scheme: shardOf === undefined ? undefined : 'custom',
      identity,
      labels,
      leaseDurationMs,
      renewDeadlineMs,
      retryPeriodMs,
      clock,
      random,
      logger,
      onChange: (change) => this.#note(name, change, metrics),
      onError: (error) => {
        if (!this.#failAtStart(error) && error instanceof ClientError) log(error);
      },
    });
  }

  #note(name: string, { shard, what }: ShardChange, metrics: MetricsRegistry): void {
    const lease = `${name}-shard-${shard}`;
    if (what !== 'ending') leadershipStatus(metrics, lease).set(what === 'acquired' ? 1 : 0);
    this.#environment.logger.info(`shard ${shard}: ${what}`, {
      event: 'shards.changed',
      shard,
      change: what,
    });
  }

  /** Ends the run, and returns true, if no retry can help. */
  #failAtStart(error: unknown): boolean {
    if (this.#failure.signal.aborted) return true;
    const verbs = ['create', 'delete', 'get', 'list', 'update'];
    const problem = leaseProblem(error, this.#namespace, verbs);
    // A replica that has taken part waits until it may again.
    if (problem === undefined || (this.#group?.status.replicas.length ?? 0) > 0) return false;
    this.#failure.abort(new StartUpError([problem], error));
    return true;
  }
}

/** The longest name of a group: the names of its Leases add to it. */
const LONGEST_NAME = 50;

/**
 * The names of the controllers, as the name of a group. The same in all replicas: those with different
 * names would not share their keys.
 */
function defaultName(controllers: readonly string[]): string {
  const names = [...controllers].sort().join('.');
  const name = names
    .toLowerCase()
    .replaceAll(/[^-a-z0-9.]/g, '-')
    // The parts between dots begin and end with a letter or a digit.
    .replaceAll(/-*\.[-.]*/g, '.')
    .replaceAll(/^[-.]+|[-.]+$/g, '');
  if (name !== '' && name.length <= LONGEST_NAME) return name;
  // The hash distinguishes programs whose names begin alike, or have no letters that a name may have.
  const hash = hashOfText(names).toString(16).padStart(8, '0');
  const start = name.slice(0, LONGEST_NAME - hash.length - 1).replace(/[-.]+$/, '');
  return start === '' ? hash : `${start}-${hash}`;
}
