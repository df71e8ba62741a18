import type { Deployment } from '../api/apps/v1.ts';
import { deployments } from '../api/apps/v1.ts';
import type { ConfigMap, Secret } from '../api/core/v1.ts';
import { configMaps, pods, secrets } from '../api/core/v1.ts';
import type { Cached } from '../rest/object-types.ts';
import { requeueAfter } from '../workqueue/reconcile.ts';
import { optional } from './controller-definition.ts';
import type { Manager } from './manager.ts';

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
