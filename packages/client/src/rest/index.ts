/**
 * The request engine: requests, results, watch streams and the generic resource client.
 *
 * @module
 */

export type {
  CanCreate,
  CanDelete,
  CanDeleteCollection,
  CanGet,
  CanList,
  CanPatch,
  CanSubmit,
  CanUpdate,
  CanWatch,
  CanWatchAll,
  EventsOf,
  HasApproval,
  HasBinding,
  HasEphemeralContainers,
  HasEviction,
  HasFinalize,
  HasProxy,
  HasResize,
  HasScale,
  HasStatus,
  HasToken,
  PatchBody,
  ProxyOptions,
} from './client-methods.ts';
export type { CodecName } from './engine.ts';
export { type ExtractOptions, extractApplied } from './extract-applied.ts';
export type {
  ApplyConfiguration,
  ApplyMetadata,
  Cached,
  DeepPartial,
  MergePatch,
  ResourceList,
  Stored,
  StoredMetadata,
  StrategicPatch,
} from './object-types.ts';
export type {
  ApplyOptions,
  CallOptions,
  DeletionOptions,
  FieldValidation,
  GetOptions,
  ListAllOptions,
  ListOptions,
  PatchOptions,
  PatchType,
  ResourceVersionMatch,
  SelectorOptions,
  WatchAllOptions,
  WatchOptions,
  WriteOptions,
} from './options.ts';
export { PagedList } from './pager.ts';
export type { ParameterValue, QueryParameters } from './path.ts';
export { Request, type RequestTarget, type SendOptions } from './request.ts';
export {
  type AllNamespacesClient,
  type ClusterDescriptor,
  type NamespacedDescriptor,
  type NotCallable,
  type ResourceClient,
  resourceClient,
  type WithType,
  withType,
} from './resource-client.ts';
export {
  type BorrowedTransportOptions,
  type ConnectionOptions,
  type RequestDefaults,
  RESTClient,
  type RESTClientOptions,
} from './rest-client.ts';
export { REST_ERRORS, RestError, type RestErrorCode, type RestErrorOptions } from './rest-error.ts';
export type { Result } from './result.ts';
export type { Stream } from './stream.ts';
export type {
  AnyWatchEvent,
  AppliedEvent,
  BookmarkEvent,
  DeletedEvent,
  ErrorEvent,
  InitEvent,
  ObjectEvent,
  WatchAllEvent,
} from './watch.ts';
export type { WatchStreamOptions } from './watch.ts';
export type { Warning } from './warnings.ts';
export type {
  ObservedWrite,
  WriteAnswer,
  WriteObserver,
  WriteOutcome,
  WriteVerb,
} from './write-observer.ts';
