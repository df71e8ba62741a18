import { nodes as nodeDescriptor } from 'client-ts/api/core/v1';
import type { Clientset } from 'client-ts/kubernetes';
import { isAlreadyExists } from 'client-ts/meta';
import { getReference } from 'client-ts/record';

import { applicationName, deploymentNamed, nodeNamed } from './catalogue.ts';
import type { Chance } from './chance.ts';
import { type Recorders, simulatedLabel } from './cluster.ts';
import { SimulatorError } from './simulator-error.ts';

/** Options of {@link setUp}. */
export interface SetUpOptions {
  readonly client: Clientset;
  readonly namespace: string;
  readonly chance: Chance;
  readonly nodes: number;
  readonly deployments: number;
  readonly recorders: Recorders;
  readonly signal: AbortSignal;
}

/** Creates the nodes and the first deployments. Keeps those of an earlier simulation. */
export async function setUp(options: SetUpOptions): Promise<void> {
  const { client, chance, namespace, signal } = options;
  const labels = { [simulatedLabel]: 'true' };
  await unlessExists(
    client.coreV1.namespaces().create({ metadata: { name: namespace, labels } }, { signal }),
  );
  for (let index = 1; index <= options.nodes; index += 1) await addNode(index, options);
  for (let index = 0; index < options.deployments; index += 1) {
    const deployment = deploymentNamed(applicationName(index), chance);
    await unlessExists(client.appsV1.deployments(namespace).create(deployment, { signal }));
  }
}

/** Creates a ready node, unless it exists. */
export async function addNode(
  index: number,
  {
    client,
    chance,
    recorders,
    signal,
  }: Pick<SetUpOptions, 'chance' | 'client' | 'recorders' | 'signal'>,
): Promise<void> {
  const nodes = client.coreV1.nodes();
  const { status, ...node } = nodeNamed(`node-${index}`, chance);
  const { name } = node.metadata;
  const created = await unlessExists(nodes.create(node, { signal }));
  if (created === undefined) return;
  // Servers ignore the status of a new node, and taint it.
  await nodes.patch(
    name,
    { status: status ?? {} },
    { type: 'merge', subresource: 'status', signal },
  );
  await nodes.patch(name, { spec: { taints: null } }, { type: 'merge', signal });
  const reference = getReference(created, { descriptor: nodeDescriptor });
  const kubelet = recorders.of('kubelet', name);
  kubelet.event(reference, 'Normal', 'Starting', 'Starting kubelet.');
  kubelet.event(reference, 'Normal', 'NodeReady', `Node ${name} status is now: NodeReady`);
}

async function unlessExists<T>(creation: Promise<T>): Promise<T | undefined> {
  try {
    return await creation;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    return undefined;
  }
}

/** Throws if the server has nodes that are not simulated: there, a control plane manages pods. */
export async function refuseForeignNodes(client: Clientset, signal: AbortSignal): Promise<void> {
  const { items } = await client.coreV1
    .nodes()
    .list({ labelSelector: `${simulatedLabel}!=true`, limit: 5, signal });
  if (items.length === 0) return;
  const names = items.map(({ metadata }) => metadata.name).join(', ');
  const message = `the server has nodes of its own (${names})`;
  throw new SimulatorError('SIMULATOR_FOREIGN_NODES', message);
}
