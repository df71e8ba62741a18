import type * as core from 'client-ts/api/core/v1';
import { jsonEqual } from 'client-ts/internal';
import { formatTime } from 'client-ts/meta';
import { type FieldError, forbidden } from '../../../validation/field-error.ts';
import { internalDiff } from '../../../validation/internal-diff.ts';
import { inOrder, type Loose } from '../../../validation/loose.ts';
import { immutable, metaValidator } from '../../../validation/object-meta.ts';
import { validatePersistentVolumeSpec, volumeSourceNames } from './persistent-volume-spec.ts';
import type { Strategy } from '../../strategy.ts';
import { nodeTermWarnings } from './node-labels.ts';
import { setStorageDefaults } from './pod/defaults.ts';
import { roundResources } from '../round-resources.ts';
import { keepSpec, takeOver } from '../support.ts';

type Volume = Loose<core.PersistentVolume>;
type VolumeSpec = Loose<core.PersistentVolumeSpec>;

const PROTECTION = 'kubernetes.io/pv-protection';
const MOUNT_OPTIONS = 'volume.beta.kubernetes.io/mount-options';
const OLD_CLASS = 'volume.beta.kubernetes.io/storage-class';
const meta = metaValidator({ namespaced: false });

/** A piece of storage; where it is never changes. */
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
  prepareForCreate: (volume, { clock }) => {
    volume.status = { phase: 'Pending', lastPhaseTransitionTime: formatTime(clock.now()) };
    const metadata = (volume.metadata ??= {});
    if (!metadata.finalizers?.includes(PROTECTION)) {
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
      if (time === undefined) takeOver(status, before, 'lastPhaseTransitionTime');
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
            `spec.persistentvolumesource is immutable after creation\n${internalDiff('PersistentVolumeSource', before, after)}`,
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

/** Sources that have stopped working, the name of the field and since when. */
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
