import { nodes as nodeDescriptor } from 'client-ts/api/core/v1';
import type { Clientset } from 'client-ts/kubernetes';
import { isAlreadyExists } from 'client-ts/meta';
import { getReference } from 'client-ts/record';

import { applicationName, deploymentNamed, nodeNamed } from './catalogue.ts';
import type { Fate } from './fate.ts';
import { type Recorders, simulatedLabel } from './world.ts';

/** What there is at the beginning. */
export interface SetUpOptions {
  readonly client: Clientset;
  readonly namespace: string;
  readonly fate: Fate;
  readonly nodes: number;
  readonly deployments: number;
  readonly recorders: Recorders;
  readonly signal: AbortSignal;
}

/**
 * Makes the nodes and the first deployments. What is there already, from an earlier simulation,
 * stays as it is.
 */
export async function setUp(options: SetUpOptions): Promise<void> {
  const { client, fate, namespace, signal } = options;
  const labels = { [simulatedLabel]: 'true' };
  await unlessExists(
    client.coreV1.namespaces().create({ metadata: { name: namespace, labels } }, { signal }),
  );
  for (let index = 1; index <= options.nodes; index += 1) await addNode(index, options);
  for (let index = 0; index < options.deployments; index += 1) {
    const deployment = deploymentNamed(applicationName(index), fate);
    await unlessExists(client.appsV1.deployments(namespace).create(deployment, { signal }));
  }
}

async function addNode(
  index: number,
  { client, fate, recorders, signal }: SetUpOptions,
): Promise<void> {
  const nodes = client.coreV1.nodes();
  const { status, ...node } = nodeNamed(`node-${index}`, fate);
  const { name } = node.metadata;
  const created = await unlessExists(nodes.create(node, { signal }));
  if (created === undefined) return;
  // Servers take the status of a node, and whether pods may come, only when it is there.
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

/**
 * The nodes that are no part of a simulation. Where there are any, a real control plane looks after
 * deployments and pods, and two of them would fight over every one.
 */
export async function foreignNodes(client: Clientset, signal: AbortSignal): Promise<string[]> {
  const { items } = await client.coreV1
    .nodes()
    .list({ labelSelector: `${simulatedLabel}!=true`, limit: 5, signal });
  return items.map(({ metadata }) => metadata.name);
}
