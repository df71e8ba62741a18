export { splitMetaNamespaceKey } from '../meta/object.ts';
export { CACHE_ERRORS, CacheError, type CacheErrorCode } from './cache-error.ts';
export { Controller, type ControllerOptions } from './controller.ts';
export type {
  BookmarkDelta,
  DeletedDelta,
  Delta,
  Deltas,
  PresentDelta,
  QueueDelta,
  ReplacedAllDelta,
  SyncAllDelta,
  TransformFunc,
} from './delta.ts';
export { DeltaFIFO, type DeltaFIFOOptions } from './delta-fifo.ts';
export {
  filteringResourceEventHandler,
  type FilteringResourceEventHandlerOptions,
  type ResourceEventHandler,
} from './event-handler.ts';
export type { EventHandlerRegistration } from './event-handler-registration.ts';
export type { ExpectedKind } from './event-sink.ts';
export {
  ExpirationCache,
  type ExpirationCacheOptions,
  type ExpirationPolicy,
  type TimestampedEntry,
  ttlStore,
  type TtlStoreOptions,
} from './expiration-cache.ts';
export { FIFO, type FIFOOptions } from './fifo.ts';
export type { IntakeOptions, Refusal } from './intake.ts';
export { Heap, type HeapOptions } from './heap.ts';
export {
  metaNamespaceIndexFunc,
  namespaceIndex,
  ownerUidIndexFunc,
  podNodeNameIndexFunc,
  podPersistentVolumeClaimIndexFunc,
} from './index-funcs.ts';
export {
  type FailedOperation,
  Indexer,
  type IndexerOptions,
  type StoreOperation,
} from './indexer.ts';
export type {
  Indexers,
  IndexFunc,
  IndexName,
  IndexValue,
  IndexValueOf,
  MoreIndexers,
  NoIndexers,
} from './indexers.ts';
export { describeState, type InformerState } from './informer-state.ts';
export {
  deletionHandlingMetaNamespaceKeyFunc,
  ExplicitKey,
  type KeyFunc,
  metaNamespaceKeyFunc,
} from './key-func.ts';
export { ListPager, type ListPagerOptions, type PagedAnswer } from './list-pager.ts';
export {
  type Cached,
  type CachedObject,
  type ListableResource,
  type ListAnswer,
  type ListedEvent,
  type ListedEvents,
  type ListerWatcher,
  type ListRequest,
  ListWatch,
  type ListWatchOptions,
  type WatchRequest,
} from './list-watch.ts';
export type { OverflowPolicy } from './processor-listener.ts';
export type { ProcessFunc, Queue } from './queue.ts';
export { RealFIFO, type RealFIFOOptions } from './real-fifo.ts';
export { Reflector } from './reflector.ts';
export type { ReflectorFailure, ReflectorOptions, RunOptions } from './reflector-options.ts';
export type { ReflectorStatus } from './reflector-status.ts';
export { RequeueError } from './requeue-error.ts';
export { SharedIndexInformer } from './shared-index-informer.ts';
export type {
  EventHandlerOptions,
  SharedIndexInformerOptions,
} from './shared-index-informer-options.ts';
export type { KeyLookup, ReflectorStore, Store } from './store.ts';
export { type StoreReplacement, ThreadSafeStore } from './thread-safe-store.ts';
export { DeletedFinalStateUnknown, lastKnownState } from './tombstone.ts';
export { UndeltaStore, type UndeltaStoreOptions } from './undelta-store.ts';
export {
  CacheSyncError,
  type CacheSyncOptions,
  type NotSynced,
  type Syncable,
  type SyncSource,
  waitForCacheSync,
} from './wait-for-cache-sync.ts';
