import type * as core from 'client-ts/api/core/v1';
import type { Clock } from 'client-ts/internal';
import { formatTime } from 'client-ts/meta';
import type { Loose } from '../../../../validation/loose.ts';

type PodCondition = Loose<core.PodCondition>;

/**
 * Sets a condition of a pod. The time of the transition stays if the status does, and nothing changes
 * if the condition says what it said before.
 */
export function setPodCondition(
  status: Loose<core.PodStatus>,
  condition: PodCondition & { type: string; status: string },
  clock: Clock,
): void {
  const conditions = (status.conditions ??= []);
  const index = conditions.findIndex(({ type }) => type === condition.type);
  const old = conditions[index];
  const next: PodCondition = {
    ...condition,
    lastTransitionTime: formatTime(clock.now()),
  };
  if (old === undefined) {
    conditions.push(next);
    return;
  }
  if (old.status === condition.status && old.lastTransitionTime !== undefined) {
    next.lastTransitionTime = old.lastTransitionTime;
  }
  if (old.lastProbeTime !== undefined) next.lastProbeTime = old.lastProbeTime;
  conditions[index] = next;
}
