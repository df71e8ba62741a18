/**
 * An update handler with a resync: every 30 seconds it hears of every pod once more, changed or not,
 * out of the cache. A controller mends that way what has drifted outside of the cluster. Ctrl-C ends
 * it.
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
      // The same name with another uid is another pod, which came while nobody was looking.
      const change = before.metadata.uid === uid ? 'changed' : 'replaced';
      console.log(`[${time}] ${namespace}/${name} ${isResync ? 'is as it was' : change}`);
      if (!isResync) changed += 1;
      else if (changed > 0) resynced += 1;
      // On the embedded server a change and one round after it are enough.
      if (cluster.server !== undefined && resynced === pods.lister.list().length) stop.abort();
    },
  },
  { resyncPeriodMs: Number(cluster.flags['resync']) * 1000 },
);

factory.start({ signal: stop.signal });
await factory.waitForCacheSync({ signal: stop.signal });
console.log(`watching ${pods.lister.list().length} pods`);

// On the embedded server there is nobody else to change anything, so we do.
if (cluster.server !== undefined) {
  const labels = { tier: 'front' };
  await client.coreV1.pods('default').patch('web-0', { metadata: { labels } }, { type: 'merge' });
}
if (!stop.signal.aborted) await once(stop.signal, 'abort');
