// Upstream: pkg/apis/apps/v1/defaults.go: SetDefaults_ReplicaSet
// Upstream: pkg/apis/apps/validation/validation.go: ValidateReplicaSet, ValidateReplicaSetUpdate
// Upstream: pkg/registry/apps/replicaset/strategy.go
// Upstream: pkg/printers/internalversion/printers.go: printReplicaSet
import { checkTemplateSecurity } from '../core/pod/pod-security.ts';
import type * as apps from 'client-ts/api/apps/v1';
import { jsonEqual } from 'client-ts/internal';
import type { FieldError } from '../../../validation/field-error.ts';
import type { Loose } from '../../../validation/loose.ts';
import { metaValidator, nonNegative } from '../../../validation/object-meta.ts';
import {
  ageColumn,
  type Column,
  column,
  containerColumns,
  integer,
  nameColumn,
  type Printable,
  type Printer,
  printer,
  wide,
} from '../../printers/printer.ts';
import { formatSelector } from '../../printers/texts.ts';
import type { Strategy } from '../../strategy.ts';
import { keepSpec } from '../support.ts';
import {
  podNameWarning,
  setTemplateDefaults,
  templateWarnings,
  validateCounters,
  validateRequiredSelector,
  validateSelectedTemplate,
  validateSelectorUnchanged,
} from '../workload.ts';

type ReplicaSet = Loose<apps.ReplicaSet>;

const meta = metaValidator({ namespaced: true });

/** Rules of ReplicaSets. */
export const replicaSetStrategy: Strategy<ReplicaSet> = {
  check: ({ spec }, _old, context) => checkTemplateSecurity(spec?.template, context),
  setDefaults: (replicaSet) => {
    const spec = (replicaSet.spec ??= {});
    spec.replicas ??= 1;
    setTemplateDefaults((spec.template ??= {}));
  },
  validate: (replicaSet) => [...meta.create(replicaSet), ...validateSpec(replicaSet)],
  validateUpdate: (replicaSet, old) => [
    ...meta.update(replicaSet, old),
    ...validateSpec(replicaSet),
    ...validateSelectorUnchanged(replicaSet.spec, old.spec),
  ],
  prepareForStatusUpdate: keepSpec,
  validateStatusUpdate: (replicaSet, old) => [
    ...meta.update(replicaSet, old),
    ...validateReplicaCounters(replicaSet.status ?? {}),
  ],
  warnings: (replicaSet, old) =>
    old === undefined
      ? [
          ...podNameWarning(replicaSet.metadata?.name),
          ...templateWarnings(replicaSet.spec?.template),
        ]
      : jsonEqual(replicaSet.spec, old.spec)
        ? []
        : templateWarnings(replicaSet.spec?.template),
  generation: 'spec',
};

function validateSpec({ spec = {} }: ReplicaSet): FieldError[] {
  return [
    ...nonNegative(spec.replicas, 'spec.replicas'),
    ...nonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    // kube-apiserver says "deployment" here too.
    ...validateRequiredSelector(spec.selector, 'deployment'),
    ...validateSelectedTemplate(spec),
  ];
}

/** Checks the status counters of ReplicaSets and ReplicationControllers. */
export function validateReplicaCounters(status: Loose<apps.ReplicaSetStatus>): FieldError[] {
  return validateCounters(
    status,
    [
      'replicas',
      'fullyLabeledReplicas',
      'readyReplicas',
      'availableReplicas',
      'observedGeneration',
      'terminatingReplicas',
    ],
    [
      ['fullyLabeledReplicas', 'replicas', 'status.replicas'],
      ['readyReplicas', 'replicas', 'status.replicas'],
      ['availableReplicas', 'replicas', 'status.replicas'],
      ['availableReplicas', 'readyReplicas', 'readyReplicas'],
    ],
  );
}

/** The common fields of ReplicaSets and ReplicationControllers. */
type Replicated = Printable<{
  metadata?: NonNullable<ReplicaSet['metadata']>;
  spec?: Pick<NonNullable<ReplicaSet['spec']>, 'replicas' | 'template'>;
  status?: Pick<NonNullable<ReplicaSet['status']>, 'readyReplicas' | 'replicas'>;
}>;

export function replicaColumns<T extends Replicated>(selector: (object: T) => string): Column<T>[] {
  return [
    nameColumn(),
    column('Desired', 'Number of desired replicas', ({ spec }) => spec?.replicas ?? 0, integer),
    column('Current', 'Number of current replicas', ({ status }) => status?.replicas ?? 0, integer),
    column(
      'Ready',
      'Number of ready replicas',
      ({ status }) => status?.readyReplicas ?? 0,
      integer,
    ),
    ageColumn(),
    ...containerColumns<T>(({ spec }) => spec?.template?.spec),
    column('Selector', 'Label selector of the pods', selector, wide),
  ];
}

/** The table of ReplicaSets. */
export const replicaSetPrinter: Printer<Printable<ReplicaSet>> = printer(
  replicaColumns<Printable<ReplicaSet>>(({ spec }) => formatSelector(spec?.selector)),
);
