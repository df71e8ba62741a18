/**
 * Applies a file of manifests, as `kubectl apply --server-side -f` does, and shows what would change.
 *
 *   npx node examples/apply-file.ts [--kubeconfig FILE] [--file MANIFESTS]
 */
import { fileURLToPath } from 'node:url';
import { Clientset } from 'client-ts';
import { applyFile, diffOf } from 'client-ts/manifests';

import { connect } from './lib/connect.ts';

const shop = fileURLToPath(new URL('lib/shop.yaml', import.meta.url));
await using cluster = await connect({ file: { type: 'string', default: shop } });
await using client = new Clientset(cluster.config);
const file = String(cluster.flags['file']);
const options = { fieldManager: 'apply-file-example' };

// Definitions and namespaces come first, whatever the order of the file.
for (const { outcome, object } of await applyFile(client, file, options)) {
  console.log(`${object.kind} ${object.metadata.name} ${outcome}`);
}

// Change an object, then compare the file with the cluster: the server answers as if.
const changes = { data: { currency: 'USD' } };
await client.coreV1.configMaps('shop').patch('prices', changes, { type: 'merge' });
for (const result of await applyFile(client, file, { ...options, force: true, dryRun: true })) {
  if (result.outcome !== 'configured') continue;
  const changed = diffOf(result)
    .split('\n')
    .filter((line) => /^[-+] /.test(line));
  console.log(changed.join('\n'));
}
