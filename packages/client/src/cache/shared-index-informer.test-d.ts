/** Type tests of informers and stores that are made with indices; the build compiles them. */
import type { Pod } from '../api/core/v1.ts';
import type { Stored } from '../rest/object-types.ts';
import { Indexer } from './indexer.ts';
import { metaNamespaceKeyFunc } from './store.ts';
import type { ListerWatcher } from './list-watch.ts';
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
