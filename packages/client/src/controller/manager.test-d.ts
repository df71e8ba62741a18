import type { Deployment } from '../api/apps/v1.ts';
import { deployments } from '../api/apps/v1.ts';
import type { ConfigMap, Secret } from '../api/core/v1.ts';
import { configMaps, pods, secrets } from '../api/core/v1.ts';
import type { ResourceDescriptor } from '../meta/resource.ts';
import type { Condition, KubernetesObject } from '../meta/types.ts';
import type { PartialObjectMetadata } from '../metadata/partial-object.ts';
import type { Cached } from '../rest/object-types.ts';
import { requeueAfter } from '../workqueue/reconcile.ts';
import { metadataOf } from './cached-resource.ts';
import { optional } from './controller-definition.ts';
import type { Manager } from './manager.ts';
import { timer } from './sources.ts';

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function is<T extends true>(): T | undefined {
  return undefined;
}

declare const manager: Manager;

manager.controller('inferred', {
  for: configMaps,
  owns: [deployments, { resource: pods, labelSelector: 'app' }],
  watches: [
    {
      resource: secrets,
      mapTo: (secret, { cache }) => {
        is<Equal<typeof secret, Cached<Secret>>>();
        const found = cache.list(configMaps, { namespace: secret.metadata.namespace });
        is<Equal<typeof found, readonly Cached<ConfigMap>[]>>();
        return found;
      },
    },
    {
      ...optional(deployments),
      mapTo: (deployment) => {
        is<Equal<typeof deployment, Cached<Deployment>>>();
        return [{ namespace: 'shop', name: deployment.metadata.name }];
      },
    },
  ],
  finalizer: 'example.com/map',
  async reconcile(map, { client, signal }) {
    is<Equal<typeof map, Cached<ConfigMap>>>();
    await client.coreV1.configMaps('shop').get(map.metadata.name, { signal });
    // @ts-expect-error cached objects are read-only
    map.data = {};
    return requeueAfter(1000);
  },
  finalize: (map) => {
    is<Equal<typeof map, Cached<ConfigMap>>>();
  },
});

manager.controller('options of for', {
  for: { resource: configMaps, namespace: 'shop' },
  reconcile: (map) => {
    is<Equal<typeof map, Cached<ConfigMap>>>();
  },
});

// @ts-expect-error reconcile is missing
manager.controller('no reconcile', { for: configMaps });

manager.controller('wrong result', {
  for: configMaps,
  // @ts-expect-error a number is not a result
  reconcile: () => 5,
});

interface Site extends KubernetesObject {
  spec: { host: string };
  status?: { ready?: boolean; observedGeneration?: number; conditions?: Condition[] };
}
declare const sites: ResourceDescriptor<Site, 'Namespaced'>;
declare function deploymentFor(site: Cached<Site>): Deployment;

manager.controller('writes', {
  for: sites,
  sources: [timer(1000)],
  async reconcile(site, { apply, create, createOrUpdate, status, setCondition }) {
    const applied = await apply(deployments, deploymentFor(site));
    is<Equal<typeof applied.object, Cached<Deployment>>>();
    is<Equal<typeof applied.outcome, 'applied' | 'unchanged'>>();
    await apply(deployments, { metadata: { name: 'web' }, spec: { replicas: 3 } });
    await apply(deploymentFor(site));
    // @ts-expect-error not a field of a Deployment
    await apply(deployments, { metadata: { name: 'web' }, data: {} });
    const map = await create(configMaps, { metadata: { name: 'web' } });
    is<Equal<typeof map, Cached<ConfigMap>>>();
    await createOrUpdate(configMaps, { metadata: { name: 'web' } }, (current) => {
      current.data = { host: site.spec.host };
    });
    await status({ ready: true });
    await status((current) => ({ ...current, ready: !(current.ready ?? false) }));
    await status({ conditions: [{ type: 'Ready', status: 'True', reason: 'Up', message: '' }] });
    // @ts-expect-error not a boolean
    await status({ ready: 'yes' });
    // @ts-expect-error not a field of the status
    await status({ raedy: true });
    await setCondition({ type: 'Ready', status: 'True', reason: 'Up', message: '' });
    // @ts-expect-error the reason is missing
    await setCondition({ type: 'Ready', status: 'True', message: '' });
  },
});

manager.controller('metadata', {
  for: metadataOf(pods),
  reconcile: (pod) => {
    is<Equal<typeof pod, Cached<PartialObjectMetadata>>>();
  },
});
