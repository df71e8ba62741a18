import { type Clock, systemClock } from '../lib/clock.ts';
import { formatTime } from './time.ts';
import type { Condition, Time } from './types.ts';

/** What conditions of all kinds have in common; either field may be missing in unvalidated objects. */
interface AnyCondition {
  readonly type?: string | undefined;
  readonly status?: string | undefined;
}

/** Returns the condition of a type, if the object has it. A server may send `null` for no conditions. */
export function findStatusCondition<C extends AnyCondition>(
  conditions: readonly C[] | null | undefined,
  type: string,
): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Returns true if the condition is present and has this status. */
export function isStatusConditionPresentAndEqual(
  conditions: readonly AnyCondition[] | null | undefined,
  type: string,
  status: string,
): boolean {
  return findStatusCondition(conditions, type)?.status === status;
}

/** Returns true if the condition is present and `True`; a missing condition is neither true nor false. */
export function isStatusConditionTrue(
  conditions: readonly AnyCondition[] | null | undefined,
  type: string,
): boolean {
  return isStatusConditionPresentAndEqual(conditions, type, 'True');
}

/** Returns true if the condition is present and `False`; a missing condition is neither true nor false. */
export function isStatusConditionFalse(
  conditions: readonly AnyCondition[] | null | undefined,
  type: string,
): boolean {
  return isStatusConditionPresentAndEqual(conditions, type, 'False');
}

/** The fields of a condition that {@link setStatusCondition} compares; every generated type has them. */
export interface StatusCondition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: Time | undefined;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly observedGeneration?: number | undefined;
}

/** A condition to set. `lastTransitionTime` is filled in if it is left out. */
export type NewCondition<C extends StatusCondition = Condition> = Omit<C, 'lastTransitionTime'> & {
  readonly lastTransitionTime?: Time | undefined;
};

/** The type of the conditions of an empty array literal, from which nothing can be inferred. */
type Known<C extends StatusCondition> = [C] extends [never] ? Condition : C;

/**
 * Returns the conditions with one of them set: `Condition`, `PodCondition` or any other generated
 * type. `lastTransitionTime` moves only when the status does. The given array is not changed; if
 * nothing changes it is returned itself, so that `===` shows whether a write is needed.
 *
 * ```ts
 * const conditions = setStatusCondition(widget.status?.conditions, {
 *   type: 'Ready', status: 'True', reason: 'Running', message: '',
 * });
 * ```
 */
export function setStatusCondition<C extends StatusCondition = Condition>(
  conditions: readonly C[] | undefined,
  wanted: NewCondition<Known<C>>,
  { clock = systemClock }: { readonly clock?: Pick<Clock, 'now'> | undefined } = {},
): Known<C>[] {
  const current = (conditions ?? []) as readonly Known<C>[];
  const next: StatusCondition = wanted;
  const existing = findStatusCondition(current, next.type);
  const isTransition = existing?.status !== next.status;
  const lastTransitionTime = isTransition
    ? (next.lastTransitionTime ?? formatTime(clock.now()))
    : existing.lastTransitionTime;
  if (existing === undefined) return [...current, { ...next, lastTransitionTime } as Known<C>];
  if (
    !isTransition &&
    // Servers leave out empty fields of most kinds of conditions.
    (existing.reason ?? '') === (next.reason ?? '') &&
    (existing.message ?? '') === (next.message ?? '') &&
    (existing.observedGeneration ?? 0) === (next.observedGeneration ?? 0)
  ) {
    return current as Known<C>[];
  }
  const { observedGeneration: _, ...kept } = existing;
  const changed = { ...kept, ...next, lastTransitionTime } as unknown as Known<C>;
  return current.map((condition) => (condition === existing ? changed : condition));
}

/** Returns the conditions without those of a type; the given array itself if there are none. */
export function removeStatusCondition<C extends AnyCondition>(
  conditions: readonly C[] | null | undefined,
  type: string,
): C[] {
  const current = conditions ?? [];
  const kept = current.filter((condition) => condition.type !== type);
  return kept.length === current.length ? (current as C[]) : kept;
}
