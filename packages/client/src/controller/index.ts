/**
 * The manager and its controllers, and the pieces they are made of: handlers that enqueue keys, owner
 * references, finalizers, a controller's life cycle.
 *
 * @module
 */

export type { ControllerContext } from './controller-context.ts';
export {
  cached,
  type CachedResource,
  type CacheOptions,
  type Consistency,
  type IndexQuery,
  type MetadataDescriptor,
  metadataOf,
  type ProjectedDescriptor,
  projectionOf,
  type WithCacheOptions,
} from './cached-resource.ts';
export type { CacheDefaults } from './view-registry.ts';
export {
  type CacheQuery,
  ControllerCache,
  type ControllerCacheOptions,
  type ObjectName,
} from './controller-cache.ts';
export { ControllerError, type ControllerErrorCode } from './controller-error.ts';
export {
  type ControllerDefinition,
  type MapContext,
  type MappedResource,
  type MapTo,
  optional,
  type ResourceInput,
  type WatchedResource,
} from './controller-definition.ts';
export {
  changePriority,
  type EnqueueHandler,
  type EnqueueOptions,
  type EnqueueOwnerOptions,
  enqueueRequestForObject,
  enqueueRequestForOwner,
  enqueueRequestsFromMapFunc,
  type KeyQueue,
  type OwnerType,
} from './enqueue.ts';
export {
  type FinalizableClient,
  type FinalizerOptions,
  type FinalizersPatch,
  withFinalizer,
} from './finalizer.ts';
export type { ManagedController } from './managed-controller.ts';
export type { LoopGuardOptions } from './loop-guard/loop-guard.ts';
export { Manager } from './manager.ts';
export type {
  ManagerLeaderElection,
  ManagerMetrics,
  ManagerOptions,
  ManagerRunOptions,
  ManagerSharding,
  ShardedRequest,
} from './manager-options.ts';
export type { ManagerShards } from './sharding.ts';
export type {
  Applicable,
  ApplyChildOptions,
  ApplyFunc,
  ChildOptions,
  CreateFunc,
  CreateOrUpdateFunc,
  Written,
} from './object-writer.ts';
export {
  allOf,
  annotationsChanged,
  anyOf,
  changed,
  generationChanged,
  labelsChanged,
  not,
  type ObjectChange,
  type Predicate,
  resourceVersionChanged,
} from './predicates.ts';
export type { ReconcileRequest } from './reconcile-request.ts';
export {
  runController,
  type RunControllerOptions,
  type RunnableInformer,
} from './run-controller.ts';
export {
  type ControllerReferenceOptions,
  setControllerReference,
} from './set-controller-reference.ts';
export type { SetConditionFunc, StatusFields, StatusFunc, StatusOf } from './status-writer.ts';
export type { HealthCheck } from './health-checks.ts';
export type { EndpointOptions } from './probe-server.ts';
export { StartUpError, type StartUpProblem } from './start-up-error.ts';
export { shutdownSignal, type ShutdownSignalOptions } from './shutdown-signal.ts';
export {
  ALL_OBJECTS,
  runSource,
  type RunSourceOptions,
  type Source,
  type SourceOptions,
  type SourceRequest,
  timer,
} from './sources.ts';
export type { AcceptedWrite, AcceptedWriteListener } from './write-tracker.ts';
export {
  isTerminal,
  type Reconcile,
  type ReconcileContext,
  ReconcileError,
  type ReconcileResult,
  type RequeueAfter,
  requeueAfter,
  terminal,
  TerminalError,
} from '../workqueue/reconcile.ts';
export { runWorkers, type RunWorkersOptions, type WorkerQueue } from '../workqueue/run-workers.ts';
