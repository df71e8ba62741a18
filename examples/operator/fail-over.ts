/**
 * Runs two operator processes on an embedded server, kills the leader in the middle of its work, and
 * shows the other one taking over.
 *
 *   npx node examples/operator/fail-over.ts
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiServer } from '@client-ts/apiserver';
import { Clientset } from 'client-ts';
import { waitFor } from 'client-ts/wait';

import { installWebSets } from './install.ts';
import { runKubelet } from './kubelet.ts';
import { OperatorProcess } from './operator-process.ts';
import { isReconciled } from './demo.ts';
import { type WebSet, webSets } from './web-set.ts';

const namespace = 'default';
const directory = await mkdtemp(join(tmpdir(), 'operator-'));
const kubeconfig = join(directory, 'kubeconfig');
const stop = new AbortController();

await using server = await ApiServer.start();
await writeFile(kubeconfig, server.kubeconfig, { mode: 0o600 });
await using client = new Clientset(server.config);
await installWebSets(client);
const kubelet = runKubelet({ client, namespace, startMs: () => 10, signal: stop.signal });

const start = (identity: string): OperatorProcess =>
  new OperatorProcess({ kubeconfig, namespace, identity, leaseSeconds: 6 });
await using first = start('operator-1');
await using second = start('operator-2');
const processes = [first, second];

const sets = client.resource(webSets, namespace);
const containers = [{ name: 'web', image: 'example.com/web:1' }];
const template = { spec: { containers } };
await sets.create({ metadata: { name: 'web' }, spec: { replicas: 3, template } });
console.log(`web has ${await podsWhenReady()}`);

const { spec } = await client.coordinationV1.leases(namespace).get('web-set-operator');
const leader = processes.find(({ identity }) => identity === spec?.holderIdentity);
console.log(leader === undefined ? 'no operator leads' : 'killing the leader');
await sets.patch('web', { spec: { replicas: 5 } }, { type: 'merge' });
leader?.signal('SIGKILL');
await leader?.ended;
// Work for the other operator.
await sets.patch('web', { spec: { replicas: 4 } }, { type: 'merge' });

console.log(`web has ${await podsWhenReady()}`);
const { spec: after } = await client.coordinationV1.leases(namespace).get('web-set-operator');
const isOther = after?.holderIdentity !== undefined && after.holderIdentity !== leader?.identity;
console.log(isOther ? 'the other operator leads' : 'no other operator leads');

const survivor = processes.find(({ isRunning }) => isRunning);
survivor?.signal('SIGTERM');
const end = await survivor?.ended;
console.log(`it stops on SIGTERM with exit code ${end?.code}`);
stop.abort();
await kubelet;
await rm(directory, { recursive: true });

async function podsWhenReady(): Promise<string> {
  const isRight = (webSet: WebSet | undefined): webSet is WebSet =>
    webSet !== undefined && isReconciled(webSet);
  await waitFor(sets, 'web', isRight);
  const { items } = await client.coreV1.pods(namespace).list();
  return items.map(({ metadata }) => metadata.name).join(' ');
}
