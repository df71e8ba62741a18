import type { DaemonSet, Deployment, StatefulSet } from '../api/apps/v1.ts';
import type { Clientset } from '../kubernetes/clientset.ts';
import { findStatusCondition } from '../meta/conditions.ts';
import { escapeFieldValue } from '../meta/fields.ts';
import { OperationsError } from './operations-error.ts';
import { placeOf, type Workload, type WorkloadRef } from './workload.ts';

/** How far a rollout is. */
export interface RolloutStatus {
  /** True when every pod runs the current template. */
  readonly isDone: boolean;
  /** In kubectl's words. */
  readonly message: string;
}

/** Options of {@link rolloutStatus}. */
export interface RolloutStatusOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Follows a rollout: yields its status now and after each change, and ends when it is done. Survives
 * lost connections. Throws `OPERATIONS_ROLLOUT_FAILED` when a Deployment exceeds its progress
 * deadline, or the object does not exist or is deleted.
 *
 * ```ts
 * for await (const { message } of rolloutStatus(client, { kind: 'Deployment', name: 'web' })) {
 *   console.log(message);
 * }
 * ```
 */
export async function* rolloutStatus(
  client: Clientset,
  workload: WorkloadRef,
  { signal }: RolloutStatusOptions = {},
): AsyncGenerator<RolloutStatus, void> {
  const { kind, name, client: resource } = placeOf(client, workload);
  const fieldSelector = `metadata.name=${escapeFieldValue(name)}`;
  let last = '';
  for await (const event of resource.watchAll({ fieldSelector, signal })) {
    const object = event.type === 'init' ? event.objects[0] : event.object;
    if (object === undefined || event.type === 'deleted') {
      const gone = event.type === 'deleted' ? 'was deleted' : 'does not exist';
      throw new OperationsError('OPERATIONS_ROLLOUT_FAILED', `${kind} "${name}" ${gone}`);
    }
    const status = statusOf(kind, object);
    if (status.message !== last) yield status;
    last = status.message;
    if (status.isDone) return;
  }
  signal?.throwIfAborted();
}

/** Returns how far the rollout of an object is, without a request. Throws as `rolloutStatus` does. */
export function statusOf(kind: NonNullable<WorkloadRef['kind']>, object: Workload): RolloutStatus {
  switch (kind) {
    case 'Deployment':
      return deploymentStatus(object as Deployment);
    case 'DaemonSet':
      return daemonSetStatus(object as DaemonSet);
    case 'StatefulSet':
      return statefulSetStatus(object as StatefulSet);
  }
}

const waiting = (message: string): RolloutStatus => ({ isDone: false, message });
const done = (message: string): RolloutStatus => ({ isDone: true, message });

function deploymentStatus({ metadata, spec, status = {} }: Deployment): RolloutStatus {
  const { name = '', generation = 0 } = metadata ?? {};
  if (generation > (status.observedGeneration ?? 0)) {
    return waiting('Waiting for deployment spec update to be observed...');
  }
  const progressing = findStatusCondition(status.conditions, 'Progressing');
  if (progressing?.reason === 'ProgressDeadlineExceeded') {
    const message = `deployment "${name}" exceeded its progress deadline`;
    throw new OperationsError('OPERATIONS_ROLLOUT_FAILED', message);
  }
  const { replicas = 0, updatedReplicas: updated = 0, availableReplicas: available = 0 } = status;
  const wanted = spec?.replicas ?? 1;
  const finish = `Waiting for deployment "${name}" rollout to finish:`;
  if (updated < wanted) {
    return waiting(`${finish} ${updated} out of ${wanted} new replicas have been updated...`);
  }
  if (replicas > updated) {
    return waiting(`${finish} ${replicas - updated} old replicas are pending termination...`);
  }
  if (available < updated) {
    return waiting(`${finish} ${available} of ${updated} updated replicas are available...`);
  }
  return done(`deployment "${name}" successfully rolled out`);
}

function daemonSetStatus({ metadata, spec, status }: DaemonSet): RolloutStatus {
  const { name = '', generation = 0 } = metadata ?? {};
  checkRolling(spec?.updateStrategy?.type);
  if (status === undefined || generation > (status.observedGeneration ?? 0)) {
    return waiting('Waiting for daemon set spec update to be observed...');
  }
  const { desiredNumberScheduled: wanted, updatedNumberScheduled: updated = 0 } = status;
  const { numberAvailable: available = 0 } = status;
  const finish = `Waiting for daemon set "${name}" rollout to finish:`;
  if (updated < wanted) {
    return waiting(`${finish} ${updated} out of ${wanted} new pods have been updated...`);
  }
  if (available < wanted) {
    return waiting(`${finish} ${available} of ${wanted} updated pods are available...`);
  }
  return done(`daemon set "${name}" successfully rolled out`);
}

function statefulSetStatus({ metadata, spec, status }: StatefulSet): RolloutStatus {
  const strategy = spec?.updateStrategy;
  checkRolling(strategy?.type);
  const observed = status?.observedGeneration ?? 0;
  if (status === undefined || observed === 0 || (metadata?.generation ?? 0) > observed) {
    return waiting('Waiting for statefulset spec update to be observed...');
  }
  const { readyReplicas: ready = 0, updatedReplicas: updated = 0, updateRevision = '' } = status;
  const { currentReplicas = 0, currentRevision = '' } = status;
  const wanted = spec?.replicas ?? 1;
  if (ready < wanted) return waiting(`Waiting for ${wanted - ready} pods to be ready...`);
  if (strategy?.rollingUpdate !== undefined) {
    const { partition = 0 } = strategy.rollingUpdate;
    if (updated < wanted - partition) {
      const progress = `${updated} out of ${wanted - partition} new pods have been updated...`;
      return waiting(`Waiting for partitioned roll out to finish: ${progress}`);
    }
    return done(`partitioned roll out complete: ${updated} new pods have been updated...`);
  }
  const at = (count: number, revision: string): string =>
    `${count} pods at revision ${revision}...`;
  return updateRevision === currentRevision
    ? done(`statefulset rolling update complete ${at(currentReplicas, currentRevision)}`)
    : waiting(`waiting for statefulset rolling update to complete ${at(updated, updateRevision)}`);
}

function checkRolling(type = 'RollingUpdate'): void {
  if (type === 'RollingUpdate') return;
  const message = 'rollout status is only available for RollingUpdate strategy type';
  throw new OperationsError('OPERATIONS_ROLLOUT_UNSUPPORTED', message);
}
