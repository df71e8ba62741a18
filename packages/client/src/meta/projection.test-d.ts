/** Type tests of projections; the build compiles them. */
import type { Pod } from '../api/core/v1.ts';
import { mutableCopy } from '../codec/mutable-copy.ts';
import type { Unstructured } from '../dynamic/unstructured.ts';
import type { Clientset } from '../kubernetes/clientset.ts';
import type { CachedProjection } from '../rest/object-types.ts';
import { nameOf } from './object.ts';
import type { ProjectionPath } from './projection.ts';

type Scheduled = CachedProjection<Pod, 'metadata' | 'spec.nodeName' | 'status.phase'>;
type Whole = CachedProjection<Pod, 'spec' | 'spec.nodeName' | 'status.containerStatuses'>;
type Anything = CachedProjection<Unstructured, 'spec.size' | 'status'>;

export const paths: readonly ProjectionPath<Pod>[] = [
  'metadata',
  'metadata.managedFields',
  'spec',
  'spec.nodeName',
  'spec.containers',
  'spec.securityContext.runAsUser',
  'status',
];
// @ts-expect-error misspelt
export const misspelt: ProjectionPath<Pod> = 'spec.nodename';
// @ts-expect-error lists are kept whole
export const inList: ProjectionPath<Pod> = 'spec.containers.image';

export function reads(pod: Scheduled, whole: Whole, any: Anything): unknown[] {
  pod.spec?.nodeName satisfies string | undefined;
  pod.status?.phase satisfies string | undefined;
  pod.metadata.resourceVersion satisfies string;
  pod.metadata.labels?.['app'] satisfies string | undefined;
  whole.spec?.containers[0]?.image satisfies string | undefined;
  whole.status?.containerStatuses?.[0]?.restartCount satisfies number | undefined;
  // @ts-expect-error not in the projection
  void pod.spec?.containers;
  // @ts-expect-error not in the projection
  void pod.status?.podIP;
  // @ts-expect-error not in the projection
  void whole.status?.phase;
  // @ts-expect-error not in the projection
  void any.spec?.colour;
  // @ts-expect-error not in the projection
  void any.data;
  // @ts-expect-error read-only
  pod.metadata.name = 'other';
  return [any.spec?.size, any.status, nameOf(pod), nameOf(any)];
}

type Metadata = CachedProjection<Pod, 'metadata'>;

export async function writes(client: Clientset, pod: Metadata, whole: Pod): Promise<void> {
  const pods = client.coreV1.pods('default');
  await pods.update(whole);
  // @ts-expect-error it has only some fields
  await pods.update(pod);
  // @ts-expect-error a copy has only some fields too
  await pods.update(mutableCopy(pod));
  // @ts-expect-error and so has an object that is made from it
  await pods.update({ ...pod, spec: { containers: [] } });
  // @ts-expect-error it has only some fields
  await pods.create(pod);
  await pods.patch(nameOf(pod), { metadata: { labels: { seen: 'true' } } }, { type: 'merge' });
}
