import type * as core from 'client-ts/api/core/v1';
import { validateLabelValue } from 'client-ts/meta';
import type { Loose } from '../../../validation/loose.ts';

/** Labels of nodes that have another name by now, and what the server says about them. */
export const deprecatedNodeLabels: ReadonlyMap<string, string> = new Map([
  ['beta.kubernetes.io/arch', 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ['beta.kubernetes.io/os', 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  [
    'failure-domain.beta.kubernetes.io/region',
    'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  ],
  [
    'failure-domain.beta.kubernetes.io/zone',
    'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  ],
  [
    'beta.kubernetes.io/instance-type',
    'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  ],
  ['app.kubernetes.io/created-by', 'deprecated since v1.9'],
  [
    'scheduler.alpha.kubernetes.io/preferAvoidPods',
    'deprecated since v1.22; use Taints and Tolerations instead',
  ],
  ['node-role.kubernetes.io/master', 'use "node-role.kubernetes.io/control-plane" instead'],
]);

/** What the server remarks about a term that selects nodes. */
export function nodeTermWarnings(
  { matchExpressions = [] }: Loose<core.NodeSelectorTerm>,
  field: string,
  checkValues: boolean,
): string[] {
  return matchExpressions.flatMap(({ key = '', values = [] }, index) => {
    const path = `${field}.matchExpressions[${index}]`;
    const message = deprecatedNodeLabels.get(key);
    return [
      ...(message === undefined ? [] : [`${path}.key: ${key} is ${message}`]),
      ...(checkValues ? values : []).flatMap((value, valueIndex) =>
        validateLabelValue(value).map(
          (problem) => `${path}.values[${valueIndex}]: ${value} is invalid, ${problem}`,
        ),
      ),
    ];
  });
}
