import { validateQualifiedName } from 'client-ts/meta';

/*
 * Which names of resources mean what. "Native" are those of Kubernetes itself, "extended" those that
 * devices and operators bring.
 */

const COUNTED_OBJECTS = [
  'configmaps',
  'persistentvolumeclaims',
  'pods',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
  'services.loadbalancers',
  'services.nodeports',
];

const QUOTA_RESOURCES = new Set([
  ...COUNTED_OBJECTS,
  'cpu',
  'ephemeral-storage',
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
  'requests.storage',
]);

const INTEGER_RESOURCES = new Set(COUNTED_OBJECTS);
const CONTAINER_RESOURCES = new Set(['cpu', 'ephemeral-storage', 'memory']);

/** What can be asked for a pod as a whole; huge pages of any size. */
export const SUPPORTED_POD_LEVEL_RESOURCES: readonly string[] = ['cpu', 'hugepages-', 'memory'];

/** True for huge pages of any size. */
export function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

/** True for resources that Kubernetes itself knows or names. */
export function isNativeResource(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

/** True for resources that somebody else has added. */
export function isExtendedResource(name: string): boolean {
  if (isNativeResource(name) || name.startsWith('requests.')) return false;
  return validateQualifiedName(`requests.${name}`).length === 0;
}

/** Whether limits may be above requests. */
export function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name);
}

/** True for what every container can ask for. */
export function isStandardContainerResource(name: string): boolean {
  return CONTAINER_RESOURCES.has(name) || isHugePages(name);
}

/** True for names that need no domain. */
export function isStandardResource(name: string): boolean {
  return name === 'storage' || isStandardQuotaResource(name);
}

/** True for what a quota can limit without a domain. */
export function isStandardQuotaResource(name: string): boolean {
  return QUOTA_RESOURCES.has(name) || isHugePages(name) || name.startsWith('requests.hugepages-');
}

/** True for what comes only as a whole. */
export function isIntegerResource(name: string): boolean {
  return INTEGER_RESOURCES.has(name) || isExtendedResource(name);
}

/** True for what can be asked for a pod as a whole. */
export function isSupportedPodLevelResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || isHugePages(name);
}
