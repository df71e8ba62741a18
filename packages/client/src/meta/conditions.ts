import type { Clock } from '../lib/clock.ts';
import { formatTime } from './time.ts';
import type { Condition, Time } from './types.ts';

/** What conditions of all kinds have in common. */
interface AnyCondition {
  readonly type: string;
  readonly status: string;
}

/** The condition of a type, if the object has it. */
export function findStatusCondition<C extends AnyCondition>(
  conditions: readonly C[] | undefined,
  type: string,
): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** True if the condition is there and has this status. */
export function isStatusConditionPresentAndEqual(
  conditions: readonly AnyCondition[] | undefined,
  type: string,
  status: string,
): boolean {
  return findStatusCondition(conditions, type)?.status === status;
}

/** True if the condition is there and holds; a missing condition is neither true nor false. */
export function isStatusConditionTrue(
  conditions: readonly AnyCondition[] | undefined,
  type: string,
): boolean {
  return isStatusConditionPresentAndEqual(conditions, type, 'True');
}

/** True if the condition is there and does not hold; a missing condition is neither true nor false. */
export function isStatusConditionFalse(
  conditions: readonly AnyCondition[] | undefined,
  type: string,
): boolean {
  return isStatusConditionPresentAndEqual(conditions, type, 'False');
}

/** A condition to set; the time is filled in when it is left out. */
export type NewCondition = Omit<Condition, 'lastTransitionTime'> & {
  readonly lastTransitionTime?: Time;
};

/**
 * Sets a condition and returns the list to write. `lastTransitionTime` moves only when the status
 * does. If nothing changes the very same list comes back, so `===` tells whether a write is needed;
 * the given list is never changed.
 */
export function setStatusCondition(
  conditions: readonly Condition[],
  wanted: NewCondition,
  clock: Pick<Clock, 'now'>,
): readonly Condition[] {
  const existing = findStatusCondition(conditions, wanted.type);
  const isTransition = existing?.status !== wanted.status;
  const lastTransitionTime = isTransition
    ? (wanted.lastTransitionTime ?? formatTime(clock.now()))
    : existing.lastTransitionTime;
  if (existing === undefined) return [...conditions, { ...wanted, lastTransitionTime }];
  if (
    !isTransition &&
    existing.reason === wanted.reason &&
    existing.message === wanted.message &&
    existing.observedGeneration === wanted.observedGeneration
  ) {
    return conditions;
  }
  const { observedGeneration: _, ...kept } = existing;
  const changed: Condition = { ...kept, ...wanted, lastTransitionTime };
  return conditions.map((condition) => (condition === existing ? changed : condition));
}

/** The list without conditions of a type; the very same list if there are none. */
export function removeStatusCondition<C extends AnyCondition>(
  conditions: readonly C[],
  type: string,
): readonly C[] {
  const kept = conditions.filter((condition) => condition.type !== type);
  return kept.length === conditions.length ? conditions : kept;
}
