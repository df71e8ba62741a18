import type { Pod } from 'client-ts/api/core/v1';
import { type DeepReadonly, isBeingDeleted } from 'client-ts/meta';

import type { PodCounts } from './state.ts';

/** How a pod is doing. */
export type PodCondition = keyof PodCounts;

/** Every condition. */
export const podConditions: readonly PodCondition[] = ['running', 'starting', 'failing', 'ending'];

/** Reasons to wait that are no trouble: they pass by themselves. */
const harmless: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing']);

/** How a pod is doing; undefined for one that has done what it had to, or failed for good. */
export function podCondition(pod: DeepReadonly<Pod>): PodCondition | undefined {
  const { phase, containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
  if (phase === 'Succeeded' || phase === 'Failed') return undefined;
  if (isBeingDeleted(pod)) return 'ending';
  const waiting = [...initContainerStatuses, ...containerStatuses].map(
    ({ state }) => state?.waiting?.reason ?? '',
  );
  if (waiting.some((reason) => reason !== '' && !harmless.has(reason))) return 'failing';
  return phase === 'Running' ? 'running' : 'starting';
}
