// Upstream: pkg/apis/core/v1/defaults.go: SetDefaults_PersistentVolume
// Upstream: pkg/apis/core/validation/validation.go:
//   ValidatePersistentVolumeSpec, ValidatePersistentVolumeUpdate
// Upstream: pkg/registry/core/persistentvolume/strategy.go
// Upstream: pkg/api/persistentvolume/util.go
// Upstream: plugin/pkg/admission/storage/storageobjectinuseprotection/admission.go
// Upstream: pkg/printers/internalversion/printers.go: printPersistentVolume
import type * as core from 'client-ts/api/core/v1';
import { jsonEqual } from 'client-ts/internal';
import { formatTime, validateDns1123Label, validateDns1123Subdomain } from 'client-ts/meta';
import { describeChanges } from '../../../validation/changed-fields.ts';
import {
  requireFields,
  validateNoBacksteps,
  validateOptionalChoice,
} from '../../../validation/choices.ts';
import {
  type FieldError,
  forbidden,
  invalid,
  invalidEach,
  notSupported,
  required,
} from '../../../validation/field-error.ts';
import { inOrder, type Loose, sortedMap } from '../../../validation/loose.ts';
import { immutable, metaValidator } from '../../../validation/object-meta.ts';
import { validateNodeSelector } from '../../../validation/pod/scheduling.ts';
import {
  validateAccessModes,
  validateClassName,
  VOLUME_MODES,
} from '../../../validation/pod/volume-claim.ts';
import {
  validateAzureDisk,
  validateCinder,
  validateFC,
  validateFlexVolume,
  validateFlocker,
  validateHostPath,
  validateISCSI,
  validateNFS,
  validatePartitionedDisk,
  validateQuobyte,
  validateStorageOS,
} from '../../../validation/pod/volume-sources.ts';
import { validateCSIDriverName } from '../../../validation/pod/volumes.ts';
import {
  isPositiveQuantity,
  quantityText,
  validateResourceValue,
} from '../../../validation/resources.ts';
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
import type { Strategy } from '../../strategy.ts';
import { keepSpec, roundResources, copyFields } from '../support.ts';
import { nodeTermWarnings } from './node.ts';
import { formatAccessModes, phaseOf, storageClassOf } from './persistent-volume-claim.ts';
import { setStorageDefaults } from './pod/defaults.ts';

type Volume = Loose<core.PersistentVolume>;
type VolumeSpec = Loose<core.PersistentVolumeSpec>;

const PROTECTION = 'kubernetes.io/pv-protection';
const MOUNT_OPTIONS = 'volume.beta.kubernetes.io/mount-options';
const OLD_CLASS = 'volume.beta.kubernetes.io/storage-class';
const meta = metaValidator({ namespaced: false });

/** Rules of PersistentVolumes, whose source is immutable. */
export const persistentVolumeStrategy: Strategy<Volume> = {
  setDefaults: (volume) => {
    const spec = (volume.spec ??= {});
    spec.persistentVolumeReclaimPolicy ||= 'Retain';
    spec.volumeMode ??= 'Filesystem';
    if (spec.hostPath) spec.hostPath.type ??= '';
    setStorageDefaults(spec);
    roundResources(spec.capacity);
    const status = (volume.status ??= {});
    status.phase ||= 'Pending';
  },
  prepareForCreate: (volume, { clock, plugins }) => {
    volume.status = { phase: 'Pending', lastPhaseTransitionTime: formatTime(clock.now()) };
    const metadata = (volume.metadata ??= {});
    const isProtected = plugins.has('StorageObjectInUseProtection');
    if (isProtected && !metadata.finalizers?.includes(PROTECTION)) {
      metadata.finalizers = [...(metadata.finalizers ?? []), PROTECTION];
    }
  },
  validate: (volume) => [...validateVolume(volume), ...validateMountOptions(volume)],
  validateUpdate: (volume, old) => [
    ...validateVolume(volume),
    ...validateMountOptions(volume),
    ...validateVolume(volume),
    ...validateUpdate(volume.spec ?? {}, old.spec ?? {}),
  ],
  prepareForStatusUpdate: (volume, old, { clock }) => {
    keepSpec(volume, old);
    const status = (volume.status ??= {});
    const before = old.status ?? {};
    const time = status.lastPhaseTransitionTime;
    if (status.phase === before.phase) {
      if (time === undefined) copyFields(status, before, 'lastPhaseTransitionTime');
    } else if (time === undefined || time === before.lastPhaseTransitionTime) {
      status.lastPhaseTransitionTime = formatTime(clock.now());
    }
  },
  validateStatusUpdate: meta.update,
  warnings: ({ metadata, spec = {} }) => volumeWarnings(metadata?.annotations ?? {}, spec),
  generation: 'none',
  deleteReturnsObject: true,
};

function validateVolume(volume: Volume): FieldError[] {
  return [...meta.create(volume), ...validatePersistentVolumeSpec(volume.spec ?? {}, 'spec')];
}

const WITHOUT_MOUNT_OPTIONS = new Set([
  'csi',
  'fc',
  'flexVolume',
  'flocker',
  'hostPath',
  'local',
  'portworxVolume',
  'scaleIO',
  'storageos',
]);

function validateMountOptions({ metadata, spec = {} }: Volume): FieldError[] {
  if (metadata?.annotations?.[MOUNT_OPTIONS] === undefined) return [];
  const isMountable = volumeSourceNames.some(
    (name) => spec[name] !== undefined && !WITHOUT_MOUNT_OPTIONS.has(name),
  );
  if (isMountable) return [];
  const detail = 'may not specify mount options for this volume type';
  return [forbidden(`metadata.annotations.${MOUNT_OPTIONS}`, detail)];
}

function validateUpdate(spec: VolumeSpec, old: VolumeSpec): FieldError[] {
  const before = inOrder(old, volumeSourceNames);
  const after = inOrder(spec, volumeSourceNames);
  if (after.csi?.controllerExpandSecretRef && before.csi?.controllerExpandSecretRef === undefined) {
    const { controllerExpandSecretRef: _, ...rest } = after.csi;
    if (before.csi) after.csi = rest;
  }
  return [
    ...(jsonEqual(after, before)
      ? []
      : [
          forbidden(
            'spec.persistentvolumesource',
            `spec.persistentvolumesource is immutable after creation\n${describeChanges(before, after, 'spec')}`,
          ),
        ]),
    ...immutable(spec.volumeMode, old.volumeMode, 'volumeMode'),
    ...(old.volumeAttributesClassName !== undefined && spec.volumeAttributesClassName === undefined
      ? [
          forbidden(
            'spec.volumeAttributesClassName',
            'update from non-nil value to nil is forbidden',
          ),
        ]
      : []),
  ];
}

/** Unsupported volume sources, and the version that removed their driver. */
const OLD_SOURCES = [
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
] as const;

function volumeWarnings(annotations: Readonly<Record<string, string>>, spec: VolumeSpec): string[] {
  return [
    ...(annotations[OLD_CLASS] === undefined
      ? []
      : [
          `metadata.annotations[${OLD_CLASS}]: deprecated since v1.8; use "storageClassName" attribute instead`,
        ]),
    ...(annotations[MOUNT_OPTIONS] === undefined
      ? []
      : [
          `metadata.annotations[${MOUNT_OPTIONS}]: deprecated since v1.31; use "mountOptions" attribute instead`,
        ]),
    ...(spec.persistentVolumeReclaimPolicy === 'Recycle'
      ? [
          'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
        ]
      : []),
    ...(spec.nodeAffinity?.required?.nodeSelectorTerms ?? []).flatMap((term, index) =>
      nodeTermWarnings(term, `spec.nodeAffinity.required.nodeSelectorTerms[${index}]`, false),
    ),
    ...OLD_SOURCES.filter(([name]) => spec[name] !== undefined).map(
      ([, shown, since]) => `spec.${shown}: ${since}`,
    ),
  ];
}

const RECLAIM_POLICIES = ['Delete', 'Recycle', 'Retain'];

/** Checks the spec of a PersistentVolume. */
function validatePersistentVolumeSpec(spec: VolumeSpec, field: string): FieldError[] {
  const { accessModes = [], nodeAffinity, storageClassName = '', hostPath } = spec;
  const reclaim = spec.persistentVolumeReclaimPolicy ?? '';
  const recyclesRoot = reclaim === 'Recycle' && /^\/+$/.test(hostPath?.path ?? '');
  return [
    ...(accessModes.length === 0 ? [required(`${field}.accessModes`)] : []),
    ...validateAccessModes(accessModes, `${field}.accessModes`),
    ...validateCapacity(spec.capacity, `${field}.capacity`),
    ...(reclaim === ''
      ? []
      : validateOptionalChoice(
          reclaim,
          RECLAIM_POLICIES,
          `${field}.persistentVolumeReclaimPolicy`,
        )),
    ...(nodeAffinity === undefined
      ? []
      : nodeAffinity.required === undefined
        ? [required(`${field}.nodeAffinity.required`, 'must specify required node constraints')]
        : validateNodeSelector(nodeAffinity.required, `${field}.nodeAffinity.required`)),
    ...validateSource(spec, field),
    ...(recyclesRoot
      ? [
          forbidden(
            `${field}.persistentVolumeReclaimPolicy`,
            "may not be 'recycle' for a hostPath mount of '/'",
          ),
        ]
      : []),
    ...validateClassName(storageClassName, `${field}.storageClassName`),
    ...validateOptionalChoice(spec.volumeMode, VOLUME_MODES, `${field}.volumeMode`),
    ...validateAttributesClass(spec, field),
  ];
}

function validateCapacity(amounts: VolumeSpec['capacity'], field: string): FieldError[] {
  const capacity = amounts ?? {};
  const names = Object.keys(capacity);
  return [
    ...(names.length === 0 ? [required(field)] : []),
    ...(names.length === 1 && names[0] === 'storage'
      ? []
      : [notSupported(field, amounts && sortedMap(spelled(amounts)), ['storage'])]),
    ...Object.entries(capacity).flatMap(([name, value]) => [
      ...validateResourceValue('storage', value, `${field}[${name}]`),
      ...(isPositiveQuantity(value)
        ? []
        : [invalid(`${field}[${name}]`, quantityText(value), 'must be greater than zero')]),
    ]),
  ];
}

function spelled(capacity: NonNullable<VolumeSpec['capacity']>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(capacity).map(([name, value]) => [name, quantityText(value)]),
  );
}

function validateAttributesClass(spec: VolumeSpec, field: string): FieldError[] {
  const { volumeAttributesClassName: name, csi } = spec;
  if (name === undefined) return [];
  const path = `${field}.volumeAttributesClassName`;
  return [
    ...(name === ''
      ? [required(path, 'an empty string is disallowed')]
      : validateClassName(name, path)),
    ...(csi === undefined
      ? [required(`${field}.csi`, 'has to be specified when using volumeAttributesClassName')]
      : []),
  ];
}

type SourceName = Exclude<
  keyof VolumeSpec,
  | 'accessModes'
  | 'capacity'
  | 'claimRef'
  | 'mountOptions'
  | 'nodeAffinity'
  | 'persistentVolumeReclaimPolicy'
  | 'storageClassName'
  | 'volumeAttributesClassName'
  | 'volumeMode'
>;

interface SourceRule {
  readonly name: SourceName;
  readonly validate: (source: never, field: string) => FieldError[];
}

function rule<Name extends SourceName>(
  name: Name,
  validate: (source: NonNullable<VolumeSpec[Name]>, field: string) => FieldError[],
): SourceRule {
  return { name, validate };
}

/** In the order in which kube-apiserver checks them. */
const sourceRules: readonly SourceRule[] = [
  rule('hostPath', validateHostPath),
  rule('gcePersistentDisk', validatePartitionedDisk('pdName')),
  rule('awsElasticBlockStore', validatePartitionedDisk('volumeID')),
  rule('glusterfs', (source, field) => requireFields(source, field, ['endpoints', 'path'])),
  rule('flocker', validateFlocker),
  rule('nfs', validateNFS),
  rule('rbd', (source, field) => requireFields(source, field, ['monitors', 'image'])),
  rule('quobyte', validateQuobyte),
  rule('cephfs', (source, field) => requireFields(source, field, ['monitors'])),
  rule('iscsi', validateISCSI),
  rule('cinder', (source, field) => validateCinder(source, field, ['name', 'namespace'])),
  rule('fc', validateFC),
  rule('flexVolume', validateFlexVolume),
  rule('azureFile', (source, field) => requireFields(source, field, ['secretName', 'shareName'])),
  rule('vsphereVolume', (source, field) => requireFields(source, field, ['volumePath'])),
  rule('photonPersistentDisk', (source, field) => requireFields(source, field, ['pdID'])),
  rule('portworxVolume', (source, field) => requireFields(source, field, ['volumeID'])),
  rule('azureDisk', validateAzureDisk),
  rule('scaleIO', (source, field) =>
    requireFields(source, field, ['gateway', 'system', 'volumeName']),
  ),
  rule('local', ({ path = '' }, field) =>
    path === '' ? [required(`${field}.path`)] : validateNoBacksteps(path, `${field}.path`),
  ),
  rule('storageos', (source, field) => validateStorageOS(source, field, ['name', 'namespace'])),
  rule('csi', validateCSI),
];

/** The field names of all volume sources. */
const volumeSourceNames: readonly SourceName[] = sourceRules.map(({ name }) => name);

/** Sources whose path in messages differs from the field name. */
const PATHS: Partial<Record<SourceName, string>> = { gcePersistentDisk: 'persistentDisk' };
const PATHS_IF_SECOND: Partial<Record<SourceName, string>> = { cephfs: 'cephFS' };

function validateSource(spec: VolumeSpec, field: string): FieldError[] {
  const used = sourceRules.filter(({ name }) => spec[name] !== undefined);
  if (used.length === 0) return [required(field, 'must specify a volume type')];
  return used.flatMap(({ name, validate }, index) => {
    if (index > 0 && name !== 'flexVolume') {
      const path = PATHS_IF_SECOND[name] ?? name;
      return [forbidden(`${field}.${path}`, 'may not specify more than 1 volume type')];
    }
    return [
      ...validate(spec[name] as never, `${field}.${PATHS[name] ?? name}`),
      ...(name === 'local' && spec.nodeAffinity === undefined
        ? [required(`${field}.nodeAffinity`, 'Local volume requires node affinity')]
        : []),
    ];
  });
}

function validateCSI(source: Loose<core.CSIPersistentVolumeSource>, field: string): FieldError[] {
  return [
    ...validateCSIDriverName(source.driver ?? '', `${field}.driver`),
    ...requireFields(source, field, ['volumeHandle']),
    ...(
      [
        'controllerPublishSecretRef',
        'controllerExpandSecretRef',
        'nodePublishSecretRef',
        'nodeExpandSecretRef',
      ] as const
    ).flatMap((name) => {
      const reference = source[name];
      return reference === undefined ? [] : validateSecretRef(reference, `${field}.${name}`);
    }),
  ];
}

function validateSecretRef(
  { name = '', namespace = '' }: Loose<core.SecretReference>,
  field: string,
): FieldError[] {
  return [
    ...(name === ''
      ? [required(`${field}.name`)]
      : invalidEach(`${field}.name`, name, validateDns1123Subdomain(name))),
    ...(namespace === ''
      ? [required(`${field}.namespace`)]
      : invalidEach(`${field}.namespace`, namespace, validateDns1123Label(namespace))),
  ];
}

/** The table of PersistentVolumes. */
export const persistentVolumePrinter: Printer<Printable<core.PersistentVolume>> = printer([
  nameColumn(),
  column('Capacity', 'Capacity of the volume', ({ spec }) => spec?.capacity?.['storage'] ?? '0'),
  column('Access Modes', 'Access modes of the volume', ({ spec }) =>
    formatAccessModes(spec?.accessModes),
  ),
  column(
    'Reclaim Policy',
    'What happens to the volume when its claim is deleted',
    ({ spec }) => spec?.persistentVolumeReclaimPolicy ?? '',
  ),
  column('Status', 'Phase of the volume', phaseOf),
  column('Claim', 'Namespace and name of the bound claim', ({ spec }) =>
    spec?.claimRef === undefined
      ? ''
      : `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}`,
  ),
  column('StorageClass', 'Storage class of the volume', storageClassOf),
  column(
    'VolumeAttributesClass',
    'Class of the mutable volume attributes',
    ({ spec }) => spec?.volumeAttributesClassName ?? UNSET,
  ),
  column('Reason', 'Reason of the current phase', ({ status }) => status?.reason ?? ''),
  ageColumn(),
  column('VolumeMode', 'Filesystem or Block', ({ spec }) => spec?.volumeMode ?? UNSET, wide),
]);
