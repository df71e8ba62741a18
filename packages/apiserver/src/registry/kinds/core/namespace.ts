// Upstream: pkg/apis/core/v1/defaults.go: SetDefaults_Namespace
// Upstream: pkg/apis/core/validation/validation.go:
//   ValidateNamespace, ValidateNamespaceFinalizeUpdate
// Upstream: pkg/registry/core/namespace/strategy.go
// Upstream: pkg/registry/core/namespace/storage/storage.go: Delete
// Upstream: staging/src/k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go
// Upstream: pkg/printers/internalversion/printers.go: printNamespace
import { checkNamespaceSecurity } from './pod/pod-security.ts';
import type * as core from 'client-ts/api/core/v1';
import { type DeleteOptions, formatTime, newForbidden } from 'client-ts/meta';
import { type FieldError, invalid, invalidEach } from '../../../validation/field-error.ts';
import type { Loose } from '../../../validation/loose.ts';
import {
  nameIsDnsLabel,
  validateFinalizerName,
  validateKubeFinalizerName,
} from '../../../validation/names.ts';
import { metaValidator } from '../../../validation/object-meta.ts';
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from '../../deletion.ts';
import {
  ageColumn,
  column,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';
import type { Strategy, StrategyContext, SubresourceUpdate } from '../../strategy.ts';
import { keepSpec, copyFields } from '../support.ts';

type Namespace = Loose<core.Namespace>;

/** Namespaces that cannot be deleted. */
const PROTECTED = new Set(['default', 'kube-public', 'kube-system']);
const NAME_LABEL = 'kubernetes.io/metadata.name';
const meta = metaValidator({ namespaced: false, validateName: nameIsDnsLabel });

/** `namespaces/finalize`, the only endpoint that changes `spec.finalizers`. */
const finalizeUpdate: SubresourceUpdate<Namespace> = {
  prepare: (namespace, old) => copyFields(namespace, old, 'status'),
  validate: (namespace, old) => [
    ...meta.update(namespace, old),
    ...(namespace.spec?.finalizers ?? []).flatMap((name, index) =>
      validateFinalizer(name, `spec.finalizers[${index}]`),
    ),
  ],
};

/** Rules of Namespaces. A namespace is emptied before it is removed. */
export const namespaceStrategy: Strategy<Namespace> = {
  check: (namespace, old, context) => checkNamespaceSecurity(namespace, old, context),
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
    copyFields((namespace.spec ??= {}), old.spec ?? {}, 'finalizers');
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
  admitDeletion: refuseIfProtected,
  emptyFirst,
  isReadyToRemove: ({ metadata = {}, spec = {} }) =>
    metadata.deletionTimestamp !== undefined &&
    (metadata.finalizers ?? []).length === 0 &&
    (spec.finalizers ?? []).length === 0,
};

function refuseIfProtected(name: string): void {
  if (!PROTECTED.has(name)) return;
  const namespaces = { group: '', resource: 'namespaces' };
  throw newForbidden(namespaces, name, 'this namespace may not be deleted');
}

/**
 * The first delete sets the phase Terminating; the object is removed when its finalizers are gone.
 */
function emptyFirst(
  namespace: Namespace,
  options: DeleteOptions,
  { clock }: StrategyContext,
): 'go' | 'mark' | 'wait' {
  const metadata = (namespace.metadata ??= {});
  if (metadata.deletionTimestamp !== undefined) {
    return (namespace.spec?.finalizers ?? []).length > 0 ? 'wait' : 'go';
  }
  metadata.deletionTimestamp = formatTime(clock.now());
  const finalizers = finalizersFor(metadata.finalizers ?? [], options);
  if (finalizers.length === 0) delete metadata.finalizers;
  else metadata.finalizers = finalizers;
  namespace.status = { ...namespace.status, phase: 'Terminating' };
  return 'mark';
}

/**
 * Returns the finalizers for a delete. Without orphaning, dependents are deleted in the foreground,
 * unlike other kinds.
 */
function finalizersFor(
  current: readonly string[],
  { orphanDependents, propagationPolicy }: DeleteOptions,
): string[] {
  const isWanted = (policy: string, byFlag: boolean | undefined, name: string): boolean =>
    byFlag ??
    (propagationPolicy === undefined ? current.includes(name) : propagationPolicy === policy);
  const notOrphan = orphanDependents === undefined ? undefined : !orphanDependents;
  const wanted = [
    ...(isWanted('Orphan', orphanDependents, ORPHAN_FINALIZER) ? [ORPHAN_FINALIZER] : []),
    ...(isWanted('Foreground', notOrphan, FOREGROUND_FINALIZER) ? [FOREGROUND_FINALIZER] : []),
  ];
  const own = [ORPHAN_FINALIZER, FOREGROUND_FINALIZER];
  return [...current.filter((name) => !own.includes(name)), ...wanted];
}

/** Adds the label that holds the name of the namespace. */
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

/** The table of Namespaces. */
export const namespacePrinter: Printer<Printable<Namespace>> = printer([
  nameColumn(),
  column('Status', 'Phase of the namespace', ({ status }) => status?.phase ?? ''),
  ageColumn(),
]);
