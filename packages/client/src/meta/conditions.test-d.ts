/** Type tests of the condition helpers with generated types. The build compiles this file. */
import type { DeploymentCondition } from '../api/apps/v1.ts';
import type { Pod, PodCondition } from '../api/core/v1.ts';
import { removeStatusCondition, setStatusCondition } from './conditions.ts';
import type { Condition, DeepReadonly } from './types.ts';

export function tests(
  pod: Pod,
  cached: DeepReadonly<Pod>,
  deployment: DeploymentCondition[],
): void {
  // Generated condition types need no clock, no time and no cast, and the result can be written back.
  const ready = { type: 'Ready', status: 'True' };
  setStatusCondition(pod.status?.conditions, ready) satisfies PodCondition[];
  pod.status = { ...pod.status, conditions: setStatusCondition(pod.status?.conditions, ready) };
  setStatusCondition(cached.status?.conditions, ready) satisfies PodCondition[];
  setStatusCondition(deployment, { ...ready, lastUpdateTime: '' }) satisfies DeploymentCondition[];
  removeStatusCondition(cached.status?.conditions, 'Ready') satisfies PodCondition[];
  // Without a type it is the Condition that custom resources use.
  setStatusCondition(undefined, { ...ready, reason: 'Up', message: '' }) satisfies Condition[];
  // @ts-expect-error a Condition has a reason
  setStatusCondition([], ready);
  // @ts-expect-error a PodCondition has no such field
  setStatusCondition(pod.status?.conditions, { ...ready, cause: '' });
}
