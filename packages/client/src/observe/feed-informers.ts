import {
  type DiagnosedInformer,
  type InformerChange,
  informerChanges,
  informerReadings,
  type InformerStatistics,
  informerStates,
  runningInformers,
  slowHandlerCalls,
} from '../cache/diagnostics.ts';
import { metaNamespaceKeyFunc } from '../cache/store.ts';
import type { SampledSubscription } from '../lib/diagnostic-channel.ts';
import { isResourceVersion } from '../meta/resource-version.ts';
import type { Allowance } from './feed-allowance.ts';
import type { FeedOutlet, Unfinished } from './feed-outlet.ts';
import type { ObservedHandler, WatchEventRecord } from './observed-record.ts';
import type { ObservedInformer } from './observed-snapshot.ts';

/** The size of a cache is estimated from this many objects, and not more often than this. */
const SAMPLED_OBJECTS = 30;
const ESTIMATE_EVERY_MS = 15_000;

/** What the feed knows about an informer, besides what the informer knows itself. */
interface Followed {
  /** The name of the informer in records. */
  readonly name: string;
  last: InformerStatistics;
  lastEventAt: number;
  perSecond: number;
  /** The number of records of changes since the last interval. */
  recorded: number;
  /** How many changes a record stands for. */
  weight: number;
  lastHandlers: string;
  estimate: { readonly at: number; readonly bytesPerObject: number } | undefined;
}

/** The part of a feed that is about informers. */
export class FeedInformers implements Disposable {
  readonly #outlet: FeedOutlet;
  readonly #allowance: Allowance;
  readonly #extra: () => Iterable<DiagnosedInformer>;
  readonly #followed = new WeakMap<DiagnosedInformer, Followed>();
  readonly #subscriptions: readonly Disposable[];
  readonly #changes: SampledSubscription;

  constructor(
    outlet: FeedOutlet,
    {
      allowance,
      extra,
      onChange,
    }: {
      readonly allowance: Allowance;
      readonly extra: () => Iterable<DiagnosedInformer>;
      readonly onChange: (change: InformerChange, record: WatchEventRecord) => void;
    },
  ) {
    this.#outlet = outlet;
    this.#allowance = allowance;
    this.#extra = extra;
    for (const informer of this.all) this.#follow(informer);
    this.#changes = informerChanges.sample(allowance.left, (change) =>
      onChange(change, this.#emitChange(change)),
    );
    this.#subscriptions = [
      this.#changes,
      informerStates.subscribe(({ informer }) => this.#emitState(informer)),
      informerReadings.subscribe(({ informer, how, reason, resourceVersion }) => {
        const name = this.nameOf(informer);
        const relist = { type: 'informer.relist', informer: name, how, resourceVersion } as const;
        outlet.emit({ ...relist, reason: outlet.text(reason) });
      }),
      slowHandlerCalls.subscribe(({ informer, handler, event, object, durationMs }) =>
        outlet.emit({
          type: 'handler.slow',
          informer: this.nameOf(informer),
          handler,
          event: event === 'resync' ? 'update' : event,
          key: object === undefined ? '' : metaNamespaceKeyFunc(object),
          durationMs,
        }),
      ),
    ];
  }

  /** The informers that run, and those that the program has named. */
  get all(): readonly DiagnosedInformer[] {
    return [...new Set([...runningInformers, ...this.#extra()])];
  }

  /** Returns the informer with a name; undefined if there is none. */
  find(name: string): DiagnosedInformer | undefined {
    return this.all.find((informer) => this.nameOf(informer) === name);
  }

  nameOf(informer: DiagnosedInformer): string {
    return this.#outlet.nameOf(informer, informer.name);
  }

  refill(granted: number): void {
    this.#changes.refill(this.#allowance.add(granted));
  }

  /** Emits what has happened in an interval. */
  tick(intervalMs: number): void {
    for (const informer of this.all) this.#emitEvents(informer, intervalMs);
  }

  snapshot(): ObservedInformer[] {
    const newest = new Map<string, bigint>();
    const { all } = this;
    for (const { server, lastSyncResourceVersion } of all) {
      const version = versionOf(lastSyncResourceVersion);
      if (version > (newest.get(server) ?? 0n)) newest.set(server, version);
    }
    return all.map((informer) => this.#describe(informer, newest.get(informer.server) ?? 0n));
  }

  [Symbol.dispose](): void {
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
  }

  #follow(informer: DiagnosedInformer): Followed {
    const known = this.#followed.get(informer);
    if (known !== undefined) return known;
    const followed: Followed = {
      name: this.nameOf(informer),
      last: informer.statistics,
      lastEventAt: 0,
      perSecond: 0,
      recorded: 0,
      weight: 1,
      lastHandlers: '',
      estimate: undefined,
    };
    this.#followed.set(informer, followed);
    return followed;
  }

  #emitState(informer: DiagnosedInformer): void {
    // Before its first change, so that none is missing in the sums.
    this.#follow(informer);
    const { lastSyncResourceVersion: resourceVersion, indexer } = informer;
    this.#outlet.emit({
      type: 'informer.state',
      informer: this.nameOf(informer),
      ...this.#phaseOf(informer),
      resourceVersion,
      objects: indexer.size,
    });
  }

  #emitChange(change: InformerChange): WatchEventRecord {
    const { before, after } = change;
    const followed = this.#follow(change.informer);
    followed.recorded += 1;
    this.#allowance.take();
    const record: Unfinished<WatchEventRecord> = {
      at: this.#outlet.clock.now(),
      seq: this.#outlet.nextSeq(),
      type: 'watch.event',
      informer: followed.name,
      event: change.type,
      key: change.key,
      resourceVersion: (after ?? before)?.metadata?.resourceVersion ?? '',
    };
    if (change.isInInitialList) record.isInInitialList = true;
    if (followed.weight > 1) record.sampled = followed.weight;
    this.#outlet.emitRecord(record);
    return record;
  }

  #emitEvents(informer: DiagnosedInformer, intervalMs: number): void {
    const { statistics, indexer, lastSyncResourceVersion: resourceVersion, state } = informer;
    const followed = this.#follow(informer);
    const { last } = followed;
    const added = statistics.added - last.added;
    const updated = statistics.updated - last.updated;
    const deleted = statistics.deleted - last.deleted;
    const bookmarks = statistics.bookmarks - last.bookmarks;
    const changes = added + updated + deleted;
    const handlers = handlersOf(statistics);
    const shown = JSON.stringify(handlers);
    this.#outlet.skip(Math.max(0, changes - followed.recorded));
    followed.weight = Math.max(1, Math.round(changes / Math.max(1, followed.recorded)));
    followed.recorded = 0;
    followed.last = statistics;
    followed.perSecond = (changes * 1000) / intervalMs;
    if (changes + bookmarks > 0) followed.lastEventAt = this.#outlet.clock.now();
    else if (shown === followed.lastHandlers) return;
    followed.lastHandlers = shown;
    const counts = { added, updated, deleted, bookmarks };
    this.#outlet.emit({
      type: 'informer.events',
      informer: this.nameOf(informer),
      intervalMs,
      ...counts,
      objects: indexer.size,
      resourceVersion,
      lag: state.state === 'live' ? state.lag : 0,
      handlers,
    });
  }

  #describe(informer: DiagnosedInformer, newest: bigint): ObservedInformer {
    const { statistics, server, indexer, state, lastSyncResourceVersion } = informer;
    const { lastEventAt, perSecond } = this.#follow(informer);
    const { added, updated, deleted, relists, watchRestarts } = statistics;
    const version = versionOf(lastSyncResourceVersion);
    return {
      informer: this.nameOf(informer),
      resource: informer.name.split(' ')[0] ?? '',
      server,
      ...this.#phaseOf(informer),
      resourceVersion: lastSyncResourceVersion,
      behind: version === 0n ? 0 : Number(newest - version),
      lag: state.state === 'live' ? state.lag : 0,
      lastEventAt,
      objects: indexer.size,
      bytes: this.#estimateBytes(informer),
      indices: Object.keys(indexer.getIndexers()),
      events: { added, updated, deleted },
      relists,
      watchRestarts,
      eventsPerSecond: perSecond,
      handlers: handlersOf(statistics),
      isSearchable: true,
    };
  }

  #phaseOf({ state }: DiagnosedInformer): Pick<ObservedInformer, 'reason' | 'since' | 'state'> {
    return {
      state: state.state,
      ...('since' in state && { since: state.since }),
      ...('error' in state && { reason: this.#outlet.errorText(state.error) }),
    };
  }

  /** Objects of one resource are alike: a few of them show the size of all. */
  #estimateBytes(informer: DiagnosedInformer): number {
    const { indexer } = informer;
    const followed = this.#follow(informer);
    const now = this.#outlet.clock.monotonic();
    if (followed.estimate === undefined || now - followed.estimate.at > ESTIMATE_EVERY_MS) {
      let count = 0;
      let bytes = 0;
      for (const key of indexer.keys()) {
        if (count === SAMPLED_OBJECTS) break;
        count += 1;
        bytes += JSON.stringify(indexer.getByKey(key))?.length ?? 0;
      }
      if (count > 0) followed.estimate = { at: now, bytesPerObject: bytes / count };
    }
    return Math.round((followed.estimate?.bytesPerObject ?? 0) * indexer.size);
  }
}

function handlersOf({ handlers }: InformerStatistics): ObservedHandler[] {
  return handlers.map(({ name, pending, highWater, slowestMs, slowestKey }) => ({
    name,
    pending,
    highWater,
    ...(slowestKey !== '' && { slowestMs, slowestKey }),
  }));
}

function versionOf(text: string): bigint {
  return isResourceVersion(text) ? BigInt(text) : 0n;
}
