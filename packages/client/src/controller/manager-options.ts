import type { Clock } from '../lib/clock.ts';
import type { LoggerOption } from '../lib/logger.ts';
import type { Random } from '../lib/random.ts';
import type { LeaderElectionConfig } from '../leaderelection/leader-elector.ts';
import type { LeaseLockOptions } from '../leaderelection/lease-lock.ts';
import type { ShardGroupOptions } from '../leaderelection/shard-group.ts';
import type { MetricsRegistry } from '../observe/metrics-registry.ts';
import type { WebhookServerOptions } from '../webhook/webhook-server.ts';
import type { ControllerCacheOptions } from './controller-cache.ts';
import type { LoopGuardOptions } from './loop-guard/loop-guard.ts';
import type { EndpointOptions } from './probe-server.ts';

/** How the replicas of a program elect the one that reconciles. */
export interface ManagerLeaderElection
  extends
    Pick<LeaderElectionConfig, 'leaseDurationMs' | 'renewDeadlineMs' | 'retryPeriodMs'>,
    Pick<LeaseLockOptions, 'identity' | 'labels'> {
  /** The name of the Lease. */
  readonly name: string;
  /** The namespace of the Lease. Default: that of the config. */
  readonly namespace?: string | undefined;
}

/** What `shardOf` of a {@link ManagerSharding} gets. */
export interface ShardedRequest {
  /** The name of the controller. */
  readonly controller: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
}

/** How the replicas of a program share the keys that they reconcile. */
export interface ManagerSharding extends Pick<
  ShardGroupOptions,
  'identity' | 'labels' | 'leaseDurationMs' | 'renewDeadlineMs' | 'retryPeriodMs'
> {
  /**
   * The number of shards, from 1 to 1,024: several times that of the replicas, for even shares. All
   * replicas need the same number; with another one, they wait until those before have ended.
   */
  readonly shards: number;
  /** The prefix of the names of the Leases. Default: the names of the controllers. */
  readonly name?: string | undefined;
  /** The namespace of the Leases. Default: that of the config. */
  readonly namespace?: string | undefined;
  /**
   * Returns the shard of a key, or a text: keys with the same text are in the same shard. Must be pure.
   * Default: `shardOfKey` of `namespace/name`. To change it, change `shards` too.
   */
  readonly shardOf?: ((request: ShardedRequest) => number | string) | undefined;
}

/** Where metrics are served, and from what. */
export interface ManagerMetrics extends EndpointOptions {
  /** Default: a registry of the manager. */
  readonly registry?: MetricsRegistry | undefined;
  /**
   * Returns what `/metrics` serves, in the text format of Prometheus: for programs that merge the
   * registry with another one. Default: the text of the registry.
   */
  readonly text?: (() => Promise<string> | string) | undefined;
}

/** Options of a `Manager`. */
export interface ManagerOptions extends LoggerOption {
  /** Reconcile only while this process holds a Lease. Default: always. */
  readonly leaderElection?: ManagerLeaderElection | undefined;
  /**
   * Reconcile only the keys of the shards that this process holds; all replicas work. Not together
   * with `leaderElection`. Default: all keys.
   */
  readonly sharding?: ManagerSharding | undefined;
  /** The resources to cache beyond those of the controllers, and defaults for all. */
  readonly cache?:
    | Omit<ControllerCacheOptions, 'client' | 'clock' | 'logger' | 'random'>
    | undefined;
  /** Serves `/healthz` and `/readyz` over HTTP. Default: nothing is served. */
  readonly health?: EndpointOptions | undefined;
  /** Serves `/metrics` over HTTP, also on the port of `health`. Default: nothing is served. */
  readonly metrics?: ManagerMetrics | undefined;
  /**
   * Serves `manager.webhooks` over TLS, in all replicas and not only in the leader. Default: nothing
   * is served.
   */
  readonly webhooks?: Omit<WebhookServerOptions, 'clock' | 'gracePeriodMs' | 'logger'> | undefined;
  /**
   * When the reconciles of an object are slowed down and reported, because they keep writing or fight
   * with another writer; false for never. A controller may have its own. Default: see
   * {@link LoopGuardOptions}.
   */
  readonly loopGuard?: LoopGuardOptions | false | undefined;
  /** The time the caches have to sync. Default 2 minutes. */
  readonly syncTimeoutMs?: number | undefined;
  /**
   * The time that everything has to end after the stop. Reconciles have 70 % of it to finish, then
   * their signals abort. Default 25,000, because Kubernetes kills a pod after 30 s.
   */
  readonly gracePeriodMs?: number | undefined;
  readonly clock?: Clock | undefined;
  /** For jitter, identities and the names of events. Default: the system's randomness. */
  readonly random?: Random | undefined;
}

/** Options of `manager.run`. */
export interface ManagerRunOptions {
  /** Ends the run; see `shutdownSignal`. */
  readonly signal?: AbortSignal | undefined;
}
