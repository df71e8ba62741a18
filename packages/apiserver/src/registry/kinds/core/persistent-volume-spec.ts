import type * as core from 'client-ts/api/core/v1';
import { validateDns1123Label, validateDns1123Subdomain } from 'client-ts/meta';
import { requireFields, validateOptionalChoice } from '../../../validation/choices.ts';
import {
  type FieldError,
  forbidden,
  invalid,
  invalidEach,
  notSupported,
  required,
} from '../../../validation/field-error.ts';
import { type Loose, sortedMap } from '../../../validation/loose.ts';
import { validateNoBacksteps } from '../../../validation/paths.ts';
import {
  validateAccessModes,
  validateClassName,
  VOLUME_MODES,
} from '../../../validation/pod/volume-claim.ts';
import { isPositiveQuantity, quantityText } from '../../../validation/quantities.ts';
import { validateResourceValue } from '../../../validation/resources.ts';
import { validateNodeSelector } from '../../../validation/pod/scheduling.ts';
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

type VolumeSpec = Loose<core.PersistentVolumeSpec>;

const RECLAIM_POLICIES = ['Delete', 'Recycle', 'Retain'];

/** Checks what a volume offers. */
export function validatePersistentVolumeSpec(spec: VolumeSpec, field: string): FieldError[] {
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

/** In the order in which the server looks for them. */
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

/** The names of all fields that say where a volume is. */
export const volumeSourceNames: readonly SourceName[] = sourceRules.map(({ name }) => name);

/** Where the server says something else than the name of the field. */
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
