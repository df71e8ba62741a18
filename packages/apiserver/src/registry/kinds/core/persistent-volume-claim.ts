// Upstream: pkg/apis/core/v1/defaults.go: SetDefaults_PersistentVolumeClaim
// Upstream: pkg/apis/core/validation/validation.go: ValidatePersistentVolumeClaimUpdate
// Upstream: pkg/registry/core/persistentvolumeclaim/strategy.go
// Upstream: pkg/api/persistentvolumeclaim/util.go
// Upstream: plugin/pkg/admission/storage/storageclass/setdefault/admission.go
// Upstream: plugin/pkg/admission/storage/persistentvolume/resize/admission.go
// Upstream: plugin/pkg/admission/storage/storageobjectinuseprotection/admission.go
// Upstream: pkg/printers/internalversion/printers.go: printPersistentVolumeClaim
import type * as core from 'client-ts/api/core/v1';
import type { StorageClass } from 'client-ts/api/storage/v1';
import { cloneJson, jsonEqual } from 'client-ts/internal';
import {
  annotationsOf,
  compareQuantities,
  isBeingDeleted,
  newForbidden,
  validateQualifiedName,
} from 'client-ts/meta';
import { describeChanges } from '../../../validation/changed-fields.ts';
import {
  type FieldError,
  forbidden,
  invalidEach,
  notSupported,
  required,
} from '../../../validation/field-error.ts';
import type { Loose } from '../../../validation/loose.ts';
import { immutable, metaValidator } from '../../../validation/object-meta.ts';
import { validateClaimSpec } from '../../../validation/pod/volume-claim.ts';
import { isNativeResource, validateResourceValue } from '../../../validation/resources.ts';
import {
  ageColumn,
  column,
  nameColumn,
  type Printable,
  type Printer,
  printer,
  wide,
} from '../../printers/printer.ts';
import { UNSET } from '../../printers/texts.ts';
import type { Strategy, StrategyContext } from '../../strategy.ts';
import { keepSpec, newestDefault, roundResources } from '../support.ts';
import { checkClaimLimits } from './limit-range.ts';
import { fractionWarnings } from './pod/warnings.ts';

type Claim = Loose<core.PersistentVolumeClaim>;
type ClaimSpec = Loose<core.PersistentVolumeClaimSpec>;

const CLAIMS = { group: '', resource: 'persistentvolumeclaims' };
const PROTECTION = 'kubernetes.io/pvc-protection';
const OLD_CLASS = 'volume.beta.kubernetes.io/storage-class';
/** Annotations that mark the default class; the second is the beta name. */
const DEFAULT_CLASS = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];
const RESIZE_STATUSES = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
].toSorted();
const STORAGE_REQUEST = 'spec.resources.requests.storage';
const ATTRIBUTES_CLASS = 'spec.volumeAttributesClassName';

const meta = metaValidator({ namespaced: true });

/** Rules of PersistentVolumeClaims. */
export const persistentVolumeClaimStrategy: Strategy<Claim> = {
  setDefaults: (claim) => {
    setClaimSpecDefaults((claim.spec ??= {}));
    const status = (claim.status ??= {});
    status.phase ||= 'Pending';
    roundResources(status.capacity);
    roundResources(status.allocatedResources);
  },
  prepareForCreate: (claim, context) => {
    const spec = (claim.spec ??= {});
    claim.status = { phase: 'Pending' };
    normalizeDataSources(spec, undefined);
    const metadata = (claim.metadata ??= {});
    const isProtected = context.plugins.has('StorageObjectInUseProtection');
    if (isProtected && !metadata.finalizers?.includes(PROTECTION)) {
      metadata.finalizers = [...(metadata.finalizers ?? []), PROTECTION];
    }
    setDefaultClass(claim, context);
  },
  prepareForUpdate: (claim, old, context) => {
    normalizeDataSources((claim.spec ??= {}), old.spec ?? {});
    if (old.spec) copyDataSources(old.spec);
    setDefaultClass(claim, context);
  },
  check: (claim, old, context) => {
    if (old !== undefined) checkResize(claim, old, context);
  },
  validate: (claim, context) => {
    const errors = validateClaim(claim);
    if (errors.length === 0) checkClaimLimits(claim, context);
    return errors;
  },
  validateUpdate: (claim, old, context) => {
    const errors = [
      ...meta.update(claim, old),
      ...validateClaim(claim),
      ...validateUpdate(claim, old),
    ];
    if (errors.length === 0 && old.metadata?.deletionTimestamp === undefined) {
      checkClaimLimits(claim, context);
    }
    return errors;
  },
  prepareForStatusUpdate: keepSpec,
  validateStatusUpdate: (claim, old) => [...meta.update(claim, old), ...validateStatus(claim)],
  warnings: ({ metadata, spec = {} }) => [
    ...(metadata?.annotations?.[OLD_CLASS] === undefined
      ? []
      : [
          `metadata.annotations[${OLD_CLASS}]: deprecated since v1.8; use "storageClassName" attribute instead`,
        ]),
    ...fractionWarnings(spec.resources?.requests, 'spec.resources.requests', ['storage']),
    ...fractionWarnings(spec.resources?.limits, 'spec.resources.limits', ['storage']),
  ],
  generation: 'none',
  deleteReturnsObject: true,
};

/** Sets the default storage class, if there is one. */
function setDefaultClass(claim: Claim, context: StrategyContext): void {
  if (!context.plugins.has('DefaultStorageClass')) return;
  const spec = (claim.spec ??= {});
  if (spec.storageClassName !== undefined || claim.metadata?.annotations?.[OLD_CLASS]) return;
  const classes = context.list('storage.k8s.io', 'storageclasses', '');
  const name = newestDefault<StorageClass>(classes, DEFAULT_CLASS)?.metadata?.name;
  if (name !== undefined) spec.storageClassName = name;
}

/** Aligns `dataSource` and `dataSourceRef`. `dataSource` may refer to claims and snapshots only. */
function normalizeDataSources(spec: ClaimSpec, old: ClaimSpec | undefined): void {
  if ((spec.dataSourceRef?.namespace ?? '') !== '' && old?.dataSourceRef === undefined) {
    delete spec.dataSourceRef;
  }
  const { dataSource, dataSourceRef } = spec;
  const wasUsed = old?.dataSource !== undefined || old?.dataSourceRef !== undefined;
  if (!wasUsed && dataSource !== undefined && dataSourceRef === undefined) {
    const { apiGroup = '', kind = '' } = dataSource;
    const isKnown =
      (kind === 'PersistentVolumeClaim' && apiGroup === '') ||
      (kind === 'VolumeSnapshot' && apiGroup === 'snapshot.storage.k8s.io');
    if (!isKnown) delete spec.dataSource;
  }
  copyDataSources(spec);
}

function copyDataSources(spec: ClaimSpec): void {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource !== undefined && dataSourceRef === undefined) {
    spec.dataSourceRef = { ...dataSource };
  }
  if (dataSourceRef !== undefined && dataSource === undefined) {
    const { namespace = '', ...local } = dataSourceRef;
    if (namespace === '') spec.dataSource = local;
  }
}

/** Throws a 403 unless the storage class of a claim, which is bound, allows expansion. */
function checkResize(claim: Claim, old: Claim, context: StrategyContext): void {
  const size = storageOf(claim.spec);
  if (compareQuantities(size, storageOf(old.spec)) <= 0) return;
  const className = classOf(claim);
  const found =
    className === '' || className !== classOf(old)
      ? undefined
      : context.lookup('storage.k8s.io', 'storageclasses', '', className);
  if ((found as StorageClass | undefined)?.allowVolumeExpansion === true) return;
  const detail =
    'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';
  throw newForbidden(CLAIMS, claim.metadata?.name ?? '', detail);
}

function classOf({ metadata, spec }: Claim): string {
  return metadata?.annotations?.[OLD_CLASS] ?? spec?.storageClassName ?? '';
}

function storageOf(spec: ClaimSpec | undefined): string {
  return String(spec?.resources?.requests?.['storage'] ?? '0');
}

function validateClaim(claim: Claim): FieldError[] {
  return [...meta.create(claim), ...validateClaimSpec(claim.spec ?? {}, 'spec')];
}

function validateUpdate(claim: Claim, old: Claim): FieldError[] {
  const before = old.spec ?? {};
  const after = claim.spec ?? {};
  return [
    ...validateClassAnnotation(claim, old),
    ...validateSpecUnchanged(claim, old),
    ...(compareQuantities(storageOf(after), storageOf(before)) < 0 &&
    compareQuantities(storageOf(after), String(old.status?.capacity?.['storage'] ?? '0')) <= 0
      ? [forbidden(STORAGE_REQUEST, 'field can not be less than status.capacity')]
      : []),
    ...immutable(after.volumeMode, before.volumeMode, 'volumeMode'),
    ...validateAttributesClass(claim, old),
  ];
}

/**
 * Returns true if an update only moves the class from the annotation to the spec, or sets a missing
 * class.
 */
function movesClassToSpec(claim: Claim, old: Claim): boolean {
  const before = old.metadata?.annotations?.[OLD_CLASS];
  const after = claim.metadata?.annotations?.[OLD_CLASS];
  return (
    before !== undefined &&
    old.spec?.storageClassName === undefined &&
    claim.spec?.storageClassName === before &&
    (after === undefined || after === before)
  );
}

function validateClassAnnotation(claim: Claim, old: Claim): FieldError[] {
  if (movesClassToSpec(claim, old)) return [];
  return immutable(
    claim.metadata?.annotations?.[OLD_CLASS] ?? '',
    old.metadata?.annotations?.[OLD_CLASS] ?? '',
    `metadata.annotations.${OLD_CLASS}`,
  );
}

function validateSpecUnchanged(claim: Claim, old: Claim): FieldError[] {
  const before: ClaimSpec = cloneJson(old.spec ?? {});
  const after: ClaimSpec = cloneJson(claim.spec ?? {});
  const inAnnotation = old.metadata?.annotations?.[OLD_CLASS];
  if ((before.volumeName ?? '') === '' && after.volumeName) before.volumeName = after.volumeName;
  if (before.storageClassName === undefined && after.storageClassName !== undefined) {
    const mayBeSet = inAnnotation === undefined || inAnnotation === after.storageClassName;
    if (mayBeSet) delete after.storageClassName;
  }
  if (claim.status?.phase === 'Bound') {
    const requests = after.resources?.requests;
    if (requests) requests['storage'] = before.resources?.requests?.['storage'] ?? '0';
    if (before.volumeAttributesClassName === undefined) delete after.volumeAttributesClassName;
    else after.volumeAttributesClassName = before.volumeAttributesClassName;
  }
  if (jsonEqual(after, before)) return [];
  const diff = describeChanges(before, after, 'spec');
  const detail = `spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n${diff}`;
  return [forbidden('spec', detail)];
}

function validateAttributesClass(claim: Claim, old: Claim): FieldError[] {
  const name = claim.spec?.volumeAttributesClassName;
  if (name === old.spec?.volumeAttributesClassName) return [];
  if (old.status?.currentVolumeAttributesClassName === undefined) return [];
  const suffix = 'is forbidden when status.currentVolumeAttributesClassName is not nil';
  if (name === undefined) return [forbidden(ATTRIBUTES_CLASS, `update to nil ${suffix}`)];
  return name === '' ? [forbidden(ATTRIBUTES_CLASS, `update to empty string ${suffix}`)] : [];
}

function validateStatus({ spec = {}, status = {} }: Claim): FieldError[] {
  const { capacity = {}, allocatedResourceStatuses = {}, allocatedResources = {} } = status;
  const statuses = 'status.allocatedResourceStatuses';
  const allocated = 'status.allocatedResources';
  return [
    ...((spec.accessModes ?? []).length === 0 ? [required('Spec.accessModes')] : []),
    ...Object.entries(capacity).flatMap(([name, value]) =>
      validateResourceValue('storage', value, `status.capacity[${name}]`),
    ),
    ...Object.entries(allocatedResourceStatuses).flatMap(([name, value]) => [
      ...validateResourceKey(name, statuses),
      ...(RESIZE_STATUSES.includes(value) ? [] : [notSupported(statuses, name, RESIZE_STATUSES)]),
    ]),
    ...Object.entries(allocatedResources).flatMap(([name, value]) => {
      const errors = validateResourceKey(name, allocated);
      return errors.length > 0
        ? errors
        : validateResourceValue('storage', value, `${allocated}[${name}]`);
    }),
  ];
}

function validateResourceKey(name: string, field: string): FieldError[] {
  const errors = invalidEach(field, name, validateQualifiedName(name));
  if (errors.length > 0) return errors;
  return isNativeResource(name) && name !== 'storage'
    ? [notSupported(field, name, ['storage'])]
    : [];
}

/** Sets the defaults of a claim spec, in a claim or in a claim template. */
export function setClaimSpecDefaults(spec: Loose<core.PersistentVolumeClaimSpec>): void {
  spec.volumeMode ??= 'Filesystem';
  roundResources(spec.resources?.limits);
  roundResources(spec.resources?.requests);
}

/** The table of PersistentVolumeClaims. */
export const persistentVolumeClaimPrinter: Printer<Printable<core.PersistentVolumeClaim>> = printer(
  [
    nameColumn(),
    column('Status', 'Phase of the claim', phaseOf),
    column('Volume', 'Name of the bound volume', ({ spec }) => spec?.volumeName ?? ''),
    column('Capacity', 'Capacity of the bound volume', (claim) =>
      isBound(claim) ? (claim.status?.capacity?.['storage'] ?? '0') : '',
    ),
    column('Access Modes', 'Access modes of the bound volume', (claim) =>
      isBound(claim) ? formatAccessModes(claim.status?.accessModes) : '',
    ),
    column('StorageClass', 'Storage class of the claim', storageClassOf),
    column(
      'VolumeAttributesClass',
      'Class of the mutable volume attributes',
      ({ spec }) => spec?.volumeAttributesClassName ?? UNSET,
    ),
    ageColumn(),
    column('VolumeMode', 'Filesystem or Block', ({ spec }) => spec?.volumeMode ?? UNSET, wide),
  ],
);

type Volume = Printable<core.PersistentVolume> | Printable<core.PersistentVolumeClaim>;

export function phaseOf(volume: Volume): string {
  return isBeingDeleted(volume) ? 'Terminating' : (volume.status?.phase ?? '');
}

/** Returns the storage class; the beta annotation takes precedence over the field. */
export function storageClassOf(volume: Volume): string {
  const annotation = annotationsOf(volume)['volume.beta.kubernetes.io/storage-class'];
  return annotation ?? volume.spec?.storageClassName ?? '';
}

function isBound({ spec }: Printable<core.PersistentVolumeClaim>): boolean {
  return (spec?.volumeName ?? '') !== '';
}

const ACCESS_MODES: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

export function formatAccessModes(modes: readonly string[] | null | undefined): string {
  return Object.entries(ACCESS_MODES)
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',');
}
