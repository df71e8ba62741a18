/** Type tests of informers and stores that are made with indices; the build compiles them. */
import type { Pod } from '../api/core/v1.ts';
import type { Clientset } from '../kubernetes/clientset.ts';
import type { Cached, Stored } from '../rest/object-types.ts';
import { Indexer } from './indexer.ts';
import { metaNamespaceKeyFunc } from './store.ts';
import { type ListerWatcher, ListWatch } from './list-watch.ts';
import { SharedIndexInformer } from './shared-index-informer.ts';

export function made(listerWatcher: ListerWatcher<Stored<Pod>>): Stored<Pod>[] {
  // What an index function is given follows from the source.
  const { indexer } = new SharedIndexInformer({
    listerWatcher,
    indexers: {
      size: (pod) => [pod.spec?.containers.length ?? 0],
      phase: (pod) => [pod.status?.phase ?? ''],
    },
  });
  // @ts-expect-error there is no such index
  indexer.byIndex('node', 'node-1');
  // @ts-expect-error sizes are numbers
  indexer.byIndex('size', '1');
  return [...indexer.byIndex('size', 1), ...indexer.byIndex('phase', 'Running')];
}

export function stored(): string[] {
  const indexer = new Indexer({
    keyFunc: (pod: Pod) => metaNamespaceKeyFunc(pod),
    indexers: { phase: (pod) => [pod.status?.phase ?? ''] },
  });
  // @ts-expect-error phases are strings
  indexer.indexKeys('phase', 1);
  return indexer.indexKeys('phase', 'Running');
}

export function inferred(client: Clientset): Cached<Pod>[] {
  const listerWatcher = new ListWatch(client.coreV1.pods(), { labelSelector: 'app=web' });
  listerWatcher satisfies ListerWatcher<Cached<Pod>>;
  new ListWatch(client.coreV1.pods('default')) satisfies ListerWatcher<Cached<Pod>>;
  const { indexer } = new SharedIndexInformer({ listerWatcher });
  // @ts-expect-error the cache is read-only
  for (const pod of indexer) pod.metadata.name = 'other';
  return indexer.list();
}

export function byPath(client: Clientset): Cached<Pod>[] {
  const informer = new SharedIndexInformer({
    listerWatcher: new ListWatch(client.coreV1.pods()),
    indexers: { node: 'spec.nodeName', size: (pod) => [pod.spec?.containers.length ?? 0] },
  });
  // @ts-expect-error there is no such index
  informer.indexer.byIndex('zone', 'a');
  // @ts-expect-error there is no such field
  informer.addIndexers({ wrong: 'spec.nodename' });
  // @ts-expect-error an index function reads the field, or a path does
  informer.addIndexers({ wrong: ['spec.nodeName'] });
  const { indexer } = informer.addIndexers({
    owner: 'metadata.ownerReferences[*].uid',
    priority: 'spec.priority',
  });
  // @ts-expect-error priorities are numbers
  indexer.byIndex('priority', 'high');
  return [
    ...indexer.byIndex('node', 'node-1'),
    ...indexer.byIndex('size', 1),
    ...indexer.byIndex('owner', 'a-uid'),
    ...indexer.byIndex('priority', 1),
  ];
}
