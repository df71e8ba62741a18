/**
 * An update handler with a resync: every 30 seconds it is called with each pod of the cache, changed
 * or not. Controllers use that to correct drift outside the cluster. Stop it with Ctrl-C.
 *
 *   npx node examples/update-handler-resync.ts [--kubeconfig FILE] [--resync SECONDS]
 */
import { once } from 'node:events';
import { Clientset } from 'client-ts';
import { SharedInformerFactory } from 'client-ts/informers';

import { connect } from './lib/connect.ts';
import { onInterrupt } from './lib/interrupt.ts';

await using cluster = await connect({ resync: { type: 'string', default: '30' } });
await using client = new Clientset(cluster.config);
await using factory = new SharedInformerFactory(client);
const stop = onInterrupt();

const pods = factory.coreV1.pods();
let changed = 0;
let resynced = 0;
pods.informer.addEventHandler(
  {
    onUpdate: (before, after) => {
      const time = new Date().toISOString().slice(11, 19);
      const { name, namespace, uid } = after.metadata;
      const isResync = before.metadata.resourceVersion === after.metadata.resourceVersion;
      // The same name with another uid is a pod that replaced the old one during a disconnect.
      const change = before.metadata.uid === uid ? 'changed' : 'replaced';
      console.log(`[${time}] ${namespace}/${name} ${isResync ? 'unchanged' : change}`);
      if (!isResync) changed += 1;
      else if (changed > 0) resynced += 1;
      // On the embedded server, stop after one change and one resync.
      if (cluster.server !== undefined && resynced === pods.lister.list().length) stop.abort();
    },
  },
  { resyncPeriodMs: Number(cluster.flags['resync']) * 1000 },
);

factory.start({ signal: stop.signal });
await factory.waitForCacheSync({ signal: stop.signal });
console.log(`watching ${pods.lister.list().length} pods`);

// The embedded server has no other clients, so make a change.
if (cluster.server !== undefined) {
  const labels = { tier: 'front' };
  await client.coreV1.pods('default').patch('web-0', { metadata: { labels } }, { type: 'merge' });
}
if (!stop.signal.aborted) await once(stop.signal, 'abort');
