import { type KubernetesObject, validatePathSegmentName } from 'client-ts/meta';
import { definitionStrategy } from '../../crd/definition-strategy.ts';
import type { Strategy } from '../strategy.ts';
import { configMapStrategy } from './config-map.ts';
import { namespaceStrategy } from './namespace.ts';
import { nodeStrategy } from './node.ts';
import { podStrategy } from './pod.ts';
import { secretStrategy } from './secret.ts';
import { serviceAccountStrategy } from './service-account.ts';

/** A strategy works on objects of its kind; the registry hands it nothing else. */
function of<T extends KubernetesObject>(strategy: Strategy<T>): Strategy {
  return strategy as unknown as Strategy;
}

/**
 * What code knows about the built-in kinds, by `group/resource`. A kind that is not listed gets the
 * generic behaviour.
 */
export const strategies: ReadonlyMap<string, Strategy> = new Map<string, Strategy>([
  ['/configmaps', of(configMapStrategy)],
  ['/namespaces', of(namespaceStrategy)],
  ['/nodes', of(nodeStrategy)],
  ['/pods', of(podStrategy)],
  ['/secrets', of(secretStrategy)],
  ['/serviceaccounts', of(serviceAccountStrategy)],
  ['/services', { deleteReturnsObject: true }],
  ['apiextensions.k8s.io/customresourcedefinitions', of(definitionStrategy)],
  ['coordination.k8s.io/leases', { createOnUpdate: true }],
  ['rbac.authorization.k8s.io/clusterrolebindings', { validateName: validatePathSegmentName }],
  ['rbac.authorization.k8s.io/clusterroles', { validateName: validatePathSegmentName }],
  ['rbac.authorization.k8s.io/rolebindings', { validateName: validatePathSegmentName }],
  ['rbac.authorization.k8s.io/roles', { validateName: validatePathSegmentName }],
]);

const GENERIC: Strategy = {};

export function strategyFor(group: string, resource: string): Strategy {
  return strategies.get(`${group}/${resource}`) ?? GENERIC;
}

/** The field labels that selectors may use on a resource, besides name and namespace. */
export function selectableFieldNames(group: string, resource: string): readonly string[] {
  return Object.keys(strategyFor(group, resource).selectableFields?.({} as KubernetesObject) ?? {});
}
