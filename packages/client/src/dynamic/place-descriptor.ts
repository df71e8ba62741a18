import type { GroupVersionResource, ResourceDescriptor } from '../meta/resource.ts';
import type { KubernetesObject } from '../meta/types.ts';

/**
 * All that can be said about a resource that is known by its place alone: not its kind, and whether
 * it lives in namespaces only by there being one.
 */
export function descriptorOfPlace<T extends KubernetesObject>(
  { group, version, resource }: GroupVersionResource,
  namespace: string | undefined,
): ResourceDescriptor<T> {
  return {
    group,
    version,
    resource,
    kind: '',
    singular: '',
    scope: namespace === undefined ? 'Cluster' : 'Namespaced',
    verbs: [],
    subresources: [],
    shortNames: [],
    categories: [],
  };
}
