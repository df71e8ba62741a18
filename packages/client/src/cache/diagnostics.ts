import { DiagnosticChannel, SampledChannel, sharedState } from '../lib/diagnostic-channel.ts';
import type { InformerState } from './informer-state.ts';
import type { CachedObject } from './list-watch.ts';

/** A handler of an informer, in {@link InformerStatistics}. */
export interface HandlerStatistics {
  readonly name: string;
  /** The number of pending calls, with the current one. */
  readonly pending: number;
  /** The largest number of pending calls so far. */
  readonly highWater: number;
  /** The duration of the longest call. */
  readonly slowestMs: number;
  /** The object of that call; empty if there was none. */
  readonly slowestKey: string;
}

/** What an informer has done since it was made. */
export interface InformerStatistics {
  readonly added: number;
  readonly updated: number;
  readonly deleted: number;
  readonly bookmarks: number;
  /** How often the whole state was read again, not counting the first time of each run. */
  readonly relists: number;
  /** How often a watch was opened again. */
  readonly watchRestarts: number;
  readonly handlers: readonly HandlerStatistics[];
}

/** An informer, as messages and their readers see it. */
export interface DiagnosedInformer {
  readonly name: string;
  readonly state: InformerState;
  readonly lastSyncResourceVersion: string;
  readonly statistics: InformerStatistics;
  /** The host and port of the server; empty if unknown. */
  readonly server: string;
  readonly indexer: {
    readonly size: number;
    getIndexers(): object;
    keys(): Iterable<string>;
    getByKey(key: string): CachedObject | undefined;
    countByIndex(name: never, value: never): number;
    listIndexFuncValues(name: never): readonly unknown[];
    indexKeys(name: never, value: never): readonly string[];
  };
}

/** An informer reads from the server. */
export interface Reading {
  /** `list` and `stream` read the whole state, `watch` continues from a version. */
  readonly how: 'list' | 'stream' | 'watch';
  /** Why, in a few words. */
  readonly reason: string;
  /** True for the first of a run. */
  readonly isFirst: boolean;
  /** The version that is asked for; empty for the newest. */
  readonly resourceVersion: string;
}

/** The state of an informer has changed. */
export const informerStates: DiagnosticChannel<{
  readonly informer: DiagnosedInformer;
  readonly state: InformerState;
}> = new DiagnosticChannel('client-ts:informer:state');

/** An informer begins to read the whole state, or a watch. */
export const informerReadings: DiagnosticChannel<
  Reading & { readonly informer: DiagnosedInformer }
> = new DiagnosticChannel('client-ts:informer:read');

/** A change of an object in the store of an informer. */
export interface InformerChange {
  readonly informer: DiagnosedInformer;
  readonly type: 'add' | 'delete' | 'update';
  readonly key: string;
  readonly before: CachedObject | undefined;
  readonly after: CachedObject | undefined;
  readonly isInInitialList: boolean;
}

/** An object in the store of an informer has changed. */
export const informerChanges: SampledChannel<InformerChange> = new SampledChannel(
  'client-ts:informer:change',
);

/**
 * A call of an event handler: the cause of what the handler does. See `currentCause` in `lib`.
 */
export interface HandlerCall {
  readonly kind: 'change';
  readonly informer: DiagnosedInformer;
  readonly handler: string;
  readonly event: 'add' | 'delete' | 'resync' | 'update';
  /** The object that has changed: its new state, or the last one that is known. */
  readonly object: CachedObject | undefined;
}

/** A call of an event handler has taken longer than {@link SLOW_CALL_MS}. */
export const slowHandlerCalls: DiagnosticChannel<HandlerCall & { readonly durationMs: number }> =
  new DiagnosticChannel('client-ts:handler:slow');

/** Calls of handlers that take longer than this are published. */
export const SLOW_CALL_MS = 100;

/** The informers that run in this process. */
export const runningInformers: Set<DiagnosedInformer> = sharedState(
  'running informers',
  () => new Set(),
);
