/**
 * Sends HTTP requests to a pod: through a local port, and without one.
 *
 *   npx node examples/port-forward.ts [--kubeconfig FILE] [--pod NAME]
 */
import { Clientset } from 'client-ts';
import { PodDialer } from 'client-ts/streams';

import { connect } from './lib/connect.ts';

await using cluster = await connect({ pod: { type: 'string', default: 'web-0' } });
await using client = new Clientset(cluster.config);
const { namespace } = client;
const name = String(cluster.flags['pod']);

// Other programs can connect to the local port; 0 picks a free one.
const pods = client.coreV1.pods(namespace);
await using forward = await pods.portForward(name, [{ local: 0, remote: 80 }]);
const [port] = forward.ports;
const response = await fetch(`http://127.0.0.1:${port?.local}/from-a-port`);
console.log((await response.text()).trim());

// This program alone needs none. The target may also be a Service or a Deployment.
await using dialer = new PodDialer(client.rest, { kind: 'Pod', namespace, name });
const answer = await dialer.fetch('http://pod:80/without-a-port');
console.log((await answer.text()).trim());
