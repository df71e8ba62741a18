/** Type tests of cached resources; the build compiles them. */
import { configMaps, pods } from '../api/core/v1.ts';
import { cached, metadataOf, projectionOf } from './cached-resource.ts';
import type { ControllerCache } from './controller-cache.ts';
import type { Manager } from './manager.ts';

const byPath = cached(pods, { index: { node: 'spec.nodeName', priority: 'spec.priority' } });

// @ts-expect-error there is no such field
cached(pods, { index: { node: 'spec.nodename' } });

const byNode = cached(pods, {
  labelSelector: 'app=web',
  index: {
    node: (pod) => [pod.spec?.nodeName ?? ''],
    restarts: (pod) => [pod.status?.containerStatuses?.[0]?.restartCount ?? 0],
  },
});

export function tests(cache: ControllerCache): void {
  cache.get(byNode, { namespace: 'default', name: 'web' })?.spec?.nodeName satisfies
    | string
    | undefined;
  cache.list(byNode, { index: ['node', 'node-1'] })[0]?.metadata.name satisfies string | undefined;
  cache.list(byNode, { index: ['restarts', 3] });
  // @ts-expect-error no such index
  cache.list(byNode, { index: ['zone', 'a'] });
  // @ts-expect-error the values of this index are numbers
  cache.list(byNode, { index: ['restarts', '3'] });
  cache.list(byPath, { index: ['priority', 3] });
  cache.list(byPath, { index: ['node', 'node-1'] });
  // @ts-expect-error the values of this index are numbers
  cache.list(byPath, { index: ['priority', 'high'] });
  // @ts-expect-error no such index
  cache.list(byPath, { index: ['zone', 'a'] });
  // The compiler does not know the indices of a plain descriptor.
  cache.list(pods, { index: ['node', 'node-1'] });
  cache.get(metadataOf(pods), { name: 'web' })?.metadata.labels satisfies object | undefined;
  // @ts-expect-error only the metadata is cached
  void cache.get(metadataOf(pods), { name: 'web' })?.spec;
  // @ts-expect-error objects of a cache are read-only
  cache.list(configMaps)[0]!.data = {};
  cache.informer(byNode).indexer.getByKey('default/web')?.spec satisfies object | undefined;
  cache.client.resource(byNode, 'default') satisfies { readonly get: unknown };
}

const scheduled = projectionOf(pods, ['spec.nodeName', 'status.phase']);
const byNodeOnly = cached(scheduled, { index: { node: 'spec.nodeName' } });
// @ts-expect-error there is no such field
projectionOf(pods, ['spec.nodename']);
// @ts-expect-error an index of a field that is not in the projection
cached(scheduled, { index: { ip: 'status.podIP' } });

export function projections(cache: ControllerCache, manager: Manager): void {
  const pod = cache.get(scheduled, { namespace: 'default', name: 'web' });
  pod?.spec?.nodeName satisfies string | undefined;
  pod?.metadata.name satisfies string | undefined;
  // @ts-expect-error not in the projection
  void pod?.spec?.containers;
  cache.list(byNodeOnly, { index: ['node', 'node-1'] })[0]?.status?.phase satisfies
    | string
    | undefined;
  manager.controller('pods', {
    for: scheduled,
    owns: [projectionOf(configMaps, ['data'])],
    watches: [
      {
        resource: byNodeOnly,
        mapTo: (other) => [{ name: other.spec?.nodeName ?? '' }],
      },
    ],
    reconcile: async (object, { status }) => {
      // @ts-expect-error not in the projection
      void object.status?.podIP;
      // The status that is written is that of the whole object.
      await status({ phase: object.status?.phase, podIP: '10.0.0.1' });
    },
  });
}
