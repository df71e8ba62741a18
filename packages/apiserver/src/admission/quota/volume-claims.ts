// Upstream: pkg/quota/v1/evaluator/core/persistent_volume_claims.go
import type * as core from 'client-ts/api/core/v1';
import { compareQuantities, parseQuantity, type QuantityValue } from 'client-ts/meta';
import type { Loose } from '../../validation/loose.ts';
import { type Amounts, ONE } from './amounts.ts';
import { annotationOf, type Evaluator, isMainWrite, matchesNames } from './evaluator.ts';

type Claim = Loose<core.PersistentVolumeClaim>;

const COUNT = 'count/persistentvolumeclaims';
const CLAIMS = 'persistentvolumeclaims';
const STORAGE = 'requests.storage';
const BY_CLASS = '.storageclass.storage.k8s.io/';
const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

/** Measures volume claims: their number and the storage they request, in total and per class. */
export const volumeClaimEvaluator: Evaluator = {
  // Allocated storage and the class of a volume are in the status.
  handles: (request) =>
    isMainWrite(request) || (request.subresource === 'status' && request.operation === 'UPDATE'),
  measures: (name) =>
    [COUNT, CLAIMS, STORAGE].includes(name) ||
    [CLAIMS, STORAGE].some((measured) => name.endsWith(`${BY_CLASS}${measured}`)),
  isInScope: (requirement, claim) =>
    requirement.scopeName === 'VolumeAttributesClass' &&
    matchesNames(requirement, attributesClasses(claim)),
  usage: (claim) => claimUsage(claim),
};

function claimUsage(claim: Claim): Amounts {
  const usage = new Map<string, QuantityValue>([
    [COUNT, ONE],
    [CLAIMS, ONE],
  ]);
  const ofClass = annotationOf(claim, CLASS_ANNOTATION) ?? claim.spec?.storageClassName ?? '';
  if (ofClass !== '') usage.set(`${ofClass}${BY_CLASS}${CLAIMS}`, ONE);
  const storage = storageOf(claim);
  if (storage === undefined) return usage;
  usage.set(STORAGE, storage);
  if (ofClass !== '') usage.set(`${ofClass}${BY_CLASS}${STORAGE}`, storage);
  return usage;
}

/** Returns the requested storage in whole bytes, or what is allocated if that is more. */
function storageOf({ spec, status }: Claim): QuantityValue | undefined {
  const requested = spec?.resources?.requests?.['storage'];
  if (requested === undefined) return undefined;
  const allocated = status?.allocatedResources?.['storage'] ?? requested;
  const most = compareQuantities(allocated, requested) > 0 ? allocated : requested;
  const exact = parseQuantity(most);
  const whole = exact.roundUp(0);
  return whole.equals(exact) ? exact : whole;
}

/** Returns the classes that a claim has, is getting or wants, each once. */
function attributesClasses({ spec, status }: Claim): string[] {
  const names = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ];
  return [...new Set(names.filter((name) => name !== undefined && name !== ''))] as string[];
}
