// Upstream: pkg/apis/core/v1/defaults.go: SetDefaults_ReplicationController
// Upstream: pkg/apis/core/validation/validation.go: ValidateReplicationController
// Upstream: pkg/registry/core/replicationcontroller/strategy.go
// Upstream: pkg/printers/internalversion/printers.go: printReplicationController
import { checkTemplateSecurity } from './pod/pod-security.ts';
import type * as core from 'client-ts/api/core/v1';
import { jsonEqual } from 'client-ts/internal';
import { labelMatcherFromSet } from 'client-ts/meta';
import { type FieldError, required } from '../../../validation/field-error.ts';
import type { Loose } from '../../../validation/loose.ts';
import { metaValidator, nonNegative } from '../../../validation/object-meta.ts';
import {
  validatePodTemplate,
  validateRunsForever,
  validateSelected,
} from '../../../validation/pod/spec.ts';
import { type Printable, type Printer, printer } from '../../printers/printer.ts';
import { formatLabels } from '../../printers/texts.ts';
import type { Strategy } from '../../strategy.ts';
import { replicaColumns, validateReplicaCounters } from '../apps/replica-set.ts';
import { keepSpec } from '../support.ts';
import { podNameWarning, setTemplateDefaults, templateWarnings } from '../workload.ts';

type ReplicationController = Loose<core.ReplicationController>;

const meta = metaValidator({ namespaced: true });

/** Rules of ReplicationControllers. */
export const replicationControllerStrategy: Strategy<ReplicationController> = {
  check: ({ spec }, _old, context) => checkTemplateSecurity(spec?.template, context),
  setDefaults: (controller) => {
    const spec = (controller.spec ??= {});
    spec.replicas ??= 1;
    setTemplateDefaults(spec.template);
    takeLabelsFromTemplate(controller);
  },
  validate: (controller) => [...meta.create(controller), ...validateSpec(controller)],
  validateUpdate: (controller, old) => [
    ...meta.update(controller, old),
    ...validateSpec(controller),
  ],
  prepareForStatusUpdate: keepSpec,
  validateStatusUpdate: (controller, old) => [
    ...meta.update(controller, old),
    ...validateReplicaCounters(controller.status ?? {}),
  ],
  warnings: (controller, old) =>
    old === undefined
      ? [
          ...podNameWarning(controller.metadata?.name),
          ...templateWarnings(controller.spec?.template),
        ]
      : jsonEqual(controller.spec, old.spec)
        ? []
        : templateWarnings(controller.spec?.template),
  selectableFields: ({ status }) => ({ 'status.replicas': String(status?.replicas ?? 0) }),
  selectableFieldNames: ['metadata.name', 'metadata.namespace', 'status.replicas'],
  generation: 'spec',
  // core/v1 orphans by default, as before the garbage collector existed.
  propagation: 'Orphan',
};

/** Defaults selector and labels to the labels of the template. */
function takeLabelsFromTemplate({ metadata, spec = {} }: ReplicationController): void {
  const labels = spec.template?.metadata?.labels;
  if (labels === undefined) return;
  if (Object.keys(spec.selector ?? {}).length === 0) spec.selector = { ...labels };
  if (metadata !== undefined && Object.keys(metadata.labels ?? {}).length === 0) {
    metadata.labels = { ...labels };
  }
}

function validateSpec({ spec = {} }: ReplicationController): FieldError[] {
  const field = 'spec.template';
  const { template } = spec;
  const matcher = labelMatcherFromSet(spec.selector);
  return [
    ...nonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    ...(matcher.isEmpty ? [required('spec.selector')] : []),
    ...(spec.replicas === undefined
      ? [required('spec.replicas')]
      : nonNegative(spec.replicas, 'spec.replicas')),
    ...(template === undefined
      ? [required(field)]
      : [
          ...validateSelected(matcher, template, field),
          ...validatePodTemplate(template, field),
          ...validateRunsForever(template, 'ReplicationController', field),
        ]),
  ];
}

/** The table of ReplicationControllers. */
export const replicationControllerPrinter: Printer<Printable<ReplicationController>> = printer(
  replicaColumns<Printable<ReplicationController>>(({ spec }) => formatLabels(spec?.selector)),
);
