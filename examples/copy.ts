/**
 * Copies a folder into a pod and back.
 *
 *   npx node examples/copy.ts [--kubeconfig FILE] [--pod NAME]
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Clientset } from 'client-ts';

import { connect } from './lib/connect.ts';

await using cluster = await connect({ pod: { type: 'string', default: 'web-0' } });
await using client = new Clientset(cluster.config);
const pods = client.coreV1.pods(client.namespace);
const pod = String(cluster.flags['pod']);

const folder = await mkdtemp(join(tmpdir(), 'client-ts-copy-'));
try {
  await writeFile(join(folder, 'greeting.txt'), 'hello\n');
  await pods.copyTo(pod, folder, '/tmp/greetings', {
    onProgress: ({ path, bytes }) => {
      if (bytes > 0) console.log(`sent ${path}, ${bytes} bytes`);
    },
  });

  // Whatever the container sends, nothing is written outside of the target.
  const target = join(folder, 'back');
  const { skipped } = await pods.copyFrom(pod, '/tmp/greetings', target);
  console.log((await readFile(join(target, 'greeting.txt'), 'utf8')).trim());
  console.log(`${skipped.length} entries skipped`);
} finally {
  await rm(folder, { recursive: true });
}
