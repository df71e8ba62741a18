// Upstream: pkg/apis/core/validation/validation.go: validateVolumeSource
import type * as core from 'client-ts/api/core/v1';
import { validateDns1123Label } from 'client-ts/meta';
import {
  requireFields,
  validateDescendingPath,
  validateNoBacksteps,
  validateOptionalChoice,
} from '../choices.ts';
import { type FieldError, invalid, invalidEach, notSupported, required } from '../field-error.ts';
import type { Loose } from '../loose.ts';
import { validateInRange } from '../names.ts';

/*
 * Volume sources that pods and persistent volumes share, including those of former in-tree drivers.
 * Most require only a few fields.
 */

const HOST_PATH_TYPES = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

/** Checks a hostPath volume. */
export function validateHostPath(
  { path = '', type }: Loose<core.HostPathVolumeSource>,
  field: string,
): FieldError[] {
  if (path === '') return [required(`${field}.path`)];
  return [
    ...validateNoBacksteps(path, `${field}.path`),
    ...validateOptionalChoice(type, HOST_PATH_TYPES, `${field}.type`),
  ];
}

/** Checks an NFS volume. */
export function validateNFS(source: Loose<core.NFSVolumeSource>, field: string): FieldError[] {
  const { path = '' } = source;
  return [
    ...requireFields(source, field, ['server', 'path']),
    ...(path.startsWith('/') ? [] : [invalid(`${field}.path`, path, 'must be an absolute path')]),
  ];
}

/** Checks a gitRepo volume. */
export function validateGitRepo(
  source: Loose<core.GitRepoVolumeSource>,
  field: string,
): FieldError[] {
  return [
    ...requireFields(source, field, ['repository']),
    ...validateDescendingPath(source.directory ?? '', `${field}.directory`),
  ];
}

/** Checks a disk that has a name and an optional partition. */
export function validatePartitionedDisk(name: 'pdName' | 'volumeID') {
  return (
    source: { pdName?: string; volumeID?: string; partition?: number },
    field: string,
  ): FieldError[] => {
    const { partition = 0 } = source;
    return [
      ...requireFields(source, field, [name]),
      ...(partition < 0 || partition > 255
        ? [invalid(`${field}.partition`, partition, 'must be between 1 and 255, inclusive')]
        : []),
    ];
  };
}

const ISCSI_FORMATS: readonly (readonly [string, RegExp])[] = [
  ['iqn', /iqn\.\d{4}-\d{2}\.([a-zA-Z0-9.-]+)(:[^,;*&$|\s]+)$/],
  ['eui', /^eui.[a-zA-Z0-9]{16}$/],
  ['naa', /^naa.[a-zA-Z0-9]{32}$/],
];

/** Checks an iSCSI volume. */
export function validateISCSI(
  source: Loose<core.ISCSIVolumeSource | core.ISCSIPersistentVolumeSource>,
  field: string,
): FieldError[] {
  const { targetPortal = '', iqn = '', lun = 0, initiatorName } = source;
  const needsSecret = source.chapAuthDiscovery === true || source.chapAuthSession === true;
  return [
    ...(targetPortal === '' ? [required(`${field}.targetPortal`)] : []),
    ...(iqn === '' ? [required(`${field}.iqn`)] : validateISCSIName(iqn, `${field}.iqn`)),
    ...invalidEach(`${field}.lun`, lun, validateInRange(lun, 0, 255)),
    ...(needsSecret && source.secretRef === undefined ? [required(`${field}.secretRef`)] : []),
    ...(initiatorName === undefined
      ? []
      : validateISCSIName(initiatorName, `${field}.initiatorname`)),
  ];
}

function validateISCSIName(name: string, field: string): FieldError[] {
  const format = ISCSI_FORMATS.find(([prefix]) => name.startsWith(prefix));
  if (format === undefined) {
    return [invalid(field, name, 'must be valid format starting with iqn, eui, or naa')];
  }
  return format[1].test(name) ? [] : [invalid(field, name, 'must be valid format')];
}

/** Checks a Fibre Channel volume. */
export function validateFC(source: Loose<core.FCVolumeSource>, field: string): FieldError[] {
  const { targetWWNs = [], wwids = [], lun } = source;
  const errors: FieldError[] = [];
  if (targetWWNs.length === 0 && wwids.length === 0) {
    const detail = 'must specify either targetWWNs or wwids, but not both';
    errors.push(required(`${field}.targetWWNs`, detail));
  }
  if (targetWWNs.length > 0 && wwids.length > 0) {
    const detail = 'targetWWNs and wwids can not be specified simultaneously';
    errors.push(invalid(`${field}.targetWWNs`, targetWWNs, detail));
  }
  if (targetWWNs.length > 0) {
    errors.push(
      ...(lun === undefined
        ? [required(`${field}.lun`, 'lun is required if targetWWNs is specified')]
        : invalidEach(`${field}.lun`, lun, validateInRange(lun, 0, 255))),
    );
  }
  return errors;
}

const HOST_PORT_PAIRS = 'must be a host:port pair or multiple pairs separated by commas';

/** Checks a Quobyte volume. */
export function validateQuobyte(
  { registry = '', tenant = '', volume = '' }: Loose<core.QuobyteVolumeSource>,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (registry === '') {
    errors.push(required(`${field}.registry`, HOST_PORT_PAIRS));
  } else if (tenant.length >= 65) {
    const detail = 'must be a UUID and may not exceed a length of 64 characters';
    errors.push(required(`${field}.tenant`, detail));
  } else {
    for (const pair of registry.split(',')) {
      if (/^(\[[^\]]*\]|[^:]*):[^:]*$/.test(pair)) continue;
      errors.push(invalid(`${field}.registry`, registry, HOST_PORT_PAIRS));
    }
  }
  if (volume === '') errors.push(required(`${field}.volume`));
  return errors;
}

/** Checks a Flocker dataset. */
export function validateFlocker(
  { datasetName = '', datasetUUID = '' }: Loose<core.FlockerVolumeSource>,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (datasetName === '' && datasetUUID === '') {
    errors.push(required(field, 'one of datasetName and datasetUUID is required'));
  }
  if (datasetName !== '' && datasetUUID !== '') {
    const detail = 'datasetName and datasetUUID can not be specified simultaneously';
    errors.push(invalid(field, 'resource', detail));
  }
  if (datasetName.includes('/')) {
    errors.push(invalid(`${field}.datasetName`, datasetName, "must not contain '/'"));
  }
  return errors;
}

/** Checks a FlexVolume. */
export function validateFlexVolume(
  source: Loose<core.FlexVolumeSource | core.FlexPersistentVolumeSource>,
  field: string,
): FieldError[] {
  const reserved = Object.keys(source.options ?? {}).filter((key) =>
    /\.(kubernetes|k8s)\.io$/.test(`.${(key.split('/')[0] ?? '').toLowerCase()}`),
  );
  return [
    ...requireFields(source, field, ['driver']),
    ...reserved.map((key) =>
      invalid(`${field}.options[${key}]`, key, 'kubernetes.io and k8s.io namespaces are reserved'),
    ),
  ];
}

const CACHING_MODES = ['None', 'ReadOnly', 'ReadWrite'];
const DISK_KINDS = ['Dedicated', 'Managed', 'Shared'];
const MANAGED_DISK_URI =
  '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const BLOB_DISK_URI =
  'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

/** Checks an Azure disk. */
export function validateAzureDisk(
  source: Loose<core.AzureDiskVolumeSource>,
  field: string,
): FieldError[] {
  const { diskURI = '', cachingMode, kind } = source;
  const isManaged = kind === 'Managed';
  const prefix = isManaged ? '/subscriptions/' : 'https://';
  return [
    ...requireFields(source, field, ['diskName', 'diskURI']),
    ...validateOptionalChoice(cachingMode, CACHING_MODES, `${field}.cachingMode`),
    ...validateOptionalChoice(kind, DISK_KINDS, `${field}.kind`),
    ...(kind === undefined || diskURI.startsWith(prefix)
      ? []
      : [
          notSupported(`${field}.diskURI`, diskURI, [isManaged ? MANAGED_DISK_URI : BLOB_DISK_URI]),
        ]),
  ];
}

/** Checks a StorageOS volume. */
export function validateStorageOS(
  source: Loose<core.StorageOSVolumeSource | core.StorageOSPersistentVolumeSource>,
  field: string,
  secretFields: readonly ('name' | 'namespace')[],
): FieldError[] {
  const { volumeName = '', volumeNamespace = '', secretRef } = source;
  return [
    ...(volumeName === ''
      ? [required(`${field}.volumeName`)]
      : invalidEach(`${field}.volumeName`, volumeName, validateDns1123Label(volumeName))),
    ...(volumeNamespace === ''
      ? []
      : invalidEach(
          `${field}.volumeNamespace`,
          volumeNamespace,
          validateDns1123Label(volumeNamespace),
        )),
    ...(secretRef === undefined
      ? []
      : requireFields<{ name?: string; namespace?: string }>(
          secretRef,
          `${field}.secretRef`,
          secretFields,
        )),
  ];
}

/** Checks an OpenStack Cinder volume. */
export function validateCinder(
  source: Loose<core.CinderVolumeSource | core.CinderPersistentVolumeSource>,
  field: string,
  secretFields: readonly ('name' | 'namespace')[],
): FieldError[] {
  return [
    ...requireFields(source, field, ['volumeID']),
    ...(source.secretRef === undefined
      ? []
      : requireFields<{ name?: string; namespace?: string }>(
          source.secretRef,
          `${field}.secretRef`,
          secretFields,
        )),
  ];
}
