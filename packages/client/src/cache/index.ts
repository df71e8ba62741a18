/**
 * Reflector, queues, indexer and shared informers: the machinery that mirrors a resource.
 *
 * @module
 */

export type { Slices } from '../lib/slices.ts';
export type { FieldValue, ScalarPath, ValueAt } from '../meta/field-path.ts';
export { PROJECTION, type Projected, type ProjectionPath } from '../meta/projection.ts';
export type { Cached, CachedProjection } from '../rest/object-types.ts';
export { CACHE_ERRORS, CacheError, type CacheErrorCode } from './cache-error.ts';
export { Controller, type ControllerOptions } from './controller.ts';
export { DeltaFIFO, type DeltaFIFOOptions } from './delta-fifo.ts';
export type {
  DiagnosedInformer,
  HandlerCall,
  HandlerStatistics,
  InformerChange,
  InformerStatistics,
  Reading,
} from './diagnostics.ts';
export type {
  BookmarkDelta,
  DeletedDelta,
  Delta,
  DeltaQueueOptions,
  Deltas,
  PresentDelta,
  QueueDelta,
  Refusal,
  ReplacedAllDelta,
  SyncAllDelta,
  TransformFunc,
} from './delta-queue.ts';
export {
  type EventHandlerOptions,
  type EventHandlerRegistration,
  filteringResourceEventHandler,
  type FilteringResourceEventHandlerOptions,
  type OverflowPolicy,
  type ResourceEventHandler,
  type ResourceEventHandlerFuncs,
} from './event-handler.ts';
export {
  ExpirationCache,
  type ExpirationCacheOptions,
  type ExpirationPolicy,
  type TimestampedEntry,
  ttlStore,
  type TtlStoreOptions,
} from './expiration-cache.ts';
export { FIFO, type FIFOOptions } from './fifo.ts';
export { Heap, type HeapOptions } from './heap.ts';
export { Indexer, type IndexerOptions, type StoreReplacement } from './indexer.ts';
export {
  type AnyIndexers,
  type Indexers,
  type IndexFunc,
  type IndexFuncs,
  type IndexInputs,
  type IndexName,
  type IndexValue,
  type IndexValueOf,
  metaNamespaceIndexFunc,
  type MoreIndexers,
  namespaceIndex,
  type NoIndexers,
  ownerUidIndexFunc,
  podNodeNameIndexFunc,
  podPersistentVolumeClaimIndexFunc,
} from './indexers.ts';
export { describeState, type InformerState } from './informer-state.ts';
export type { IndexErrorHandler } from './key-index.ts';
export {
  type CachedFields,
  type CachedObject,
  type ExpectedKind,
  type KeepOptions,
  type ListableResource,
  type ListAnswer,
  type ListedEvent,
  type ListedEvents,
  type ListerWatcher,
  type ListRequest,
  ListWatch,
  type ListWatchOptions,
  type ProjectOptions,
  type WatchRequest,
} from './list-watch.ts';
export { type PopProcessFunc, type Queue, RequeueError } from './queue.ts';
export { RealFIFO } from './real-fifo.ts';
export type { ReflectorMetrics, ReflectorMetricsProvider } from './reflector-metrics.ts';
export {
  Reflector,
  type ReflectorFailure,
  type ReflectorOptions,
  type RunOptions,
} from './reflector.ts';
export type { ReflectorStatus } from './reflector-machine.ts';
export { SharedIndexInformer, type SharedIndexInformerOptions } from './shared-index-informer.ts';
export {
  DeletedFinalStateUnknown,
  deletionHandlingMetaNamespaceKeyFunc,
  ExplicitKey,
  type KeyFunc,
  type KeyListerGetter,
  lastKnownState,
  metaNamespaceKeyFunc,
  type ReflectorStore,
  splitMetaNamespaceKey,
  type Store,
} from './store.ts';
export { UndeltaStore, type UndeltaStoreOptions } from './undelta-store.ts';
export {
  CacheSyncError,
  type CacheSyncOptions,
  type NotSynced,
  type Syncable,
  type SyncSource,
  waitForCacheSync,
} from './wait-for-cache-sync.ts';
