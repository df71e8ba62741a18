/** A condition of any kind, as it may be stored. */
interface LooseCondition {
  readonly type?: string;
  readonly status?: string;
}

/** The first condition of a type, if the object has one. */
export function findCondition<C extends LooseCondition>(
  conditions: readonly C[] | null | undefined,
  type: string,
): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** True if the object has the condition, and it is true. */
export function holds(
  conditions: readonly LooseCondition[] | null | undefined,
  type: string,
): boolean {
  return findCondition(conditions, type)?.status === 'True';
}
