import type { PersistentVolume, PersistentVolumeClaim } from 'client-ts/api/core/v1';
import type {
  CSIDriver,
  CSINode,
  StorageClass,
  VolumeAttachment,
  VolumeAttributesClass,
} from 'client-ts/api/storage/v1';
import { getKey } from 'client-ts/internal';
import { annotationsOf, isBeingDeleted } from 'client-ts/meta';
import { ageColumn, column, nameColumn, type Printable, printer, type Printer } from './printer.ts';
import { orNone, UNSET } from './texts.ts';

const boolean = { type: 'boolean' } as const;
const wide = { wide: true } as const;

/** The table of PersistentVolumes. */
export const persistentVolumePrinter: Printer<Printable<PersistentVolume>> = printer([
  nameColumn(),
  column('Capacity', 'Size of the volume', ({ spec }) => spec?.capacity?.['storage'] ?? '0'),
  column('Access Modes', 'From how many nodes the volume can be used, and how', ({ spec }) =>
    formatAccessModes(spec?.accessModes),
  ),
  column(
    'Reclaim Policy',
    'What becomes of the volume after its claim',
    ({ spec }) => spec?.persistentVolumeReclaimPolicy ?? '',
  ),
  column('Status', 'Whether the volume is free, bound or given back', phaseOf),
  column('Claim', 'Claim that the volume is bound to, with its namespace', ({ spec }) =>
    spec?.claimRef === undefined
      ? ''
      : `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}`,
  ),
  column('StorageClass', 'Class that the volume belongs to', storageClassOf),
  column(
    'VolumeAttributesClass',
    'Class of the attributes that can be changed',
    ({ spec }) => spec?.volumeAttributesClassName ?? UNSET,
  ),
  column('Reason', 'In a word, why the volume failed', ({ status }) => status?.reason ?? ''),
  ageColumn(),
  column(
    'VolumeMode',
    'Whether it holds a file system or bare blocks',
    ({ spec }) => spec?.volumeMode ?? UNSET,
    wide,
  ),
]);

/** The table of PersistentVolumeClaims. */
export const persistentVolumeClaimPrinter: Printer<Printable<PersistentVolumeClaim>> = printer([
  nameColumn(),
  column('Status', 'Whether the claim waits, is bound or has lost its volume', phaseOf),
  column('Volume', 'Volume that the claim is bound to', ({ spec }) => spec?.volumeName ?? ''),
  column('Capacity', 'Size of that volume', (claim) =>
    isBound(claim) ? (claim.status?.capacity?.['storage'] ?? '0') : '',
  ),
  column('Access Modes', 'From how many nodes that volume can be used, and how', (claim) =>
    isBound(claim) ? formatAccessModes(claim.status?.accessModes) : '',
  ),
  column('StorageClass', 'Class that the volume has to be of', storageClassOf),
  column(
    'VolumeAttributesClass',
    'Class of the attributes that can be changed',
    ({ spec }) => spec?.volumeAttributesClassName ?? UNSET,
  ),
  ageColumn(),
  column(
    'VolumeMode',
    'Whether a file system or bare blocks are wanted',
    ({ spec }) => spec?.volumeMode ?? UNSET,
    wide,
  ),
]);

type Volume = Printable<PersistentVolume> | Printable<PersistentVolumeClaim>;

function phaseOf(volume: Volume): string {
  return isBeingDeleted(volume) ? 'Terminating' : (volume.status?.phase ?? '');
}

/** The annotation is older than the field, and still goes before it. */
function storageClassOf(volume: Volume): string {
  const annotation = annotationsOf(volume)['volume.beta.kubernetes.io/storage-class'];
  return annotation ?? volume.spec?.storageClassName ?? '';
}

function isBound({ spec }: Printable<PersistentVolumeClaim>): boolean {
  return (spec?.volumeName ?? '') !== '';
}

const ACCESS_MODES: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

function formatAccessModes(modes: readonly string[] | null | undefined): string {
  return Object.entries(ACCESS_MODES)
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

const DEFAULT_STORAGE_CLASS = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

/** The table of StorageClasses. */
export const storageClassPrinter: Printer<Printable<StorageClass>> = printer([
  nameColumn((storageClass) => {
    const annotations = annotationsOf(storageClass);
    return DEFAULT_STORAGE_CLASS.some((key) => getKey(annotations, key) === 'true')
      ? ' (default)'
      : '';
  }),
  column('Provisioner', 'What makes the volumes', ({ provisioner }) => provisioner ?? ''),
  column(
    'ReclaimPolicy',
    'What becomes of volumes after their claims',
    ({ reclaimPolicy }) => reclaimPolicy ?? 'Delete',
  ),
  column(
    'VolumeBindingMode',
    'When claims get their volumes',
    ({ volumeBindingMode }) => volumeBindingMode ?? 'Immediate',
  ),
  column(
    'AllowVolumeExpansion',
    'Whether volumes can grow',
    ({ allowVolumeExpansion }) => allowVolumeExpansion ?? false,
  ),
  ageColumn(),
]);

/** The table of VolumeAttributesClasses. */
export const volumeAttributesClassPrinter: Printer<Printable<VolumeAttributesClass>> = printer([
  nameColumn(),
  column('DriverName', 'Driver that the attributes are for', ({ driverName }) => driverName ?? ''),
  ageColumn(),
]);

/** The table of VolumeAttachments. */
export const volumeAttachmentPrinter: Printer<Printable<VolumeAttachment>> = printer([
  nameColumn(),
  column('Attacher', 'Driver that attaches the volume', ({ spec }) => spec?.attacher ?? '', {
    format: 'name',
  }),
  column('PV', 'Volume that is attached', ({ spec }) => spec?.source?.persistentVolumeName ?? ''),
  column('Node', 'Node that it is attached to', ({ spec }) => spec?.nodeName ?? ''),
  column('Attached', 'Whether that is done', ({ status }) => status?.attached ?? false, boolean),
  ageColumn(),
]);

/** The table of CSINodes. */
export const csiNodePrinter: Printer<Printable<CSINode>> = printer([
  nameColumn(),
  column('Drivers', 'Number of drivers on the node', ({ spec }) => (spec?.drivers ?? []).length, {
    type: 'integer',
  }),
  ageColumn(),
]);

/** The table of CSIDrivers. */
export const csiDriverPrinter: Printer<Printable<CSIDriver>> = printer([
  nameColumn(),
  column(
    'AttachRequired',
    'Whether volumes are attached before they are mounted',
    ({ spec }) => spec?.attachRequired ?? true,
    boolean,
  ),
  column(
    'PodInfoOnMount',
    'Whether the driver is told for which pod it mounts',
    ({ spec }) => spec?.podInfoOnMount ?? false,
    boolean,
  ),
  column(
    'StorageCapacity',
    'Whether the driver says how much room there is',
    ({ spec }) => spec?.storageCapacity ?? false,
    boolean,
  ),
  column(
    'TokenRequests',
    'For whom the driver gets tokens of the pod',
    ({ spec }) => spec?.tokenRequests?.map(({ audience = '' }) => audience).join(',') ?? UNSET,
  ),
  column(
    'RequiresRepublish',
    'Whether the driver is called again while a volume is mounted',
    ({ spec }) => spec?.requiresRepublish ?? false,
    boolean,
  ),
  column('Modes', 'What kinds of volumes the driver serves', ({ spec }) =>
    orNone((spec?.volumeLifecycleModes ?? []).join(',')),
  ),
  ageColumn(),
]);
