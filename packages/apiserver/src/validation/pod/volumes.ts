// Upstream: pkg/apis/core/validation/validation.go: ValidateVolumes
import type * as core from 'client-ts/api/core/v1';
import { type ObjectMeta, validateDns1123Label, validateDns1123Subdomain } from 'client-ts/meta';
import { requireFields, validateChoice, validateFileMode } from '../choices.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  invalidEach,
  required,
  tooLong,
} from '../field-error.ts';
import type { Loose } from '../loose.ts';
import { nameIsDnsSubdomain } from '../names.ts';
import { isNegativeQuantity } from '../resources.ts';
import {
  validateDownwardAPIFile,
  validateKeysToPaths,
  validateProjectionSources,
} from './projected-volume.ts';
import { validateClaimTemplate } from './volume-claim.ts';
import {
  validateAzureDisk,
  validateCinder,
  validateFC,
  validateFlexVolume,
  validateFlocker,
  validateGitRepo,
  validateHostPath,
  validateISCSI,
  validateNFS,
  validatePartitionedDisk,
  validateQuobyte,
  validateStorageOS,
} from './volume-sources.ts';

type Volume = Loose<core.Volume>;

const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];

/** The valid volumes of a pod by name, for the mounts of its containers. */
export type VolumeMap = ReadonlyMap<string, Volume>;

/** Checks the volumes of a pod. `meta` is the metadata of the pod, absent for a template. */
export function validateVolumes(
  volumes: readonly Volume[],
  meta: ObjectMeta | undefined,
  field: string,
): { readonly valid: VolumeMap; readonly errors: FieldError[] } {
  const podName = meta?.name ?? '';
  const ephemeralClaims = new Set(
    volumes
      .filter((volume) => podName !== '' && volume.ephemeral !== undefined)
      .map((volume) => `${podName}-${volume.name ?? ''}`),
  );
  const valid = new Map<string, Volume>();
  const errors: FieldError[] = [];
  for (const [index, volume] of volumes.entries()) {
    const path = `${field}[${index}]`;
    const { name = '' } = volume;
    const found = [
      ...validateVolumeSource(volume, meta, path),
      ...(name === ''
        ? [required(`${path}.name`)]
        : invalidEach(`${path}.name`, name, validateDns1123Label(name))),
      ...(valid.has(name) ? [duplicate(`${path}.name`, name)] : []),
    ];
    if (found.length === 0) valid.set(name, volume);
    errors.push(...found);
    const { claimName = '' } = volume.persistentVolumeClaim ?? {};
    if (volume.persistentVolumeClaim !== undefined && ephemeralClaims.has(claimName)) {
      const detail = 'must not reference a PVC that gets created for an ephemeral volume';
      errors.push(invalid(`${path}.persistentVolumeClaim.claimName`, claimName, detail));
    }
  }
  return { valid, errors };
}

type SourceName = Exclude<keyof core.Volume, 'name'>;

/**
 * The check of one volume source, and the path that kube-apiserver reports where it is irregular.
 */
interface SourceRule<Name extends SourceName = SourceName> {
  readonly name: Name;
  readonly validate: (
    source: NonNullable<Volume[Name]>,
    field: string,
    isPod: boolean,
  ) => FieldError[];
  readonly path?: string;
  readonly pathIfSecond?: string;
}

function rule<Name extends SourceName>(
  name: Name,
  validate: SourceRule<Name>['validate'],
  paths: Pick<SourceRule, 'path' | 'pathIfSecond'> = {},
): SourceRule {
  return { name, validate, ...paths };
}

/** In the order in which kube-apiserver checks them. */
const sourceRules: readonly SourceRule[] = [
  rule('emptyDir', ({ sizeLimit }, field) =>
    isNegativeQuantity(sizeLimit)
      ? [forbidden(`${field}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')]
      : [],
  ),
  rule('hostPath', validateHostPath),
  rule('gitRepo', validateGitRepo),
  rule('gcePersistentDisk', validatePartitionedDisk('pdName'), { path: 'persistentDisk' }),
  rule('awsElasticBlockStore', validatePartitionedDisk('volumeID')),
  rule('secret', validateSecretSource),
  rule('nfs', validateNFS),
  rule('iscsi', validateISCSI),
  rule('glusterfs', (source, field) => requireFields(source, field, ['endpoints', 'path'])),
  rule('flocker', validateFlocker),
  rule('persistentVolumeClaim', (source, field) => requireFields(source, field, ['claimName'])),
  rule('rbd', (source, field) => requireFields(source, field, ['monitors', 'image'])),
  rule('cinder', (source, field) => validateCinder(source, field, ['name'])),
  rule('cephfs', (source, field) => requireFields(source, field, ['monitors']), {
    pathIfSecond: 'cephFS',
  }),
  rule('quobyte', validateQuobyte),
  rule('downwardAPI', validateDownwardAPISource, { pathIfSecond: 'downwarAPI' }),
  rule('fc', validateFC),
  rule('flexVolume', validateFlexVolume),
  rule('configMap', validateConfigMapSource),
  rule('azureFile', (source, field) => requireFields(source, field, ['secretName', 'shareName'])),
  rule('vsphereVolume', (source, field) => requireFields(source, field, ['volumePath'])),
  rule('photonPersistentDisk', (source, field) => requireFields(source, field, ['pdID'])),
  rule('portworxVolume', (source, field) => requireFields(source, field, ['volumeID'])),
  rule('azureDisk', validateAzureDisk),
  rule('storageos', (source, field) => validateStorageOS(source, field, ['name'])),
  rule('projected', (source, field) => [
    ...validateFileMode(source.defaultMode, `${field}.defaultMode`),
    ...validateProjectionSources(source.sources ?? [], field),
  ]),
  rule('scaleIO', (source, field) =>
    requireFields(source, field, ['gateway', 'system', 'volumeName']),
  ),
  rule('csi', validateCSISource),
  rule('ephemeral', ({ volumeClaimTemplate }, field) =>
    volumeClaimTemplate === undefined
      ? [required(`${field}.volumeClaimTemplate`)]
      : validateClaimTemplate(volumeClaimTemplate, `${field}.volumeClaimTemplate`),
  ),
  rule('image', (source, field, isPod) => [
    // A template may omit the reference.
    ...(isPod ? requireFields(source, field, ['reference']) : []),
    ...validateChoice(source.pullPolicy, PULL_POLICIES, `${field}.pullPolicy`),
  ]),
];

const LONGEST_ISCSI_NAME = 64;

function validateVolumeSource(
  volume: Volume,
  meta: ObjectMeta | undefined,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  let count = 0;
  for (const { name, validate, path = name, pathIfSecond = name } of sourceRules) {
    const source = volume[name];
    if (source === undefined) continue;
    if (count > 0) {
      errors.push(forbidden(`${field}.${pathIfSecond}`, 'may not specify more than 1 volume type'));
    } else {
      count += 1;
      errors.push(...validate(source, `${field}.${path}`, meta !== undefined));
    }
    errors.push(...validateVolumeName(volume, name, meta?.name ?? '', field));
  }
  if (count === 0) errors.push(required(field, 'must specify a volume type'));
  return errors;
}

/** Checks that names derived from a volume name stay valid. */
function validateVolumeName(
  { name = '', iscsi }: Volume,
  source: SourceName,
  podName: string,
  field: string,
): FieldError[] {
  if (source === 'iscsi' && iscsi?.initiatorName !== undefined) {
    const isLong = Buffer.byteLength(`${name}:${iscsi.targetPortal ?? ''}`) > LONGEST_ISCSI_NAME;
    const detail =
      'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
    return isLong ? [invalid(`${field}.name`, name, detail)] : [];
  }
  if (source !== 'ephemeral' || podName === '' || name === '') return [];
  const claim = `${podName}-${name}`;
  return nameIsDnsSubdomain(claim, false).map((message) =>
    invalid(`${field}.name`, name, `PVC name "${claim}": ${message}`),
  );
}

function validateSecretSource(source: Loose<core.SecretVolumeSource>, field: string): FieldError[] {
  return [
    ...requireFields(source, field, ['secretName']),
    ...validateFileMode(source.defaultMode, `${field}.defaultMode`),
    ...validateKeysToPaths(source.items ?? [], `${field}.items`),
  ];
}

function validateConfigMapSource(
  source: Loose<core.ConfigMapVolumeSource>,
  field: string,
): FieldError[] {
  return [
    ...requireFields(source, field, ['name']),
    ...validateFileMode(source.defaultMode, `${field}.defaultMode`),
    ...validateKeysToPaths(source.items ?? [], `${field}.items`),
  ];
}

function validateDownwardAPISource(
  source: Loose<core.DownwardAPIVolumeSource>,
  field: string,
): FieldError[] {
  return [
    ...validateFileMode(source.defaultMode, `${field}.defaultMode`),
    // kube-apiserver omits the index here.
    ...(source.items ?? []).flatMap((item) => validateDownwardAPIFile(item, field)),
  ];
}

const LONGEST_DRIVER_NAME = 63;

/** Checks the name of a CSI driver, which is case-insensitive. */
export function validateCSIDriverName(name: string, field: string): FieldError[] {
  if (name === '') return [required(field)];
  return [
    ...(Buffer.byteLength(name) > LONGEST_DRIVER_NAME ? [tooLong(field, LONGEST_DRIVER_NAME)] : []),
    ...invalidEach(field, name, validateDns1123Subdomain(name.toLowerCase())),
  ];
}

function validateCSISource(source: Loose<core.CSIVolumeSource>, field: string): FieldError[] {
  const errors = validateCSIDriverName(source.driver ?? '', `${field}.driver`);
  const { nodePublishSecretRef } = source;
  if (nodePublishSecretRef === undefined) return errors;
  const { name = '' } = nodePublishSecretRef;
  return [
    ...errors,
    ...(name === ''
      ? [required(`${field}.nodePublishSecretRef.name`)]
      : invalidEach(`${field}.name`, name, nameIsDnsSubdomain(name, false))),
  ];
}
