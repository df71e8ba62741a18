/**
 * Prints namespaces that are added, updated and deleted, and lists them from the cache. Stop it with
 * Ctrl-C.
 *
 *   npx node examples/watch-namespaces.ts [--kubeconfig FILE]
 */
import { once } from 'node:events';
import { Clientset } from 'client-ts';
import { lastKnownState, waitForCacheSync } from 'client-ts/cache';
import { SharedInformerFactory } from 'client-ts/informers';

import { connect } from './lib/connect.ts';
import { onInterrupt } from './lib/interrupt.ts';

await using cluster = await connect();
await using client = new Clientset(cluster.config);
await using factory = new SharedInformerFactory(client);
const stop = onInterrupt();

const namespaces = factory.coreV1.namespaces();
const registration = namespaces.informer.addEventHandler({
  onAdd: ({ metadata }, isInInitialList) => {
    console.log(`added ${metadata.name}${isInInitialList ? ' (initial list)' : ''}`);
  },
  onUpdate: (before, after) => {
    if (before.status?.phase === after.status?.phase) return;
    console.log(`updated ${after.metadata.name}: ${before.status?.phase} → ${after.status?.phase}`);
  },
  onDelete: (namespace) => {
    // A deletion missed by the watch is a tombstone with the last known state.
    const name = lastKnownState(namespace)?.metadata.name;
    console.log(`deleted ${name}`);
    if (name === 'shop' && cluster.server !== undefined) stop.abort();
  },
});

factory.start({ signal: stop.signal });
await waitForCacheSync([registration], { signal: stop.signal });
const names = namespaces.lister.list().map(({ metadata }) => metadata.name);
console.log(`${names.length} namespaces: ${names.join(' ')}`);

// The embedded server has no other clients, so make some changes.
if (cluster.server !== undefined) {
  await client.coreV1.namespaces().create({ metadata: { name: 'shop' } });
  await client.coreV1.namespaces().delete('shop');
}
if (!stop.signal.aborted) await once(stop.signal, 'abort');
