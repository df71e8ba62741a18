import {
  compareQuantities,
  isBeingDeleted,
  labelSelectorAsSelector,
  type Quantity,
} from 'client-ts/meta';

import type { CachedClaim, CachedVolume } from './cluster.ts';

/** What older clients set in place of `storageClassName`. */
const classAnnotation = 'volume.beta.kubernetes.io/storage-class';

/** The name of the storage class that a claim asks for or a volume has; empty for none. */
export function classOf({ metadata, spec }: CachedClaim | CachedVolume): string {
  return metadata.annotations?.[classAnnotation] ?? spec?.storageClassName ?? '';
}

/** True if a volume is reserved for a claim or bound to it. */
export function isReservedFor({ spec }: CachedVolume, { metadata }: CachedClaim): boolean {
  const { claimRef: ref } = spec ?? {};
  return (
    ref?.name === metadata.name &&
    ref.namespace === metadata.namespace &&
    (ref.uid ?? metadata.uid) === metadata.uid
  );
}

/** Returns why a claim cannot have the volume that it names; undefined if it can. */
export function misfitOf(volume: CachedVolume, claim: CachedClaim): string | undefined {
  if (isBeingDeleted(volume)) {
    return `the volume is marked for deletion "${volume.metadata.name}"`;
  }
  if (compareQuantities(capacityOf(volume), requestOf(claim)) < 0) {
    return 'requested PV is too small';
  }
  if (classOf(volume) !== classOf(claim)) return 'storageClassName does not match';
  if (attributesOf(volume) !== attributesOf(claim)) {
    return 'volumeAttributesClassName does not match';
  }
  if (modeOf(volume) !== modeOf(claim)) return 'incompatible volumeMode';
  if (!hasAccessModes(volume, claim)) return 'incompatible accessMode';
  return undefined;
}

/**
 * Returns the volume for a claim that names none: the one that is reserved for it, otherwise the
 * smallest that fits and is free.
 */
export function findVolume(
  claim: CachedClaim,
  volumes: readonly CachedVolume[],
): CachedVolume | undefined {
  const selector = labelSelectorAsSelector(claim.spec?.selector ?? {});
  const reserved = volumes.find(
    (volume) =>
      isReservedFor(volume, claim) &&
      !isBeingDeleted(volume) &&
      modeOf(volume) === modeOf(claim) &&
      attributesOf(volume) === attributesOf(claim) &&
      compareQuantities(capacityOf(volume), requestOf(claim)) >= 0,
  );
  if (reserved !== undefined) return reserved;
  return volumes
    .filter(
      (volume) =>
        volume.spec?.claimRef === undefined &&
        volume.status?.phase === 'Available' &&
        selector.matches(volume.metadata.labels) &&
        misfitOf(volume, claim) === undefined,
    )
    .toSorted((left, right) => compareQuantities(capacityOf(left), capacityOf(right)))
    .at(0);
}

function capacityOf({ spec }: CachedVolume): Quantity {
  return spec?.capacity?.['storage'] ?? '0';
}

function requestOf({ spec }: CachedClaim): Quantity {
  return spec?.resources?.requests?.['storage'] ?? '0';
}

function attributesOf({ spec }: CachedClaim | CachedVolume): string {
  return spec?.volumeAttributesClassName ?? '';
}

function modeOf({ spec }: CachedClaim | CachedVolume): string {
  return spec?.volumeMode ?? 'Filesystem';
}

function hasAccessModes({ spec }: CachedVolume, claim: CachedClaim): boolean {
  return (claim.spec?.accessModes ?? []).every((mode) => spec?.accessModes?.includes(mode));
}
