/**
 * Watches the pods of a namespace across lost connections, without missing or repeating an event. Stop
 * it with Ctrl-C.
 *
 *   npx node examples/watch-with-resume.ts [--kubeconfig FILE]
 */
import type { ApiServer } from '@client-ts/apiserver';
import { Clientset, isExpired } from 'client-ts';
import { retryWatch } from 'client-ts/wait';

import { connect } from './lib/connect.ts';
import { onInterrupt } from './lib/interrupt.ts';

await using cluster = await connect();
await using client = new Clientset(cluster.config);

const stop = onInterrupt();

const pods = client.coreV1.pods('default');
const list = await pods.list();
console.log(`${list.items.length} pods`);

const events = retryWatch(pods, {
  resourceVersion: list.metadata.resourceVersion,
  signal: stop.signal,
  onRetry: () => console.log('connection lost, resuming'),
});

// The embedded server has no other clients, so make some changes.
const changes = cluster.server === undefined ? undefined : makeChanges(cluster.server);
await changes?.next();

try {
  for await (const { type, object } of events) {
    console.log(`${type} ${object.metadata.name} ${JSON.stringify(object.metadata.labels)}`);
    const change = await changes?.next();
    if (change?.done === true) break;
  }
} catch (error) {
  // The server has compacted the history: list again and start over.
  if (!isExpired(error)) throw error;
  console.log('the resource version has expired');
}

/** Changes a pod, closes all connections, changes it again. Waits for the event of each step. */
async function* makeChanges(server: ApiServer): AsyncGenerator<void> {
  await using others = new Clientset({ server: server.url, transport: server.transport() });
  const label = (seen: string) => ({ metadata: { labels: { seen } } });
  await others.coreV1.pods('default').patch('web-0', label('before'), { type: 'merge' });
  yield;
  await server.stopServing();
  await server.resume();
  await others.coreV1.pods('default').patch('web-0', label('meanwhile'), { type: 'merge' });
  yield;
  const containers = [{ name: 'web', image: 'example.com/web:1' }];
  const metadata = { name: 'web-2', labels: { app: 'web' } };
  await others.coreV1.pods('default').create({ metadata, spec: { containers } });
  yield;
}
