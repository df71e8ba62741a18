import { isJsonObject, onAbort, sleep, type Clock } from 'client-ts/internal';
import {
  ShardGroup,
  type ShardGroupOptions,
  type ShardHold,
  shardOfKey,
} from 'client-ts/leaderelection';
import { compareResourceVersions, isForbidden, isResourceVersion } from 'client-ts/meta';
import type { ServerEvent } from './collected-event.ts';
import type { Position } from './collector-sink.ts';

/** How the replicas of a collector share the events. */
export interface CollectorSharding extends Pick<
  ShardGroupOptions,
  'client' | 'identity' | 'leaseDurationMs' | 'namespace' | 'renewDeadlineMs' | 'retryPeriodMs'
> {
  /**
   * The number of shards: several times that of the replicas. All replicas need the same number; with
   * another one, they wait until those before have ended.
   */
  readonly shards: number;
  /** The prefix of the names of the Leases. Default `event-collector`. */
  readonly name?: string | undefined;
}

/** What {@link CollectorShards} need of their collector. */
export interface CollectorShardsOptions {
  readonly sharding: CollectorSharding;
  /** See {@link EventSource.id}. */
  readonly source: string;
  /** The position up to which the sinks have everything; undefined if some of it is on disk. */
  readonly delivered: () => Position | undefined;
  readonly onError: (error: unknown) => void;
  readonly clock: Clock;
}

/** How often the position of a shard is saved: what a killed replica has delivered twice. */
const SAVE_MS = 10_000;

/**
 * The shards of events that a replica collects. Each event belongs to a shard by its namespace and name.
 * The position of a shard is in its Lease: the next holder continues there, and what both have
 * delivered is the same document.
 */
export class CollectorShards {
  readonly #options: CollectorShardsOptions;
  readonly #group: ShardGroup;
  /** The held shards, and where to begin with those that are not read yet. */
  readonly #held = new Map<number, ShardState>();
  readonly #failure = new AbortController();
  #changed = new AbortController();

  constructor(options: CollectorShardsOptions) {
    const {
      sharding: { name = 'event-collector', ...sharding },
      clock,
    } = options;
    this.#options = options;
    this.#group = new ShardGroup({
      ...sharding,
      name,
      clock,
      onError: (error) => this.#report(error),
    });
  }

  /** The shards that this replica collects, in order. */
  get held(): readonly number[] {
    return [...this.#held.keys()].sort((left, right) => left - right);
  }

  /** Aborts when a shard was acquired, and its events have to be read from its position. */
  get changed(): AbortSignal {
    return this.#changed.signal;
  }

  /** True if this replica collects the event. */
  has({ metadata = {} }: ServerEvent): boolean {
    const { namespace = '', name = '' } = metadata;
    return this.#held.has(shardOfKey(`${namespace}/${name}`, this.#group.shards));
  }

  /** Takes part until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.race([
      this.#group.run((hold) => this.#collect(hold), { signal }),
      new Promise((_, reject) => {
        onAbort(this.#failure.signal, () => reject(this.#failure.signal.reason as Error));
      }),
    ]);
  }

  /**
   * Returns the position from which all held shards can be read; undefined to list. `reached` is where
   * those that were read before are.
   */
  begin(reached: Position | undefined): Position | undefined {
    this.#changed = new AbortController();
    const positions = [...this.#held.values()].map((state) =>
      state.isRead ? reached : state.position,
    );
    for (const state of this.#held.values()) state.isRead = true;
    const [first, ...others] = positions;
    return others.reduce(older, first);
  }

  async #collect(hold: ShardHold): Promise<void> {
    const state: ShardState = { position: this.#parse(hold.memo), isRead: false };
    this.#held.set(hold.shard, state);
    this.#changed.abort();
    while (!hold.signal.aborted) {
      await sleep(this.#options.clock, SAVE_MS, { signal: hold.signal }).catch(() => undefined);
      if (!hold.signal.aborted) await this.#save(hold, state);
    }
    // Not accepted from here on; what is in transit has not moved the position.
    this.#held.delete(hold.shard);
    if (hold.isHeld) await this.#save(hold, state);
  }

  /** A failed attempt costs only that the next holder reads more. */
  async #save(hold: ShardHold, state: ShardState): Promise<void> {
    const position = state.isRead ? this.#options.delivered() : undefined;
    if (position === undefined || position.resourceVersion === state.position?.resourceVersion)
      return;
    try {
      await hold.save(JSON.stringify(position));
      state.position = position;
    } catch (error) {
      this.#options.onError(error);
    }
  }

  #parse(memo: string | undefined): Position | undefined {
    if (memo === undefined) return undefined;
    try {
      const value: unknown = JSON.parse(memo);
      if (!isJsonObject(value)) return undefined;
      const { source, resourceVersion, time } = value;
      if (typeof resourceVersion !== 'string' || typeof time !== 'string') return undefined;
      if (source !== this.#options.source || !isResourceVersion(resourceVersion)) return undefined;
      return { source, resourceVersion, time };
    } catch (error) {
      this.#options.onError(error);
      return undefined;
    }
  }

  /** A replica that may not use Leases never collects anything. */
  #report(error: unknown): void {
    if (isForbidden(error) && this.#group.status.replicas.length === 0) this.#failure.abort(error);
    else this.#options.onError(error);
  }
}

interface ShardState {
  /** In the Lease. */
  position: Position | undefined;
  /** True once the source has been started from `position` or before. */
  isRead: boolean;
}

/** Returns the earlier position; undefined is before all. */
function older(left: Position | undefined, right: Position | undefined): Position | undefined {
  if (left === undefined || right === undefined) return undefined;
  const isLeft = compareResourceVersions(left.resourceVersion, right.resourceVersion) <= 0;
  return isLeft ? left : right;
}
