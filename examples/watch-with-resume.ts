/**
 * Follows the pods of a namespace through lost connections: what happens meanwhile is not missed,
 * and nothing is told twice. Ctrl-C ends it.
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
console.log(`there are ${list.items.length} pods`);

const events = retryWatch(pods, {
  resourceVersion: list.metadata.resourceVersion,
  signal: stop.signal,
  onRetry: () => console.log('the connection is lost; going on from where we were'),
});

// On the embedded server there is nobody else to change anything, so we tell a story ourselves.
const story = cluster.server === undefined ? undefined : tell(cluster.server);
await story?.next();

try {
  for await (const { type, object } of events) {
    console.log(`${type} ${object.metadata.name} ${JSON.stringify(object.metadata.labels)}`);
    const chapter = await story?.next();
    if (chapter?.done === true) break;
  }
} catch (error) {
  // The server no longer knows what happened meanwhile: list again and start over.
  if (!isExpired(error)) throw error;
  console.log('too much has happened since');
}

/** A change; then all connections are lost, and life goes on. Each chapter waits for its event. */
async function* tell(server: ApiServer): AsyncGenerator<void> {
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
