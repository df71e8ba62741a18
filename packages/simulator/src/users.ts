import { nodes as nodeDescriptor } from 'client-ts/api/core/v1';
import { type Random, sleep } from 'client-ts/internal';
import { isAlreadyExists, isNotFound } from 'client-ts/meta';
import { getReference } from 'client-ts/record';

import { applicationName, deploymentNamed, imageName } from './catalogue.ts';
import { between, pick, integerBetween } from './chance.ts';
import { brokenTag } from './pod-lifecycle.ts';
import { type CachedDeployment, isActive, type Cluster as AnyCluster } from './cluster.ts';

/** A cluster whose users work in one namespace. */
interface Cluster extends AnyCluster {
  readonly namespace: string;
}

/** The pause between two actions, in milliseconds. */
const pause = { least: 1500, most: 4500 };
/** The maximum replicas of a deployment. */
const maxReplicas = 9;

/** An action of a user. It may find nothing to do. */
type Action = (cluster: Cluster, random: Random, signal: AbortSignal) => Promise<void>;

/** The actions with their weights. */
const actions: readonly (readonly [weight: number, action: Action])[] = [
  [30, scale],
  [20, rollOut],
  [6, rollOutBrokenImage],
  [20, deletePod],
  [10, cordonOrUncordon],
  [6, replaceDeployment],
];

/**
 * Simulates users until the signal aborts: they scale, roll out (also broken images), delete pods
 * and drain nodes. Errors are reported, and the users continue.
 */
export async function runUsers(
  cluster: Cluster,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    const random = cluster.chance.of('users', turn);
    const waiting = cluster.scaled(between(random, pause.least, pause.most));
    const isOver = await sleep(cluster.clock, waiting, { signal }).then(
      () => false,
      () => true,
    );
    if (isOver) return;
    try {
      await repair(cluster, random, signal);
      await choose(random)(cluster, random, signal);
    } catch (error) {
      // The object may have been deleted in the meantime.
      if (!signal.aborted && !isNotFound(error)) onError(error);
    }
  }
}

function choose(random: Random): Action {
  const total = actions.reduce((sum, [weight]) => sum + weight, 0);
  let left = random.next() * total;
  for (const [weight, action] of actions) {
    left -= weight;
    if (left < 0) return action;
  }
  return scale;
}

/** Reverts a broken rollout after a while. */
async function repair(cluster: Cluster, random: Random, signal: AbortSignal): Promise<void> {
  const patience = 4;
  const broken = byName(cluster).filter((deployment) => imageOf(deployment).endsWith(brokenTag));
  const [first] = broken.filter(
    ({ metadata }) =>
      cluster.cache.allPods().filter((pod) => failsFor(pod, metadata.name)).length > 0,
  );
  if (first === undefined || random.next() > 1 / patience) return;
  await setImage(cluster, first, 'v1', signal);
}

function failsFor(
  { metadata, status }: ReturnType<Cluster['cache']['allPods']>[number],
  application: string,
): boolean {
  const reason = status?.containerStatuses?.[0]?.state?.waiting?.reason;
  return metadata.labels?.['app'] === application && reason === 'ImagePullBackOff';
}

async function scale(cluster: Cluster, random: Random, signal: AbortSignal): Promise<void> {
  const deployment = pick(random, byName(cluster));
  if (deployment === undefined) return;
  const { name } = deployment.metadata;
  const change = integerBetween(random, 1, 3) * (random.next() < 0.5 ? -1 : 1);
  const replicas = Math.min(maxReplicas, Math.max(1, (deployment.spec?.replicas ?? 1) + change));
  await cluster.client.appsV1
    .deployments(cluster.namespace)
    .patch(name, { spec: { replicas } }, { type: 'merge', signal });
}

async function rollOut(cluster: Cluster, random: Random, signal: AbortSignal): Promise<void> {
  const deployment = pick(random, byName(cluster));
  if (deployment === undefined) return;
  const version = Number(/:v(\d+)$/.exec(imageOf(deployment))?.[1] ?? 0);
  await setImage(cluster, deployment, `v${version + 1}`, signal);
}

async function rollOutBrokenImage(
  cluster: Cluster,
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  const deployment = pick(random, byName(cluster));
  if (deployment !== undefined) await setImage(cluster, deployment, brokenTag, signal);
}

async function setImage(
  cluster: Cluster,
  { metadata: { name } }: CachedDeployment,
  tag: string,
  signal: AbortSignal,
): Promise<void> {
  const containers = [{ name, image: imageName(name, tag) }];
  await cluster.client.appsV1
    .deployments(cluster.namespace)
    .patch(name, { spec: { template: { spec: { containers } } } }, { type: 'strategic', signal });
}

async function deletePod(cluster: Cluster, random: Random, signal: AbortSignal): Promise<void> {
  const pods = cluster.cache
    .allPods()
    .filter(isActive)
    .toSorted((left, right) => (left.metadata.name < right.metadata.name ? -1 : 1));
  const pod = pick(random, pods);
  if (pod === undefined) return;
  await cluster.client.coreV1.pods(cluster.namespace).delete(pod.metadata.name, { signal });
}

/** Cordons and drains one node at a time. */
async function cordonOrUncordon(
  cluster: Cluster,
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  const all = cluster.cache
    .allNodes()
    .toSorted((left, right) => (left.metadata.name < right.metadata.name ? -1 : 1));
  const closed = all.find(({ spec }) => spec?.unschedulable === true);
  const node = closed ?? pick(random, all);
  if (node === undefined || all.length < 2) return;
  const { name } = node.metadata;
  const unschedulable = closed === undefined;
  const nodes = cluster.client.coreV1.nodes();
  await nodes.patch(name, { spec: { unschedulable } }, { type: 'merge', signal });
  const status = unschedulable ? 'NodeNotSchedulable' : 'NodeSchedulable';
  cluster.recorders
    .of('kubelet', name)
    .event(
      getReference(node, { descriptor: nodeDescriptor }),
      'Normal',
      status,
      `Node ${name} status is now: ${status}`,
    );
  if (!unschedulable) return;
  for (const { metadata } of cluster.cache.podsOn(name).filter(isActive)) {
    await cluster.client.coreV1.pods(cluster.namespace).evict(metadata.name, { signal });
  }
}

async function replaceDeployment(
  cluster: Cluster,
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  const all = byName(cluster);
  const gone = pick(random, all);
  const deployments = cluster.client.appsV1.deployments(cluster.namespace);
  if (gone !== undefined && all.length > 1) {
    await deployments.delete(gone.metadata.name, { propagationPolicy: 'Background', signal });
  }
  const names = new Set(all.map(({ metadata }) => metadata.name));
  const next = Array.from({ length: all.length + 1 }, (_, index) => applicationName(index)).find(
    (name) => !names.has(name),
  );
  try {
    await deployments.create(deploymentNamed(next ?? 'web', cluster.chance), { signal });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

function byName(cluster: Cluster): CachedDeployment[] {
  return cluster.cache
    .allDeployments()
    .toSorted((left, right) => (left.metadata.name < right.metadata.name ? -1 : 1));
}

function imageOf({ spec }: CachedDeployment): string {
  return spec?.template.spec?.containers[0]?.image ?? '';
}
