import type { DiagnosedInformer, InformerChange } from 'client-ts/cache';
import { type Clock, type Logger, withCause } from 'client-ts/internal';
import {
  Feed,
  type FeedController,
  type ObservedRecord,
  type ObservedSnapshot,
  type ReconcileEndRecord,
  type SessionHeader,
  type WatchEventRecord,
} from 'client-ts/observe';
import type { DiagnosedQueue } from 'client-ts/workqueue';
import { searchCache, searchIndex, shownChange, shownYaml } from './cache-search.ts';
import { KeyHistory, type KnownKey } from './key-history.ts';
import { ObjectHistory } from './object-history.ts';
import { isSecret } from './redact-object.ts';
import { RecordStore, type Retention } from './record-store.ts';
import type {
  FoundObject,
  IndexValues,
  ObjectQuery,
  SessionInfo,
  ShownObject,
  Source,
} from './source.ts';

/** Options of {@link LiveSource}. */
export interface LiveSourceOptions {
  readonly program: string;
  readonly pid: number;
  readonly retention: Retention;
  readonly actions: boolean;
  readonly maxPerSecond?: number | undefined;
  readonly burst?: number | undefined;
  readonly processorTimeMs?: (() => number) | undefined;
  readonly informers: () => Iterable<DiagnosedInformer>;
  readonly queues: () => Iterable<DiagnosedQueue>;
  readonly controllers: () => Iterable<FeedController>;
  /** The ids of the clients whose requests are shown. Default: all. */
  readonly clients?: readonly number[] | undefined;
  readonly clock: Clock;
  readonly logger?: Logger | undefined;
}

/** How often a state is kept for exports: they begin with one. */
const SNAPSHOT_EVERY_MS = 5000;

/** The cause of what a person does in the page. */
const ACTION = { kind: 'action' } as const;

/** The running program. */
export class LiveSource implements Source, Disposable {
  readonly info: SessionInfo;
  readonly records: RecordStore;
  readonly #options: LiveSourceOptions;
  readonly #feed: Feed;
  readonly #hide = (text: string): string => this.#feed.hideSecrets(text);
  readonly #objects = new ObjectHistory();
  readonly #keys = new KeyHistory();
  /** The first is not older than the oldest record that is kept, unless nothing was dropped. */
  #snapshots: ObservedSnapshot[];

  constructor(options: LiveSourceOptions) {
    const { program, pid, retention, actions, clock, maxPerSecond, burst } = options;
    this.#options = options;
    this.info = {
      protocol: 1,
      program,
      pid,
      startedAt: clock.now(),
      isLive: true,
      actions,
      retention,
    };
    this.records = new RecordStore(retention);
    this.#feed = new Feed({
      clock,
      maxPerSecond,
      burst,
      processorTimeMs: options.processorTimeMs,
      logger: options.logger,
      informers: options.informers,
      queues: options.queues,
      controllers: options.controllers,
      clients: options.clients,
      onRecord: (record) => this.#add(record),
      onChange: (change, record) => this.#change(change, record),
    });
    this.#snapshots = [this.#feed.snapshot()];
  }

  /**
   * The header of an export. No record is missing between its state and the next one that is kept: those
   * before it are part of the state.
   */
  get header(): SessionHeader {
    const { program, startedAt } = this.info;
    const { oldest } = this.records;
    const snapshot = this.#snapshots.find(({ seq }) => seq >= oldest - 1) ?? this.#feed.snapshot();
    return { clientTs: 'session', version: 1, program, startedAt, snapshot };
  }

  snapshot(): ObservedSnapshot {
    return this.#feed.snapshot();
  }

  objects(
    query: ObjectQuery,
  ): { items: readonly FoundObject[]; total: number; hasMore: boolean } | undefined {
    const informer = this.#feed.informer(query.informer);
    if (informer === undefined || !mayUseIndex(informer, query.index)) return undefined;
    return searchCache(informer, query, this.#hide);
  }

  object(name: string, key: string): ShownObject | undefined {
    const informer = this.#feed.informer(name);
    if (informer === undefined) return undefined;
    const object = informer.indexer.getByKey(key);
    const { changes, triggered } = this.#objects.of(name, key);
    if (object === undefined && changes.length === 0) return undefined;
    const shown =
      object === undefined ? { yaml: null, isRedacted: false } : shownYaml(object, this.#hide);
    return {
      informer: name,
      key,
      resourceVersion: object?.metadata?.resourceVersion ?? '',
      ...shown,
      changes: changes.map((change) => shownChange(change, this.#hide)),
      triggered,
    };
  }

  indexValues(name: string, index: string, text: string, limit: number): IndexValues | undefined {
    const informer = this.#feed.informer(name);
    if (informer === undefined || !mayUseIndex(informer, index)) return undefined;
    return searchIndex(informer, index, text, limit, this.#hide);
  }

  reconciles(controller: string, key: string): readonly ReconcileEndRecord[] {
    return this.#keys.of(controller, key);
  }

  keys(controller: string, text: string, limit: number): { keys: KnownKey[]; hasMore: boolean } {
    return this.#keys.keys(controller, text, limit);
  }

  enqueue(name: string, key: string): boolean {
    const queue = this.#feed.queue(name);
    const known = [...this.#options.controllers()].some((each) => each.name === name);
    // Only of these it is known that their items are keys.
    const isOfKeys = known || [...this.#options.queues()].some((each) => each === queue);
    if (queue === undefined || !isOfKeys) return false;
    withCause(ACTION, () => queue.add(key as never));
    return true;
  }

  [Symbol.dispose](): void {
    this.#feed[Symbol.dispose]();
  }

  #add(record: ObservedRecord): void {
    this.records.add(record);
    this.#keepSnapshots(record);
    if (record.type === 'reconcile.end') this.#keys.add(record);
    else if (record.type === 'queue.add') this.#objects.queued(record);
    else if (record.type === 'reconcile.start') this.#objects.started(record);
  }

  #keepSnapshots({ at }: ObservedRecord): void {
    const last = this.#snapshots.at(-1);
    if (last === undefined || at - last.at < SNAPSHOT_EVERY_MS) return;
    const { oldest } = this.records;
    const all = [...this.#snapshots, this.#feed.snapshot()];
    this.#snapshots = all.filter(({ seq }) => seq >= oldest - 1);
  }

  #change(change: InformerChange, record: WatchEventRecord): void {
    // The objects of a first list are no changes of objects.
    if (!change.isInInitialList) this.#objects.change(record, change);
  }
}

/** An index of a cache of Secrets may have their data as values. */
function mayUseIndex({ name, indexer }: DiagnosedInformer, index: string | undefined): boolean {
  if (index === undefined || index === 'namespace') return true;
  if (/^secrets\b/.test(name)) return false;
  const [first] = indexer.keys();
  const object = first === undefined ? undefined : indexer.getByKey(first);
  return object === undefined || !isSecret(object);
}
