import type * as core from 'client-ts/api/core/v1';
import { nameIsDnsLabel, validateFinalizerName, validateKubeFinalizerName } from 'client-ts/meta';
import { type FieldError, invalid, invalidEach } from '../../validation/field-error.ts';
import type { Loose } from '../../validation/loose.ts';
import { metaValidator } from '../../validation/object-meta.ts';
import type { Strategy, SubresourceUpdate } from '../strategy.ts';
import { keepSpec, takeOver } from './support.ts';

type Namespace = Loose<core.Namespace>;

const NAME_LABEL = 'kubernetes.io/metadata.name';
const meta = metaValidator({ namespaced: false, validateName: nameIsDnsLabel });

/** `namespaces/finalize`: the only way to change the finalizers that keep a namespace. */
const finalizeUpdate: SubresourceUpdate<Namespace> = {
  prepare: (namespace, old) => takeOver(namespace, old, 'status'),
  validate: (namespace, old) => [
    ...meta.update(namespace, old),
    ...(namespace.spec?.finalizers ?? []).flatMap((name, index) =>
      validateFinalizer(name, `spec.finalizers[${index}]`),
    ),
  ],
};

export const namespaceStrategy: Strategy<Namespace> = {
  setDefaults: (namespace) => {
    addNameLabel(namespace);
    (namespace.status ??= {}).phase ||= 'Active';
  },
  prepareForCreate: (namespace) => {
    // A generated name is known only now.
    addNameLabel(namespace);
    namespace.status = { phase: 'Active' };
    const finalizers = namespace.spec?.finalizers ?? [];
    if (!finalizers.includes('kubernetes')) {
      namespace.spec = { ...namespace.spec, finalizers: [...finalizers, 'kubernetes'] };
    }
  },
  prepareForUpdate: (namespace, old) => {
    takeOver((namespace.spec ??= {}), old.spec ?? {}, 'finalizers');
    addNameLabel(namespace);
  },
  validate,
  validateUpdate: (namespace, old) => [...validate(namespace), ...meta.update(namespace, old)],
  prepareForStatusUpdate: keepSpec,
  validateStatusUpdate: (namespace, old) => [
    ...meta.update(namespace, old),
    ...validatePhase(namespace),
  ],
  subresources: { finalize: finalizeUpdate },
  validateName: nameIsDnsLabel,
  selectableFields: ({ metadata, status }) => ({
    'status.phase': status?.phase ?? '',
    name: metadata?.name ?? '',
  }),
  selectableFieldNames: ['status.phase', 'metadata.name'],
  generation: 'none',
  deleteReturnsObject: true,
  isReadyToRemove: ({ metadata = {}, spec = {} }) =>
    metadata.deletionTimestamp !== undefined &&
    (metadata.finalizers ?? []).length === 0 &&
    (spec.finalizers ?? []).length === 0,
};

/** Every namespace can be selected by its name as if that were a label. */
function addNameLabel({ metadata }: Namespace): void {
  const { name = '' } = metadata ?? {};
  if (metadata === undefined || name === '') return;
  metadata.labels = { ...metadata.labels, [NAME_LABEL]: name };
}

function validate(namespace: Namespace): FieldError[] {
  return [
    ...meta.create(namespace),
    ...(namespace.spec?.finalizers ?? []).flatMap((name) =>
      validateFinalizer(name, 'spec.finalizers'),
    ),
  ];
}

function validateFinalizer(name: string, field: string): FieldError[] {
  return [
    ...invalidEach(field, name, validateFinalizerName(name)),
    ...invalidEach(field, name, validateKubeFinalizerName(name)),
  ];
}

function validatePhase({ metadata, status = {} }: Namespace): FieldError[] {
  const { phase = '' } = status;
  const isDeleted = metadata?.deletionTimestamp !== undefined;
  if (phase === (isDeleted ? 'Terminating' : 'Active')) return [];
  const detail = isDeleted
    ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
    : "may only be 'Active' if `deletionTimestamp` is empty";
  return [invalid('status.Phase', phase, detail)];
}
