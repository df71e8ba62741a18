/**
 * Follows pods without a cache: all of them first, then each change. Stop it with Ctrl-C.
 *
 *   npx node examples/watch-all.ts [--kubeconfig FILE]
 */
import { Clientset } from 'client-ts';

import { connect } from './lib/connect.ts';
import { onInterrupt } from './lib/interrupt.ts';

await using cluster = await connect();
await using client = new Clientset(cluster.config);
const stop = onInterrupt();
const pods = client.coreV1.pods(client.namespace);

// Resumes after a lost connection. Another `init` follows where it cannot, and replaces the state.
for await (const event of pods.watchAll({ signal: stop.signal })) {
  if (event.type === 'init') {
    console.log(`init: ${event.objects.map(({ metadata }) => metadata.name).join(' ')}`);
    // The embedded server has no other clients, so make some changes.
    if (cluster.server === undefined) continue;
    await pods.patch('web-0', { metadata: { labels: { tier: 'front' } } }, { type: 'merge' });
    await pods.delete('web-1', { gracePeriodSeconds: 0 });
  } else {
    console.log(`${event.type} ${event.object.metadata.name}`);
    if (event.type === 'deleted' && cluster.server !== undefined) stop.abort();
  }
}
