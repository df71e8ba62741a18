import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ApiServer } from '@client-ts/apiserver';
import { FakeKubelet, WorkloadControllers } from '@client-ts/simulator';
import { Clientset } from 'client-ts/kubernetes';
import { RESTClient } from 'client-ts/rest';

/** The only node, by the name that test/cmd expects. */
const NODE = '127.0.0.1';

/**
 * Starts an embedded server for the specs, with simulated controllers and kubelets.
 * @param {string} token
 * @param {string} directory
 * @returns {Promise<import('./types.d.ts').Target>}
 */
export async function embeddedForSpecs(token, directory) {
  const kubelet = new FakeKubelet({ unknownCommands: 'app' });
  // One of the specs waits until its list is compacted, which a genuine server does every five minutes.
  const server = await ApiServer.start({ token, kubelet, compactionIntervalMs: 120_000 });
  const client = clientOf(server);
  await createNode(client, '500');
  const controllers = await WorkloadControllers.start({ client, kubelet });
  return target(server, join(directory, 'embedded.kubeconfig'), async () => {
    await controllers.close();
    await client.close();
    await kubelet.close();
  });
}

/**
 * Starts an embedded server as test/cmd expects one: with its client CA, everything allowed, a node
 * without a kubelet, and a controller manager: a genuine one, or simulated controllers.
 * @param {import('./types.d.ts').TestCmdServerOptions} options
 * @returns {Promise<import('./types.d.ts').Target>}
 */
export async function embeddedForTestCmd({ token, source, directory, controllerManager }) {
  const clientCA = readFileSync(join(source, 'hack/testdata/ca/ca.crt'), 'utf8');
  const controllers = controllerManager === undefined;
  const server = await ApiServer.start({ token, clientCA, anonymous: false, controllers });
  const client = clientOf(server);
  await createNode(client, '0');
  await allowEverything(client);
  const kubeconfig = join(directory, 'embedded-test-cmd.kubeconfig');
  writeFileSync(kubeconfig, server.kubeconfig);
  const stop =
    controllerManager === undefined
      ? await simulate(client)
      : startControllerManager(controllerManager, { source, directory, kubeconfig });
  return target(server, kubeconfig, async () => {
    await stop();
    await client.close();
  });
}

/** @param {Clientset} client */
async function simulate(client) {
  const controllers = await WorkloadControllers.start({ client });
  return async () => await controllers.close();
}

/**
 * @param {string} file
 * @param {{ source: string, directory: string, kubeconfig: string }} options
 */
function startControllerManager(file, { source, directory, kubeconfig }) {
  const log = openSync(join(directory, 'controller-manager.log'), 'w');
  const authority = join(source, 'hack/testdata/ca/ca');
  const args = [
    `--kubeconfig=${kubeconfig}`,
    '--leader-elect=false',
    '--secure-port=0',
    `--cluster-signing-cert-file=${authority}.crt`,
    `--cluster-signing-key-file=${authority}.key`,
  ];
  const child = spawn(file, args, { stdio: ['ignore', log, log] });
  return async () => {
    if (child.exitCode !== null) return;
    child.kill();
    await once(child, 'exit');
  };
}

/** @param {ApiServer} server */
function clientOf(server) {
  return new Clientset(RESTClient.over(server.transport(), { onWarning: () => undefined }));
}

/**
 * Creates a ready node.
 * @param {Clientset} client
 * @param {string} pods how many it takes
 */
async function createNode(client, pods) {
  const nodes = client.coreV1.nodes();
  // With a field to own, so that the owners of fields are recorded from the start.
  const labels = { 'kubernetes.io/hostname': NODE };
  await nodes.create({ metadata: { name: NODE, labels } });
  const resources = { cpu: '16', memory: '64Gi', 'ephemeral-storage': '100Gi', pods };
  const status = {
    capacity: resources,
    allocatable: resources,
    addresses: [{ type: 'InternalIP', address: NODE }],
    conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }],
  };
  await nodes.patch(NODE, { status }, { type: 'merge', subresource: 'status' });
  await nodes.patch(NODE, { spec: { taints: null } }, { type: 'merge' });
}

/** @param {Clientset} client */
async function allowEverything(client) {
  const apiGroup = 'rbac.authorization.k8s.io';
  await client.rbacV1.clusterRoleBindings().create({
    metadata: { name: 'everything' },
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ apiGroup, kind: 'Group', name: 'system:authenticated' }],
  });
}

/**
 * @param {ApiServer} server
 * @param {string} kubeconfig
 * @param {() => Promise<void>} stop
 * @returns {import('./types.d.ts').Target}
 */
function target(server, kubeconfig, stop) {
  writeFileSync(kubeconfig, server.kubeconfig);
  const close = async () => {
    await stop();
    await server.close();
  };
  return { name: 'embedded', kubeconfig, port: Number(new URL(server.url).port), close };
}
