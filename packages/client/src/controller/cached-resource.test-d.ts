/** Type tests of cached resources; the build compiles them. */
import { configMaps, pods } from '../api/core/v1.ts';
import { cached, metadataOf } from './cached-resource.ts';
import type { ControllerCache } from './controller-cache.ts';

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
