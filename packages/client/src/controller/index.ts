/**
 * Handlers that enqueue keys, owner references, finalizers, and a controller's life cycle.
 *
 * @module
 */

export { ControllerError, type ControllerErrorCode } from './controller-error.ts';
export {
  type EnqueueHandler,
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
export {
  runController,
  type RunControllerOptions,
  type RunnableInformer,
} from './run-controller.ts';
export {
  type ControllerReferenceOptions,
  setControllerReference,
} from './set-controller-reference.ts';
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
