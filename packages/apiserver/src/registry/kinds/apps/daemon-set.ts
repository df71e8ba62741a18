// Upstream: pkg/apis/apps/v1/defaults.go: SetDefaults_DaemonSet
// Upstream: pkg/apis/apps/validation/validation.go: ValidateDaemonSet, ValidateDaemonSetUpdate
// Upstream: pkg/registry/apps/daemonset/strategy.go
// Upstream: pkg/printers/internalversion/printers.go: printDaemonSet
import { checkTemplateSecurity } from '../core/pod/pod-security.ts';
import type * as apps from 'client-ts/api/apps/v1';
import { jsonEqual } from 'client-ts/internal';
import {
  type FieldError,
  invalid,
  notSupported,
  required,
} from '../../../validation/field-error.ts';
import {
  isEmptySelector,
  matcherOf,
  printableSelector,
  validateLabelSelector,
} from '../../../validation/labels.ts';
import { type Loose, sortedMap } from '../../../validation/loose.ts';
import { metaValidator, nonNegative } from '../../../validation/object-meta.ts';
import { validatePodTemplate, validateRunsForever } from '../../../validation/pod/spec.ts';
import {
  ageColumn,
  column,
  containerColumns,
  integer,
  nameColumn,
  type Printable,
  type Printer,
  printer,
  wide,
} from '../../printers/printer.ts';
import { formatLabels, formatSelector } from '../../printers/texts.ts';
import type { Strategy } from '../../strategy.ts';
import { keepSpec } from '../support.ts';
import {
  amountOf,
  setTemplateDefaults,
  templateWarnings,
  validateAtMost100Percent,
  validateCollisionCount,
  validateCounters,
  validateIntOrPercent,
  validateSelectorUnchanged,
} from '../workload.ts';

type DaemonSet = Loose<apps.DaemonSet>;

/** Annotation that holds what was `spec.templateGeneration` before apps/v1. */
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';
const meta = metaValidator({ namespaced: true });

/** Rules of DaemonSets. */
export const daemonSetStrategy: Strategy<DaemonSet> = {
  check: ({ spec }, _old, context) => checkTemplateSecurity(spec?.template, context),
  setDefaults: (daemonSet) => {
    const spec = (daemonSet.spec ??= {});
    const strategy = (spec.updateStrategy ??= {});
    strategy.type ||= 'RollingUpdate';
    if (strategy.type === 'RollingUpdate') {
      const rollingUpdate = (strategy.rollingUpdate ??= {});
      rollingUpdate.maxUnavailable ??= 1;
      rollingUpdate.maxSurge ??= 0;
    }
    spec.revisionHistoryLimit ??= 10;
    setTemplateDefaults((spec.template ??= {}));
    setTemplateGeneration(daemonSet, templateGeneration(daemonSet));
  },
  prepareForCreate: (daemonSet) =>
    setTemplateGeneration(daemonSet, Math.max(templateGeneration(daemonSet), 1)),
  prepareForUpdate: (daemonSet, old) => {
    const isSame = jsonEqual(daemonSet.spec?.template, old.spec?.template);
    setTemplateGeneration(daemonSet, templateGeneration(old) + (isSame ? 0 : 1));
  },
  validate: (daemonSet) => [...meta.create(daemonSet), ...validateSpec(daemonSet)],
  validateUpdate: (daemonSet, old) => [
    ...meta.update(daemonSet, old),
    ...validateSelectorUnchanged(daemonSet.spec, old.spec),
    ...validateSpec(daemonSet),
  ],
  prepareForStatusUpdate: keepSpec,
  validateStatusUpdate: (daemonSet, old) => [
    ...meta.update(daemonSet, old),
    ...validateStatus(daemonSet),
    ...validateCollisionCount(daemonSet.status?.collisionCount, old.status?.collisionCount),
  ],
  warnings: (daemonSet, old) =>
    old !== undefined && jsonEqual(daemonSet.spec?.template, old.spec?.template)
      ? []
      : templateWarnings(daemonSet.spec?.template),
  generation: 'spec',
};

function templateGeneration({ metadata }: DaemonSet): number {
  return Number(metadata?.annotations?.[TEMPLATE_GENERATION] ?? 0) || 0;
}

function setTemplateGeneration(daemonSet: DaemonSet, generation: number): void {
  const metadata = (daemonSet.metadata ??= {});
  metadata.annotations = { ...metadata.annotations, [TEMPLATE_GENERATION]: String(generation) };
}

function validateSpec({ spec = {} }: DaemonSet): FieldError[] {
  const { selector, template } = spec;
  const labels = template?.metadata?.labels;
  const matcher = matcherOf(selector);
  return [
    ...validateLabelSelector(selector, 'spec.selector'),
    ...(matcher === undefined || matcher.matches(labels)
      ? []
      : [
          invalid(
            'spec.template.metadata.labels',
            sortedMap(labels),
            '`selector` does not match template `labels`',
          ),
        ]),
    ...(selector !== undefined && isEmptySelector(selector)
      ? [
          invalid(
            'spec.selector',
            printableSelector(selector),
            'empty selector is invalid for daemonset',
          ),
        ]
      : []),
    ...validatePodTemplate(template, 'spec.template'),
    ...validateRunsForever(template, 'DaemonSet', 'spec.template'),
    ...nonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    ...validateUpdateStrategy(spec.updateStrategy ?? {}, 'spec.updateStrategy'),
    ...nonNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit'),
  ];
}

function validateUpdateStrategy(
  strategy: Loose<apps.DaemonSetUpdateStrategy>,
  field: string,
): FieldError[] {
  const { type = '', rollingUpdate } = strategy;
  if (type === 'OnDelete') return [];
  if (type !== 'RollingUpdate') {
    const shown = { Type: type, RollingUpdate: rollingUpdate ?? null };
    return [notSupported(field, shown, ['RollingUpdate', 'OnDelete'])];
  }
  if (rollingUpdate === undefined) return [required(`${field}.rollingUpdate`)];
  const { maxUnavailable, maxSurge } = rollingUpdate;
  const path = `${field}.rollingUpdate`;
  const hasUnavailable = amountOf(maxUnavailable) !== 0;
  const hasSurge = amountOf(maxSurge) !== 0;
  return [
    ...validateIntOrPercent(maxUnavailable, `${path}.maxUnavailable`),
    ...validateIntOrPercent(maxSurge, `${path}.maxSurge`),
    ...validateAtMost100Percent(maxUnavailable, `${path}.maxUnavailable`),
    ...validateAtMost100Percent(maxSurge, `${path}.maxSurge`),
    ...(hasUnavailable && hasSurge
      ? [invalid(`${path}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero')]
      : []),
    ...(!hasUnavailable && !hasSurge
      ? [required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0')]
      : []),
  ];
}

function validateStatus({ status = {} }: DaemonSet): FieldError[] {
  return validateCounters(
    status,
    [
      'currentNumberScheduled',
      'numberMisscheduled',
      'desiredNumberScheduled',
      'numberReady',
      'observedGeneration',
      'updatedNumberScheduled',
      'numberAvailable',
      'numberUnavailable',
      'collisionCount',
    ],
    [],
  );
}

/** The table of DaemonSets. */
export const daemonSetPrinter: Printer<Printable<DaemonSet>> = printer([
  nameColumn(),
  column(
    'Desired',
    'Nodes that should run the pod',
    ({ status }) => status?.desiredNumberScheduled ?? 0,
    integer,
  ),
  column(
    'Current',
    'Nodes that run the pod',
    ({ status }) => status?.currentNumberScheduled ?? 0,
    integer,
  ),
  column('Ready', 'Nodes with a ready pod', ({ status }) => status?.numberReady ?? 0, integer),
  column(
    'Up-to-date',
    'Nodes with a pod of the current template',
    ({ status }) => status?.updatedNumberScheduled ?? 0,
    integer,
  ),
  column(
    'Available',
    'Nodes with an available pod',
    ({ status }) => status?.numberAvailable ?? 0,
    integer,
  ),
  column('Node Selector', 'Node labels that the pod requires', ({ spec }) =>
    formatLabels(spec?.template?.spec?.nodeSelector),
  ),
  ageColumn(),
  ...containerColumns<Printable<DaemonSet>>(({ spec }) => spec?.template?.spec),
  column(
    'Selector',
    'Label selector of the pods',
    ({ spec }) => formatSelector(spec?.selector),
    wide,
  ),
]);
