/**
 * What people who run a cluster do: rollouts, scaling, draining nodes, usage, events and health.
 *
 * @module
 */

export { cordon, drain, type DrainEvent, type DrainOptions, uncordon } from './drain.ts';
export { type Health, type ServerCheck, HealthClient, type HealthOptions } from './health.ts';
export { eventsFor, type EventsForOptions, lastSeen } from './object-events.ts';
export {
  OPERATIONS_ERRORS,
  OperationsError,
  type OperationsErrorCode,
} from './operations-error.ts';
export { rolloutStatus, type RolloutStatus, type RolloutStatusOptions } from './rollout-status.ts';
export {
  type OperationOptions,
  pauseRollout,
  restartRollout,
  resumeRollout,
  type Revision,
  rolloutHistory,
  undoRollout,
  type UndoOptions,
} from './rollout.ts';
export { scale, type ScaleOptions } from './scale.ts';
export {
  type NamedUsage,
  type NodeUsage,
  type PodUsage,
  topNodes,
  type TopOptions,
  topPods,
  type TopPodsOptions,
  type Usage,
} from './top.ts';
export type { WorkloadRef } from './workload.ts';
