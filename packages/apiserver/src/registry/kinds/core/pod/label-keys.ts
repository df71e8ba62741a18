import type * as core from 'client-ts/api/core/v1';
import { getKey } from 'client-ts/internal';
import type { LabelSelector } from 'client-ts/meta';
import type { Loose } from '../../../../validation/loose.ts';

type Selector = Loose<LabelSelector>;
type Labels = Readonly<Record<string, string>>;

/**
 * Writes the pod's own label values into its affinities and spread constraints where these ask for
 * pods with the same, or other, values.
 */
export function resolveLabelKeys(pod: Loose<core.Pod>): void {
  const labels = pod.metadata?.labels ?? {};
  const { podAffinity, podAntiAffinity } = pod.spec?.affinity ?? {};
  for (const affinity of [podAffinity, podAntiAffinity]) {
    for (const { podAffinityTerm } of affinity?.preferredDuringSchedulingIgnoredDuringExecution ??
      []) {
      if (podAffinityTerm) resolve(podAffinityTerm, labels);
    }
    for (const term of affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) {
      resolve(term, labels);
    }
  }
  for (const constraint of pod.spec?.topologySpreadConstraints ?? []) resolve(constraint, labels);
}

function resolve(
  term: {
    labelSelector?: Selector;
    matchLabelKeys?: readonly string[];
    mismatchLabelKeys?: readonly string[];
  },
  labels: Labels,
): void {
  if (term.labelSelector === undefined) return;
  extend(term.labelSelector, term.matchLabelKeys ?? [], 'In', labels);
  extend(term.labelSelector, term.mismatchLabelKeys ?? [], 'NotIn', labels);
}

function extend(
  selector: Selector,
  keys: readonly string[],
  operator: string,
  labels: Labels,
): void {
  for (const key of keys) {
    const value = getKey(labels, key);
    if (value === undefined) continue;
    (selector.matchExpressions ??= []).push({ key, operator, values: [value] });
  }
}
