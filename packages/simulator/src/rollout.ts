/** A replica set in a rollout. */
export interface RolloutSet {
  readonly name: string;
  /** The desired number of pods. */
  readonly replicas: number;
  /** The number of ready pods. */
  readonly available: number;
}

/** How pods are replaced: the fields of a deployment's `strategy` that count here. */
export interface RolloutStrategy {
  readonly type?: string | undefined;
  readonly rollingUpdate?:
    | {
        readonly maxSurge?: number | string | undefined;
        readonly maxUnavailable?: number | string | undefined;
      }
    | undefined;
}

/** The state of a rollout. */
export interface Rollout {
  /** Default: rolling updates of a quarter at a time. */
  readonly strategy?: RolloutStrategy | undefined;
  /** The desired number of pods of the deployment. */
  readonly replicas: number;
  readonly current: RolloutSet;
  /** Oldest first. */
  readonly previous: readonly RolloutSet[];
}

/** The default of `maxSurge` and `maxUnavailable`. */
const share = '25%';

/** The maximum number of pods and the minimum number of ready ones during a rollout. */
export function rolloutLimits(
  replicas: number,
  { type, rollingUpdate = {} }: RolloutStrategy = {},
): {
  readonly most: number;
  readonly leastAvailable: number;
} {
  if (type === 'Recreate') return { most: replicas, leastAvailable: 0 };
  const surge = countOf(rollingUpdate.maxSurge ?? share, replicas, Math.ceil);
  const unavailable = countOf(rollingUpdate.maxUnavailable ?? share, replicas, Math.floor);
  // One of them must be above zero, or nothing could happen.
  return {
    most: replicas + surge,
    leastAvailable: replicas - (surge === 0 && unavailable === 0 ? 1 : unavailable),
  };
}

/** Returns a number of pods: `3`, or `25%` of all. */
export function countOf(
  value: number | string,
  all: number,
  round: (value: number) => number,
): number {
  if (typeof value === 'number') return value;
  return round((all * Number(value.replace('%', ''))) / 100);
}

/**
 * Returns the next step of a rolling update: the new size of each replica set that changes; empty
 * when there is nothing to do but wait.
 *
 * The number of pods never exceeds the limit, and ready old pods are removed only when enough
 * others are ready.
 */
export function nextRolloutStep(rollout: Rollout): ReadonlyMap<string, number> {
  const steps = new Map<string, number>();
  const { replicas, current } = rollout;
  const grown = grow(rollout);
  if (grown !== current.replicas) steps.set(current.name, grown);
  for (const [name, count] of shrink(rollout)) steps.set(name, count);
  if (replicas === 0)
    for (const { name, replicas: had } of rollout.previous) if (had > 0) steps.set(name, 0);
  return steps;
}

function grow({ replicas, strategy, current, previous }: Rollout): number {
  if (current.replicas >= replicas) return replicas;
  const room = rolloutLimits(replicas, strategy).most - totalOf([current, ...previous]);
  return Math.min(replicas, current.replicas + Math.max(0, room));
}

/** Unready pods are removed first. */
function shrink({ replicas, strategy, current, previous }: Rollout): Map<string, number> {
  const { leastAvailable } = rolloutLimits(replicas, strategy);
  const missing = current.replicas - current.available;
  let spare = totalOf([current, ...previous]) - leastAvailable - missing;
  const left = new Map<string, number>();
  for (const { name, replicas: count, available } of previous) {
    const removed = Math.max(0, Math.min(count - available, spare));
    spare -= removed;
    left.set(name, count - removed);
  }
  for (const { name, available } of previous) {
    const count = left.get(name) ?? 0;
    const removed = Math.max(0, Math.min(count, available, spare));
    spare -= removed;
    left.set(name, count - removed);
  }
  for (const { name, replicas: count } of previous) if (left.get(name) === count) left.delete(name);
  return left;
}

function totalOf(sets: readonly RolloutSet[]): number {
  return sets.reduce((sum, { replicas }) => sum + replicas, 0);
}
