// Upstream: pkg/registry/core/pod/storage/eviction.go
import type * as core from 'client-ts/api/core/v1';
import type { Eviction, PodDisruptionBudget } from 'client-ts/api/policy/v1';
import { type Clock, cloneJson } from 'client-ts/internal';
import {
  ApiError,
  type DeleteOptions,
  failureStatus,
  formatTime,
  newBadRequest,
  newForbidden,
  newTooManyRequests,
} from 'client-ts/meta';
import { matcherOf } from '../../../../validation/labels.ts';
import type { Loose } from '../../../../validation/loose.ts';
import { setPodCondition } from './status.ts';

type Budget = Loose<PodDisruptionBudget>;
type Pod = Loose<core.Pod>;

const BUDGETS = { group: 'policy', resource: 'poddisruptionbudget' };
const MOST_DISRUPTED_PODS = 2000;
const REFUSED = "Cannot evict pod as it would violate the pod's disruption budget.";
const ENDED_OR_NOT_STARTED = new Set(['Failed', 'Pending', 'Succeeded']);

/** Throws a 400 for an eviction whose name differs from the URL. */
export function checkEviction(eviction: Loose<Eviction>, podName: string): void {
  if (eviction.metadata?.name !== podName) {
    throw newBadRequest('name in URL does not match name in Eviction object');
  }
}

/** The writes of an allowed eviction. */
export interface EvictionPlan {
  /** The pod with the condition `DisruptionTarget`, stored before the deletion. */
  readonly pod: Pod;
  /** The budget with one disruption less, stored first. */
  readonly budget?: Budget;
  readonly deleteOptions: DeleteOptions;
}

/** The inputs of an eviction. */
export interface EvictionOptions {
  readonly clock: Clock;
  /** The budgets in the namespace of the pod. */
  readonly budgets: Iterable<Budget>;
  readonly dryRun: boolean;
}

/**
 * Decides an eviction. Pods that are not running are not protected; others may match at most one
 * budget, which must allow a disruption. Throws a 429 with the reason, or a 500 for several
 * budgets.
 */
export function planEviction(
  pod: Pod,
  eviction: Loose<Eviction>,
  { clock, budgets, dryRun }: EvictionOptions,
): EvictionPlan {
  const evicted = withDisruptionCondition(pod, clock);
  const deleteOptions: DeleteOptions = eviction.deleteOptions ?? {};
  const isUnprotected =
    ENDED_OR_NOT_STARTED.has(pod.status?.phase ?? '') ||
    pod.metadata?.deletionTimestamp !== undefined;
  const [budget, ...others] = isUnprotected ? [] : budgetsOf(pod, budgets);
  if (others.length > 0) throw severalBudgets();
  if (budget === undefined || allowsUnreadyEviction(pod, budget))
    return { pod: evicted, deleteOptions };
  return {
    pod: evicted,
    deleteOptions,
    budget: spend(budget, pod.metadata?.name ?? '', clock, dryRun),
  };
}

function withDisruptionCondition(pod: Pod, clock: Clock): Pod {
  const evicted = cloneJson(pod);
  setPodCondition(
    (evicted.status ??= {}),
    {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'EvictionByEvictionAPI',
      message: 'Eviction API: evicting',
    },
    clock,
  );
  return evicted;
}

function budgetsOf(pod: Pod, budgets: Iterable<Budget>): Budget[] {
  return [...budgets].filter(
    ({ spec }) => matcherOf(spec?.selector)?.matches(pod.metadata?.labels) ?? false,
  );
}

function severalBudgets(): ApiError {
  const message =
    'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
  return new ApiError(failureStatus({ code: 500, message }));
}

/**
 * Returns true for an unready pod that the budget does not protect: it has enough healthy pods, or
 * its policy is `AlwaysAllow`.
 */
function allowsUnreadyEviction({ status = {} }: Pod, budget: Budget): boolean {
  const isReady = (status.conditions ?? []).some(
    (condition) => condition.type === 'Ready' && condition.status === 'True',
  );
  if (isReady) return false;
  if (budget.spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = budget.status ?? {};
  return currentHealthy >= desiredHealthy && desiredHealthy > 0;
}

function spend(budget: Budget, podName: string, clock: Clock, dryRun: boolean): Budget {
  const { name = '', generation = 0 } = budget.metadata ?? {};
  const {
    observedGeneration = 0,
    disruptionsAllowed = 0,
    disruptedPods = {},
  } = budget.status ?? {};
  if (observedGeneration < generation) {
    throw newTooManyRequests(REFUSED, 10, [
      {
        reason: 'DisruptionBudget',
        message: `The disruption budget ${name} is still being processed by the server.`,
      },
    ]);
  }
  if (disruptionsAllowed < 0) {
    throw newForbidden(BUDGETS, name, 'pdb disruptions allowed is negative');
  }
  if (Object.keys(disruptedPods).length > MOST_DISRUPTED_PODS) {
    const detail = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller';
    throw newForbidden(BUDGETS, name, detail);
  }
  if (disruptionsAllowed === 0) {
    throw newTooManyRequests(REFUSED, 0, [
      { reason: 'DisruptionBudget', message: whyNone(budget, name) },
    ]);
  }
  const spent = cloneJson(budget);
  const status = (spent.status ??= {});
  status.disruptionsAllowed = disruptionsAllowed - 1;
  if (status.disruptionsAllowed === 0) markExhausted(spent, clock);
  if (!dryRun) {
    status.disruptedPods = { ...disruptedPods, [podName]: formatTime(clock.now()) };
  }
  return spent;
}

function whyNone({ status = {} }: Budget, name: string): string {
  const { currentHealthy = 0, desiredHealthy = 0 } = status;
  const condition = status.conditions?.find(({ type }) => type === 'DisruptionAllowed');
  const { reason = '', message = '' } = condition ?? {};
  const isDenied = condition?.status === 'False' && message !== '';
  if (isDenied && reason === 'SyncFailed') {
    return `The disruption budget ${name} does not allow evicting pods currently because it failed sync: ${message}`;
  }
  if (currentHealthy <= desiredHealthy) {
    return `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  }
  return isDenied
    ? `The disruption budget ${name} does not allow evicting pods currently (${reason}): ${message}`
    : `The disruption budget ${name} does not allow evicting pods currently`;
}

function markExhausted(budget: Budget, clock: Clock): void {
  const status = (budget.status ??= {});
  const conditions = (status.conditions ??= []);
  const index = conditions.findIndex(({ type }) => type === 'DisruptionAllowed');
  const old = conditions[index];
  const isSame = old?.status === 'False';
  const next = {
    type: 'DisruptionAllowed',
    status: 'False',
    observedGeneration: status.observedGeneration ?? 0,
    lastTransitionTime:
      isSame && old.lastTransitionTime !== undefined
        ? old.lastTransitionTime
        : formatTime(clock.now()),
    reason: 'InsufficientPods',
    message: '',
  };
  if (index === -1) conditions.push(next);
  else conditions[index] = next;
}
