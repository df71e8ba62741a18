/**
 * Prints the number of pods of each node every second, from an index of the cache, without a request
 * to the server. Stop it with Ctrl-C.
 *
 *   npx node examples/pods-per-node.ts [--kubeconfig FILE] [--period MILLISECONDS]
 */
import { Clientset } from 'client-ts';
import { podNodeNameIndexFunc } from 'client-ts/cache';
import { SharedInformerFactory } from 'client-ts/informers';
import { jitterUntil } from 'client-ts/wait';

import { connect } from './lib/connect.ts';
import { onInterrupt } from './lib/interrupt.ts';

await using cluster = await connect({ period: { type: 'string', default: '1000' } });
await using client = new Clientset(cluster.config);
await using factory = new SharedInformerFactory(client);
const stop = onInterrupt();

// Without pods that have ended, which use no resources of their node.
const { informer } = factory.coreV1.pods();
const { indexer } = informer.addIndexers({ nodeName: podNodeNameIndexFunc });
factory.start({ signal: stop.signal });
await factory.waitForCacheSync({ signal: stop.signal });

// The embedded server has no other clients, so make some changes.
const changes = cluster.server === undefined ? undefined : makeChanges();

async function report(): Promise<void> {
  const nodes = indexer.listIndexFuncValues('nodeName').toSorted();
  const counts = nodes.map((node) => `${node}: ${indexer.countByIndex('nodeName', node)}`);
  console.log(`pods per node: ${counts.join(', ') || 'none'}`);
  if ((await changes?.next())?.done === true) stop.abort();
}

await jitterUntil(report, { periodMs: Number(cluster.flags['period']), signal: stop.signal });

/** Creates a pod on another node, then ends one. Waits until each change is in the cache. */
async function* makeChanges(): AsyncGenerator<void> {
  const pods = client.coreV1.pods('default');
  const containers = [{ name: 'web', image: 'example.com/web:1' }];
  const spec = { containers, nodeName: 'node-2' };
  const created = await pods.create({ metadata: { name: 'web-2' }, spec });
  await informer.reached(created.metadata.resourceVersion);
  yield;
  const web = await pods.get('web-0');
  const ended = await pods.updateStatus({ ...web, status: { ...web.status, phase: 'Succeeded' } });
  await informer.reached(ended.metadata.resourceVersion);
  yield;
}
