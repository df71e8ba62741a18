import { type Clock, OptionError, type ScheduledCall } from 'client-ts/internal';
import { parseTime } from 'client-ts/meta';

import { type Cluster, withClusterContext } from '../registry/cluster.ts';
import type { Registry } from '../registry/registry.ts';
import type { StoredObject } from '../store/store.ts';

/** How long a real server keeps events. */
const EVENT_TTL_MS = 3_600_000;

/**
 * Deletes events some time after they were last written. A real server leaves this to the leases of
 * etcd; watchers see the deletions there too.
 */
export class EventExpiry implements Disposable {
  readonly #cluster: Cluster;
  readonly #events: Registry;
  readonly #ttlMs: number;
  readonly #onError: (error: unknown) => void;
  /** When events expire, by store key, the first one first. */
  readonly #deadlines = new Map<string, number>();
  readonly #subscription: Disposable;
  #next: ScheduledCall | undefined;

  constructor(cluster: Cluster, { ttlMs = EVENT_TTL_MS, onError }: EventExpiryOptions) {
    if (!(ttlMs > 0)) throw new OptionError('eventTtlMs', `${ttlMs} is not greater than 0`);
    this.#cluster = cluster;
    this.#events = cluster.catalog.registry('', 'events') as Registry;
    this.#ttlMs = ttlMs;
    this.#onError = onError;
    const { clock, store } = cluster;
    const prefix = this.#events.prefix();
    this.#subscription = store.subscribe(prefix, ({ entry, previous }) => {
      this.#deadlines.delete((entry ?? previous).key);
      if (entry !== undefined) this.#add(entry.key, clock.now() + ttlMs);
    });
    const kept = store.range({ prefix }).map(({ key, value }) => [key, lastWrite(value)] as const);
    kept.sort(([, left], [, right]) => left - right);
    for (const [key, writtenAt] of kept) this.#add(key, writtenAt + ttlMs);
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
    this.#next?.cancel();
  }

  #add(key: string, deadline: number): void {
    this.#deadlines.set(key, deadline);
    if (this.#next === undefined) this.#schedule(this.#cluster.clock, deadline);
  }

  #schedule(clock: Clock, deadline: number): void {
    const delayMs = Math.min(Math.max(deadline - clock.now(), 0), this.#ttlMs);
    this.#next = clock.schedule(delayMs, () => this.#expire(), { background: true });
  }

  #expire(): void {
    const { clock, store } = this.#cluster;
    this.#next = undefined;
    const now = clock.now();
    for (const [key, deadline] of this.#deadlines) {
      if (deadline > now) {
        this.#schedule(clock, deadline);
        return;
      }
      this.#deadlines.delete(key);
      const entry = store.get(key);
      if (entry !== undefined) this.#delete(entry.value);
    }
  }

  #delete({ metadata }: StoredObject): void {
    const { namespace = '', name = '' } = metadata ?? {};
    try {
      withClusterContext(this.#cluster, { namespace }, (context) =>
        this.#events.delete(namespace, name, {}, context),
      );
    } catch (error) {
      this.#onError(error);
    }
  }
}

/** Options of {@link EventExpiry}. */
export interface EventExpiryOptions {
  /** Default: one hour. */
  readonly ttlMs?: number | undefined;
  readonly onError: (error: unknown) => void;
}

/** Returns when an event of an earlier process was last written, as far as the event says. */
function lastWrite({ metadata = {} }: StoredObject): number {
  const { creationTimestamp, managedFields = [] } = metadata;
  const times = [creationTimestamp, ...managedFields.map(({ time }) => time)];
  return Math.max(...times.map((time) => (time === undefined ? 0 : parseTime(time))));
}
