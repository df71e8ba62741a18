/**
 * Prints what nodes and pods use, as `kubectl top` does.
 *
 *   npx node examples/top.ts [--kubeconfig FILE]
 */
import { Clientset } from 'client-ts';
import { type Usage, topNodes, topPods } from 'client-ts/operations';

import { connect } from './lib/connect.ts';

await using cluster = await connect();
await using client = new Clientset(cluster.config);
const text = ({ cpu, memory }: Usage): string =>
  `${Math.round(cpu * 1000)}m ${Math.round(memory / 2 ** 20)}Mi`;

// Without metrics-server, the error is OPERATIONS_METRICS_UNAVAILABLE.
for (const node of await topNodes(client)) console.log(`${node.name} ${text(node)}`);
for (const pod of await topPods(client, { namespace: client.namespace })) {
  console.log(`${pod.name} ${text(pod)}`);
  for (const container of pod.containers) console.log(`  ${container.name} ${text(container)}`);
}
