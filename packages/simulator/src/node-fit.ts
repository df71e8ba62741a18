import type { PodSpec, Taint, Toleration } from 'client-ts/api/core/v1';
import { getKey } from 'client-ts/internal';
import type { DeepReadonly } from 'client-ts/meta';

import type { CachedNode } from './cluster.ts';

/**
 * Returns why a pod cannot run on a node, in the words of kube-scheduler: its `nodeSelector` and its
 * tolerations are looked at. Undefined if it can.
 */
export function misfitOf(
  { metadata, spec }: CachedNode,
  pod: DeepReadonly<Pick<PodSpec, 'nodeSelector' | 'tolerations'>> = {},
): string | undefined {
  const { nodeSelector = {}, tolerations = [] } = pod;
  const isSelected = Object.entries(nodeSelector).every(
    ([key, value]) => getKey(metadata.labels ?? {}, key) === value,
  );
  if (!isSelected) return "didn't match Pod's node affinity/selector";
  const taint = (spec?.taints ?? []).find(
    (each) =>
      each.effect !== 'PreferNoSchedule' && !tolerations.some((one) => tolerates(one, each)),
  );
  return taint === undefined
    ? undefined
    : `had untolerated taint {${taint.key}: ${taint.value ?? ''}}`;
}

function tolerates(
  { key, operator = 'Equal', value = '', effect }: DeepReadonly<Toleration>,
  taint: DeepReadonly<Taint>,
): boolean {
  if (effect !== undefined && effect !== '' && effect !== taint.effect) return false;
  if (key !== undefined && key !== '' && key !== taint.key) return false;
  return operator === 'Exists' || value === (taint.value ?? '');
}
