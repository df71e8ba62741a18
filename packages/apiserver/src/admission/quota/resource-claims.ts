// Upstream: pkg/quota/v1/evaluator/core/resource_claims.go
// Upstream: staging/src/k8s.io/dynamic-resource-allocation/deviceclass/extendedresourcecache/extendedresourcecache.go
import type { Pod } from 'client-ts/api/core/v1';
import type { DeviceClass, ResourceClaim } from 'client-ts/api/resource/v1';
import { type KubernetesObject, QuantityValue } from 'client-ts/meta';
import type { Loose } from '../../validation/loose.ts';
import { type Amounts, ONE } from './amounts.ts';
import { annotationOf, type Evaluator, isMainWrite, type UsageContext } from './evaluator.ts';
import { isExtendedRequest, podUsage } from './pods.ts';

type Claim = Loose<ResourceClaim>;
type DeviceRequest = NonNullable<NonNullable<NonNullable<Claim['spec']>['devices']>['requests']>[0];

const COUNT = 'count/resourceclaims.resource.k8s.io';
const BY_CLASS = '.deviceclass.resource.k8s.io/devices';
const IMPLICIT = 'deviceclass.resource.kubernetes.io/';
const FOR_POD = 'resource.kubernetes.io/extended-resource-claim';
/** The most devices that one claim can get. */
const MOST_DEVICES = 32;

/**
 * Measures resource claims: their number and their devices per class. A class that stands for an
 * extended resource is also measured by that name.
 */
export const resourceClaimEvaluator: Evaluator = {
  handles: isMainWrite,
  measures,
  usage: (claim, context) => {
    const devices = devicesOf(claim);
    const extended = extendedResources(devices, claim, context);
    return new Map([[COUNT, ONE], ...devices, ...extended]);
  },
};

function measures(name: string, context: UsageContext): boolean {
  if (name === COUNT || name.endsWith(BY_CLASS)) return true;
  if (!isExtendedRequest(name)) return false;
  const resource = name.slice('requests.'.length);
  for (const object of context.list('resource.k8s.io', 'deviceclasses', '')) {
    const { metadata, spec } = object as Loose<DeviceClass>;
    if (`${IMPLICIT}${metadata?.name ?? ''}` === resource) return true;
    if (spec?.extendedResourceName === resource) return true;
  }
  return false;
}

/** Returns the devices per class. */
function devicesOf({ spec }: Claim): Map<string, QuantityValue> {
  const usage = new Map<string, QuantityValue>();
  for (const request of spec?.devices?.requests ?? []) {
    for (const [deviceClass, count] of mostDevices(request)) {
      const name = `${deviceClass}${BY_CLASS}`;
      const amount = QuantityValue.of(count);
      usage.set(name, usage.get(name)?.add(amount) ?? amount);
    }
  }
  return usage;
}

/** Of alternatives, the one with the most devices counts, per class. */
function mostDevices({ exactly, firstAvailable = [] }: DeviceRequest): Map<string, number> {
  const most = new Map<string, number>();
  const alternatives = firstAvailable.length > 0 ? firstAvailable : exactly ? [exactly] : [];
  for (const { deviceClassName = '', allocationMode, count = 0 } of alternatives) {
    const devices =
      allocationMode === 'ExactCount' ? count : allocationMode === 'All' ? MOST_DEVICES : 0;
    const before = most.get(deviceClassName);
    if (before === undefined ? firstAvailable.length === 0 || devices > 0 : devices > before) {
      most.set(deviceClassName, devices);
    }
  }
  return most;
}

/** Returns devices by extended resource, without those that the pod of the claim counts already. */
function extendedResources(devices: Amounts, claim: Claim, context: UsageContext): Amounts {
  const usage = new Map<string, QuantityValue>();
  const counted = usageOfPod(claim, context);
  for (const [name, amount] of devices) {
    const deviceClass = name.slice(0, -BY_CLASS.length);
    if (deviceClass === '') continue;
    const found: Loose<DeviceClass> | undefined = context.lookup(
      'resource.k8s.io',
      'deviceclasses',
      '',
      deviceClass,
    );
    for (const resource of [`${IMPLICIT}${deviceClass}`, found?.spec?.extendedResourceName]) {
      if (resource === undefined) continue;
      const before = counted?.get(`requests.${resource}`);
      const rest = before === undefined ? amount : amount.sub(before);
      if (rest.sign > 0) usage.set(`requests.${resource}`, rest);
    }
  }
  return usage;
}

/** Returns what the pod uses that a claim was made for; undefined if there is no such pod. */
function usageOfPod(claim: Claim, context: UsageContext): Amounts | undefined {
  const owner = podOwnerOf(claim);
  if (owner === undefined) return undefined;
  const { namespace = '', name = '', creationTimestamp = '' } = claim.metadata ?? {};
  const pod: Loose<Pod> | undefined = context.lookup('', 'pods', namespace, owner.name);
  if (pod === undefined || pod.metadata?.uid !== owner.uid) return undefined;
  const { extendedResourceClaimStatus } = pod.status ?? {};
  const isFirst = (): boolean =>
    [...context.list('resource.k8s.io', 'resourceclaims', namespace)].every((other) => {
      if (podOwnerOf(other)?.uid !== owner.uid) return true;
      const { creationTimestamp: time = '', name: otherName = '' } = other.metadata ?? {};
      return time > creationTimestamp || (time === creationTimestamp && otherName >= name);
    });
  const isItsClaim =
    extendedResourceClaimStatus === undefined
      ? isFirst()
      : extendedResourceClaimStatus.resourceClaimName === name;
  return isItsClaim ? podUsage(pod, context.nowMs) : undefined;
}

function podOwnerOf(claim: KubernetesObject): { name: string; uid: string } | undefined {
  if (annotationOf(claim, FOR_POD) !== 'true') return undefined;
  const owner = claim.metadata?.ownerReferences?.find(({ controller }) => controller === true);
  return owner?.kind === 'Pod' && owner.apiVersion === 'v1' ? owner : undefined;
}
