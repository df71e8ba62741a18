/** A replica set as far as a rollout is concerned. */
export interface RolloutSet {
  readonly name: string;
  /** How many pods it is to have. */
  readonly replicas: number;
  /** How many of them serve. */
  readonly available: number;
}

/** How things stand between the old and the new. */
export interface Rollout {
  /** How many pods the deployment is to have. */
  readonly replicas: number;
  readonly current: RolloutSet;
  /** Oldest first. */
  readonly previous: readonly RolloutSet[];
}

/** Deployments replace a quarter of their pods at a time. */
const share = 0.25;

/** How many pods there may be, and how many must serve, while a deployment rolls. */
export function rolloutLimits(replicas: number): {
  readonly most: number;
  readonly leastAvailable: number;
} {
  return {
    most: replicas + Math.ceil(replicas * share),
    leastAvailable: replicas - Math.floor(replicas * share),
  };
}

/**
 * The next step of a rolling update: how many pods each replica set is to have. Sets that stay as
 * they are do not come up; nothing comes up when there is nothing to do but wait.
 *
 * There are never more pods than the limit, and old pods that serve go only when enough others do.
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

function grow({ replicas, current, previous }: Rollout): number {
  if (current.replicas >= replicas) return replicas;
  const room = rolloutLimits(replicas).most - totalOf([current, ...previous]);
  return Math.min(replicas, current.replicas + Math.max(0, room));
}

/** Pods that do not serve go first: nobody misses them. */
function shrink({ replicas, current, previous }: Rollout): Map<string, number> {
  const { leastAvailable } = rolloutLimits(replicas);
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
