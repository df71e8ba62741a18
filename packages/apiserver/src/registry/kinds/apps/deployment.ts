// Upstream: pkg/apis/apps/v1/defaults.go: SetDefaults_Deployment
// Upstream: pkg/apis/apps/validation/validation.go: ValidateDeployment, ValidateDeploymentUpdate
// Upstream: pkg/registry/apps/deployment/strategy.go
// Upstream: pkg/printers/internalversion/printers.go: printDeployment
import { checkTemplateSecurity } from '../core/pod/pod-security.ts';
import type * as apps from 'client-ts/api/apps/v1';
import { jsonEqual } from 'client-ts/internal';
import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../../../validation/field-error.ts';
import type { Loose } from '../../../validation/loose.ts';
import { metaValidator, nonNegative } from '../../../validation/object-meta.ts';
import {
  ageColumn,
  column,
  containerColumns,
  nameColumn,
  type Printable,
  type Printer,
  printer,
  wide,
} from '../../printers/printer.ts';
import { selectorText } from '../../printers/texts.ts';
import type { Strategy } from '../../strategy.ts';
import { keepSpec, copyFields } from '../support.ts';
import {
  amountOf,
  podNameWarning,
  setTemplateDefaults,
  templateWarnings,
  validateAtMost100Percent,
  validateCollisionCount,
  validateCounters,
  validateIntOrPercent,
  validateRequiredSelector,
  validateSelectedTemplate,
  validateSelectorUnchanged,
} from '../workload.ts';

type Deployment = Loose<apps.Deployment>;

const TEN_MINUTES = 600;
const meta = metaValidator({ namespaced: true });

/** Rules of Deployments. */
export const deploymentStrategy: Strategy<Deployment> = {
  check: ({ spec }, _old, context) => checkTemplateSecurity(spec?.template, context),
  setDefaults: (deployment) => {
    const spec = (deployment.spec ??= {});
    spec.replicas ??= 1;
    setStrategyDefaults((spec.strategy ??= {}));
    spec.revisionHistoryLimit ??= 10;
    spec.progressDeadlineSeconds ??= TEN_MINUTES;
    setTemplateDefaults((spec.template ??= {}));
  },
  validate: (deployment) => [...meta.create(deployment), ...validateSpec(deployment)],
  validateUpdate: (deployment, old) => [
    ...meta.update(deployment, old),
    ...validateSpec(deployment),
    ...validateSelectorUnchanged(deployment.spec, old.spec),
  ],
  prepareForStatusUpdate: (deployment, old) => {
    keepSpec(deployment, old);
    copyFields((deployment.metadata ??= {}), old.metadata ?? {}, 'labels');
  },
  validateStatusUpdate: (deployment, old) => [
    ...meta.update(deployment, old),
    ...validateStatus(deployment),
    ...validateCollisionCount(deployment.status?.collisionCount, old.status?.collisionCount),
  ],
  warnings: (deployment, old) =>
    old === undefined
      ? [
          ...podNameWarning(deployment.metadata?.name),
          ...templateWarnings(deployment.spec?.template),
        ]
      : hasChanged(deployment, old)
        ? templateWarnings(deployment.spec?.template)
        : [],
  generation: hasChanged,
};

/** Changed annotations count as a change of the spec, because they describe rollouts. */
function hasChanged(deployment: Deployment, old: Deployment): boolean {
  return (
    !jsonEqual(deployment.spec, old.spec) ||
    !jsonEqual(deployment.metadata?.annotations ?? {}, old.metadata?.annotations ?? {})
  );
}

function setStrategyDefaults(strategy: Loose<apps.DeploymentStrategy>): void {
  strategy.type ||= 'RollingUpdate';
  if (strategy.type !== 'RollingUpdate') return;
  const rollingUpdate = (strategy.rollingUpdate ??= {});
  rollingUpdate.maxUnavailable ??= '25%';
  rollingUpdate.maxSurge ??= '25%';
}

function validateSpec({ spec = {} }: Deployment): FieldError[] {
  const { minReadySeconds = 0, progressDeadlineSeconds: deadline } = spec;
  return [
    ...nonNegative(spec.replicas, 'spec.replicas'),
    ...validateRequiredSelector(spec.selector, 'deployment'),
    ...validateSelectedTemplate(spec),
    ...validateStrategy(spec.strategy ?? {}, 'spec.strategy'),
    ...nonNegative(minReadySeconds, 'spec.minReadySeconds'),
    ...nonNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit'),
    ...nonNegative(deadline, 'spec.progressDeadlineSeconds'),
    ...(deadline !== undefined && deadline <= minReadySeconds
      ? [invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds')]
      : []),
  ];
}

function validateStrategy(strategy: Loose<apps.DeploymentStrategy>, field: string): FieldError[] {
  const { type = '', rollingUpdate } = strategy;
  const path = `${field}.rollingUpdate`;
  switch (type) {
    case 'Recreate':
      return rollingUpdate === undefined
        ? []
        : [forbidden(path, "may not be specified when strategy `type` is 'Recreate'")];
    case 'RollingUpdate':
      return rollingUpdate === undefined
        ? [required(path, 'this should be defaulted and never be nil')]
        : validateRollingUpdate(rollingUpdate, path);
    default: {
      const shown = { Type: type, RollingUpdate: rollingUpdate ?? null };
      return [notSupported(field, shown, ['Recreate', 'RollingUpdate'])];
    }
  }
}

function validateRollingUpdate(
  { maxUnavailable, maxSurge }: Loose<apps.RollingUpdateDeployment>,
  field: string,
): FieldError[] {
  return [
    ...validateIntOrPercent(maxUnavailable, `${field}.maxUnavailable`),
    ...validateIntOrPercent(maxSurge, `${field}.maxSurge`),
    ...(amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0
      ? [invalid(`${field}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0')]
      : []),
    ...validateAtMost100Percent(maxUnavailable, `${field}.maxUnavailable`),
  ];
}

function validateStatus({ status = {} }: Deployment): FieldError[] {
  return validateCounters(
    status,
    [
      'observedGeneration',
      'replicas',
      'updatedReplicas',
      'readyReplicas',
      'availableReplicas',
      'unavailableReplicas',
      'terminatingReplicas',
      'collisionCount',
    ],
    [
      ['updatedReplicas', 'replicas', 'status.replicas'],
      ['readyReplicas', 'replicas', 'status.replicas'],
      ['availableReplicas', 'replicas', 'status.replicas'],
      ['availableReplicas', 'readyReplicas', 'readyReplicas'],
    ],
  );
}

/** The table of Deployments. */
export const deploymentPrinter: Printer<Printable<Deployment>> = printer([
  nameColumn(),
  column(
    'Ready',
    'Ready replicas / desired replicas',
    ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
  ),
  column(
    'Up-to-date',
    'Replicas of the current template',
    ({ status }) => status?.updatedReplicas ?? 0,
  ),
  column('Available', 'Available replicas', ({ status }) => status?.availableReplicas ?? 0),
  ageColumn(),
  ...containerColumns<Printable<Deployment>>(({ spec }) => spec?.template?.spec),
  column(
    'Selector',
    'Label selector of the pods',
    ({ spec }) => selectorText(spec?.selector, '<invalid>'),
    wide,
  ),
]);
