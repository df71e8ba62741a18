import type { Pod } from 'client-ts/api/core/v1';
import { type DeepReadonly, isBeingDeleted } from 'client-ts/meta';

import type { PodCounts } from './state.ts';

/** The condition of a pod on the screen. */
export type PodCondition = keyof PodCounts;

/** All conditions. */
export const podConditions: readonly PodCondition[] = ['running', 'starting', 'failing', 'ending'];

/** Waiting reasons that are not failures. */
const harmless: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing']);

/** Returns the condition of a pod; undefined for completed and failed ones. */
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
