export { ControllerError, type ControllerErrorCode } from './controller-error.ts';
export {
  type EnqueueingHandler,
  enqueueKey,
  enqueueMapped,
  enqueueOwner,
  type EnqueueOwnerOptions,
  type KeySink,
  type OwnerKind,
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
  type Reconcile,
  type ReconcileContext,
  type ReconcileResult,
  type RequeueAfter,
  requeueAfter,
} from '../workqueue/reconcile.ts';
export { runWorkers, type RunWorkersOptions, type WorkerQueue } from '../workqueue/run-workers.ts';
export { isTerminal, ReconcileError, terminal, TerminalError } from '../workqueue/worker-error.ts';
