/**
 * Lists pods with the typed client: the first page, then all pages.
 *
 *   npx node examples/typed-list.ts [--kubeconfig FILE]
 */
import { Clientset, isNotFound } from 'client-ts';

import { connect } from './lib/connect.ts';

await using cluster = await connect();
await using client = new Clientset(cluster.config);

const page = await client.coreV1.pods('default').list({ limit: 2 });
console.log(
  `the first ${page.items.length}:`,
  page.items.map(({ metadata }) => metadata.name).join(' '),
);

// Iterates over all objects with at most one page in memory.
for await (const pod of client.coreV1.pods().listAll({ pageSize: 500 })) {
  const { namespace, name, labels } = pod.metadata;
  console.log(`${namespace}/${name} on ${pod.spec?.nodeName}, app ${labels?.['app']}`);
}

try {
  await client.coreV1.pods('default').get('no-such-pod');
} catch (error) {
  if (!isNotFound(error)) throw error;
  console.log((error as Error).message);
}
