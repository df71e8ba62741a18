/**
 * Follows the logs of all pods of an app, those that start later included. Stop it with Ctrl-C.
 *
 *   npx node examples/logs-of-many.ts [--kubeconfig FILE] [--selector LABELS]
 */
import { Clientset } from 'client-ts';

import { connect } from './lib/connect.ts';
import { onInterrupt } from './lib/interrupt.ts';

await using cluster = await connect({ selector: { type: 'string', default: 'app=web' } });
await using client = new Clientset(cluster.config);
const { signal } = onInterrupt();
const pods = client.coreV1.pods(client.namespace);
const labelSelector = String(cluster.flags['selector']);
console.log(`following ${labelSelector}`);

const seen = new Set<string>();
for await (const { pod, line } of pods.logsOf({ labelSelector, follow: true, signal })) {
  console.log(`[${pod}] ${line}`);
  if (cluster.startPod === undefined) continue;

  // The embedded server has no other clients, so start another pod.
  seen.add(pod);
  if (seen.size === 2) await cluster.startPod('web-2', 'web');
  if (seen.size === 3) break;
}
