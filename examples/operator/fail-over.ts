/**
 * Two operators, in processes of their own, on an embedded server: the one that leads is killed in the
 * middle of its work, and the other one goes on.
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
import { isAsItShouldBe } from './story.ts';
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
console.log(`web has ${await podsOnceRight()}`);

const { spec } = await client.coordinationV1.leases(namespace).get('web-set-operator');
const leader = processes.find(({ identity }) => identity === spec?.holderIdentity);
console.log(`${leader === undefined ? 'nobody' : 'one of them'} leads, and is killed`);
await sets.patch('web', { spec: { replicas: 5 } }, { type: 'merge' });
leader?.signal('SIGKILL');
await leader?.ended;
// However far it got: this is for the other one.
await sets.patch('web', { spec: { replicas: 4 } }, { type: 'merge' });

console.log(`web has ${await podsOnceRight()}`);
const { spec: after } = await client.coordinationV1.leases(namespace).get('web-set-operator');
const isOther = after?.holderIdentity !== undefined && after.holderIdentity !== leader?.identity;
console.log(isOther ? 'the other one leads' : 'nobody else leads');

const survivor = processes.find(({ isRunning }) => isRunning);
survivor?.signal('SIGTERM');
const end = await survivor?.ended;
console.log(`it is asked to stop, and ends with code ${end?.code}`);
stop.abort();
await kubelet;
await rm(directory, { recursive: true });

async function podsOnceRight(): Promise<string> {
  const isRight = (webSet: WebSet | undefined): webSet is WebSet =>
    webSet !== undefined && isAsItShouldBe(webSet);
  await waitFor(sets, 'web', isRight);
  const { items } = await client.coreV1.pods(namespace).list();
  return items.map(({ metadata }) => metadata.name).join(' ');
}
