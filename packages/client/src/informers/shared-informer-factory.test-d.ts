/** Type tests of the factories; the build compiles them. */
import type { Deployment } from '../api/apps/v1.ts';
import { type Pod, pods as podDescriptor } from '../api/core/v1.ts';
import type { Cached } from '../rest/object-types.ts';
import { DeletedFinalStateUnknown } from '../cache/store.ts';
import type { Unstructured } from '../dynamic/unstructured.ts';
import type { KubernetesObject } from '../meta/types.ts';
import type { PartialObjectMetadata } from '../metadata/partial-object.ts';
import type { DynamicSharedInformerFactory } from './dynamic-shared-informer-factory.ts';
import type { Lister } from './lister.ts';
import type { MetadataSharedInformerFactory } from './metadata-shared-informer-factory.ts';
import type { ResourceInformer } from './informer-factory.ts';
import type { SharedInformerFactory } from './shared-informer-factory.ts';

export async function typed(
  factory: SharedInformerFactory,
  keys: string[],
  signal: AbortSignal,
): Promise<void> {
  const pods = factory.coreV1.pods();
  pods satisfies ResourceInformer<Cached<Pod>>;
  pods.lister satisfies Lister<Cached<Pod>>;
  pods.informer.addIndexers({
    nodeName: (pod) => (pod.spec?.nodeName === undefined ? [] : [pod.spec.nodeName]),
  });
  pods.informer.addEventHandler({
    onAdd: (pod, isInInitialList) => void keys.push(`${pod.metadata.name} ${isInInitialList}`),
    onUpdate: (oldPod, newPod) => void keys.push(oldPod.metadata.uid, newPod.metadata.uid),
    onDelete: (podOrTombstone) => {
      if (podOrTombstone instanceof DeletedFinalStateUnknown) keys.push(podOrTombstone.key);
      else keys.push(podOrTombstone.metadata.name);
    },
  });
  factory.start({ signal });
  await factory.waitForCacheSync({ signal });
  pods.informer.indexer.byIndex('nodeName', 'node-1').length satisfies number;
  pods.lister.namespace('default').get('web-0') satisfies Cached<Pod>;
  factory.appsV1.deployments().lister.list() satisfies Cached<Deployment>[];

  // @ts-expect-error a namespace is a string
  pods.informer.indexer.byIndex('namespace', 1);
  // @ts-expect-error the cache is read-only
  pods.lister.get('web-0').metadata.name = 'other';
  // @ts-expect-error no such resource
  factory.coreV1.deployments();
  // @ts-expect-error a binding can only be made
  factory.coreV1.bindings();
  // @ts-expect-error reviews cannot be watched
  void factory.authorizationV1;
}

export function checkedIndices(factory: SharedInformerFactory): void {
  const informer = factory.coreV1.pods().informer.addIndexers({
    restarts: (pod) => [pod.status?.containerStatuses?.[0]?.restartCount ?? 0],
  });
  informer.indexer.byIndex('restarts', 3) satisfies Cached<Pod>[];
  informer.indexer.byIndex('namespace', 'default') satisfies Cached<Pod>[];
  // @ts-expect-error the values are numbers
  informer.indexer.byIndex('restarts', 'three');
  // @ts-expect-error there is no such index
  informer.indexer.byIndex('restart', 3);
}

export function options(factory: SharedInformerFactory): void {
  factory.coreV1.pods({
    namespace: 'default',
    labelSelector: 'app=web',
    transform: ({ status: _, ...pod }) => pod,
  });
  factory.with({ customResyncMs: [[podDescriptor, 60_000]] }) satisfies SharedInformerFactory;
  factory.with({ tweakListOptions: (_, { resource }) => ({ labelSelector: resource }) });
  // @ts-expect-error a transformation gives an object of the same type
  factory.coreV1.pods({ transform: (pod) => pod.spec });
  // @ts-expect-error how informers work inside is the same for all that share them
  factory.with({ queue: 'delta' });
}

export function anyResource(
  factory: SharedInformerFactory,
  dynamic: DynamicSharedInformerFactory,
  metadata: MetadataSharedInformerFactory,
): void {
  const widgets = { group: 'example.com', version: 'v1', resource: 'widgets' };
  factory.forResource(podDescriptor) satisfies ResourceInformer<Cached<Pod>>;
  factory.forResource(widgets) satisfies ResourceInformer<Cached<KubernetesObject>>;
  dynamic.forResource(widgets) satisfies ResourceInformer<Cached<Unstructured>>;
  dynamic.forResource(podDescriptor).lister.get('web')['spec'] satisfies unknown;
  metadata.forResource(widgets) satisfies ResourceInformer<Cached<PartialObjectMetadata>>;
  // @ts-expect-error of metadata there is nothing but metadata
  void metadata.forResource(widgets).lister.get('one').spec;
}
