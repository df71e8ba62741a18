import type { Pod } from '../api/core/v1.ts';
import { namespaceOf } from '../meta/object.ts';
import type { DeepReadonly, KubernetesObject } from '../meta/types.ts';

type AnyObject = DeepReadonly<KubernetesObject>;
type CachedPod = DeepReadonly<Pod>;

/** The name of the index by namespace, which every informer of a factory has. */
export const namespaceIndex = 'namespace';

/** By namespace. Objects outside of namespaces are found under the empty string. */
export function metaNamespaceIndexFunc(object: AnyObject): readonly string[] {
  return [namespaceOf(object)];
}

/**
 * Pods by the node they run on. Finished pods are left out: they use nothing of the node any more.
 * So are pods that no node was chosen for.
 */
export function podNodeNameIndexFunc(pod: CachedPod): readonly string[] {
  const nodeName = pod.spec?.nodeName ?? '';
  const phase = pod.status?.phase;
  return nodeName === '' || phase === 'Succeeded' || phase === 'Failed' ? [] : [nodeName];
}

/**
 * Pods by the `namespace/name` of the claims they use. A generic ephemeral volume uses the claim
 * that Kubernetes makes for it, which is called after pod and volume.
 */
export function podPersistentVolumeClaimIndexFunc(pod: CachedPod): readonly string[] {
  const claims: string[] = [];
  for (const volume of pod.spec?.volumes ?? []) {
    const claim =
      volume.persistentVolumeClaim?.claimName ??
      (volume.ephemeral == null ? '' : `${pod.metadata?.name ?? ''}-${volume.name}`);
    if (claim !== '') claims.push(`${namespaceOf(pod)}/${claim}`);
  }
  return claims;
}

/** By the uid of every owner, whether it controls the object or not. */
export function ownerUidIndexFunc(object: AnyObject): readonly string[] {
  return (object.metadata?.ownerReferences ?? []).map(({ uid }) => uid);
}
