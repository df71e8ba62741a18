// Upstream: pkg/apis/policy/validation/validation.go
// Upstream: pkg/registry/policy/poddisruptionbudget/strategy.go
// Upstream: pkg/printers/internalversion/printers.go: printPodDisruptionBudget
import type * as policy from 'client-ts/api/policy/v1';
import { validateOptionalChoice } from '../../../validation/choices.ts';
import { validateConditions } from '../../../validation/conditions.ts';
import { type FieldError, invalid } from '../../../validation/field-error.ts';
import { printableSelector, validateLabelSelector } from '../../../validation/labels.ts';
import type { Loose } from '../../../validation/loose.ts';
import { nonNegative } from '../../../validation/object-meta.ts';
import {
  ageColumn,
  column,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';
import type { Strategy } from '../../strategy.ts';
import { keepSpec } from '../support.ts';
import { validateAtMost100Percent, validateIntOrPercent } from '../workload.ts';

type Budget = Loose<policy.PodDisruptionBudget>;
type BudgetSpec = Loose<policy.PodDisruptionBudgetSpec>;

/** Rules of PodDisruptionBudgets. They have no name rule beyond the common one. */
export const podDisruptionBudgetStrategy: Strategy<Budget> = {
  validate: ({ spec = {} }) => validateSpec(spec),
  validateUpdate: ({ spec = {} }) => validateSpec(spec),
  prepareForStatusUpdate: keepSpec,
  validateStatusUpdate: ({ status = {} }) => [
    ...validateConditions(status.conditions ?? [], 'status.conditions'),
    ...(
      ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] as const
    ).flatMap((name) => nonNegative(status[name], `status.${name}`)),
  ],
  generation: 'spec',
  unconditionalUpdate: false,
};

function validateSpec(spec: BudgetSpec): FieldError[] {
  const { minAvailable, maxUnavailable, selector } = spec;
  return [
    ...(minAvailable !== undefined && maxUnavailable !== undefined
      ? [invalid('spec', printable(spec), 'minAvailable and maxUnavailable cannot be both set')]
      : []),
    ...(['minAvailable', 'maxUnavailable'] as const).flatMap((name) =>
      spec[name] === undefined
        ? []
        : [
            ...validateIntOrPercent(spec[name], `spec.${name}`),
            ...validateAtMost100Percent(spec[name], `spec.${name}`),
          ],
    ),
    ...validateLabelSelector(selector, 'spec.selector'),
    ...validateOptionalChoice(
      spec.unhealthyPodEvictionPolicy,
      ['AlwaysAllow', 'IfHealthyBudget'],
      'spec.unhealthyPodEvictionPolicy',
    ),
  ];
}

function printable(spec: BudgetSpec): unknown {
  return {
    MinAvailable: spec.minAvailable ?? null,
    Selector: printableSelector(spec.selector) ?? null,
    MaxUnavailable: spec.maxUnavailable ?? null,
    UnhealthyPodEvictionPolicy: spec.unhealthyPodEvictionPolicy ?? null,
  };
}

/** The table of PodDisruptionBudgets. */
export const podDisruptionBudgetPrinter: Printer<Printable<policy.PodDisruptionBudget>> = printer([
  nameColumn(),
  column('Min Available', 'Pods that must stay available, as a number or percentage', ({ spec }) =>
    String(spec?.minAvailable ?? 'N/A'),
  ),
  column('Max Unavailable', 'Pods that may be unavailable, as a number or percentage', ({ spec }) =>
    String(spec?.maxUnavailable ?? 'N/A'),
  ),
  column(
    'Allowed Disruptions',
    'Number of pods that may be evicted now',
    ({ status }) => status?.disruptionsAllowed ?? 0,
    {
      type: 'integer',
    },
  ),
  ageColumn(),
]);
