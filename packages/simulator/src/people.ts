import { nodes as nodeDescriptor } from 'client-ts/api/core/v1';
import { type Random, sleep } from 'client-ts/internal';
import { isAlreadyExists, isNotFound } from 'client-ts/meta';
import { getReference } from 'client-ts/record';

import { applicationName, deploymentNamed, imageName } from './catalogue.ts';
import { between, pick, wholeBetween } from './fate.ts';
import { brokenTag } from './pod-life.ts';
import { type CachedDeployment, isActive, type World } from './world.ts';

/** Somebody does something so often, in milliseconds. */
const pause = { least: 1500, most: 4500 };
/** Nobody wants more pods of one application. */
const mostReplicas = 9;

/** One thing that people do to a cluster. It may find nothing to do. */
type Deed = (world: World, random: Random, signal: AbortSignal) => Promise<void>;

/** What people do, and how likely each is. */
const deeds: readonly (readonly [weight: number, deed: Deed])[] = [
  [30, scale],
  [20, rollOut],
  [6, rollOutSomethingBroken],
  [20, deletePod],
  [10, cordonOrUncordon],
  [6, replaceDeployment],
];

/**
 * The people who use the cluster: they scale and roll out, also by mistake, delete pods, and take
 * nodes out of service, until the signal aborts. What the server refuses them is reported, and they
 * go on.
 */
export async function livePeople(
  world: World,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    const random = world.fate.of('people', turn);
    const waiting = world.scaled(between(random, pause.least, pause.most));
    const isOver = await sleep(world.clock, waiting, { signal }).then(
      () => false,
      () => true,
    );
    if (isOver) return;
    try {
      await repair(world, random, signal);
      await choose(random)(world, random, signal);
    } catch (error) {
      // Whatever they wanted to change may have gone meanwhile.
      if (!signal.aborted && !isNotFound(error)) onError(error);
    }
  }
}

function choose(random: Random): Deed {
  const total = deeds.reduce((sum, [weight]) => sum + weight, 0);
  let left = random.next() * total;
  for (const [weight, deed] of deeds) {
    left -= weight;
    if (left < 0) return deed;
  }
  return scale;
}

/** A rollout that did not work is noticed after a while, and taken back. */
async function repair(world: World, random: Random, signal: AbortSignal): Promise<void> {
  const patience = 4;
  const broken = byName(world).filter((deployment) => imageOf(deployment).endsWith(brokenTag));
  const [first] = broken.filter(
    ({ metadata }) =>
      world.cache.allPods().filter((pod) => failsFor(pod, metadata.name)).length > 0,
  );
  if (first === undefined || random.next() > 1 / patience) return;
  await setImage(world, first, 'v1', signal);
}

function failsFor(
  { metadata, status }: ReturnType<World['cache']['allPods']>[number],
  application: string,
): boolean {
  const reason = status?.containerStatuses?.[0]?.state?.waiting?.reason;
  return metadata.labels?.['app'] === application && reason === 'ImagePullBackOff';
}

async function scale(world: World, random: Random, signal: AbortSignal): Promise<void> {
  const deployment = pick(random, byName(world));
  if (deployment === undefined) return;
  const { name } = deployment.metadata;
  const change = wholeBetween(random, 1, 3) * (random.next() < 0.5 ? -1 : 1);
  const replicas = Math.min(mostReplicas, Math.max(1, (deployment.spec?.replicas ?? 1) + change));
  await world.client.appsV1
    .deployments(world.namespace)
    .patch(name, { spec: { replicas } }, { type: 'merge', signal });
}

async function rollOut(world: World, random: Random, signal: AbortSignal): Promise<void> {
  const deployment = pick(random, byName(world));
  if (deployment === undefined) return;
  const version = Number(/:v(\d+)$/.exec(imageOf(deployment))?.[1] ?? 0);
  await setImage(world, deployment, `v${version + 1}`, signal);
}

async function rollOutSomethingBroken(
  world: World,
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  const deployment = pick(random, byName(world));
  if (deployment !== undefined) await setImage(world, deployment, brokenTag, signal);
}

async function setImage(
  world: World,
  { metadata: { name } }: CachedDeployment,
  tag: string,
  signal: AbortSignal,
): Promise<void> {
  const containers = [{ name, image: imageName(name, tag) }];
  await world.client.appsV1
    .deployments(world.namespace)
    .patch(name, { spec: { template: { spec: { containers } } } }, { type: 'strategic', signal });
}

async function deletePod(world: World, random: Random, signal: AbortSignal): Promise<void> {
  const pods = world.cache
    .allPods()
    .filter(isActive)
    .toSorted((left, right) => (left.metadata.name < right.metadata.name ? -1 : 1));
  const pod = pick(random, pods);
  if (pod === undefined) return;
  await world.client.coreV1.pods(world.namespace).delete(pod.metadata.name, { signal });
}

/** One node at a time is out of service: its pods go elsewhere, as when it is drained. */
async function cordonOrUncordon(world: World, random: Random, signal: AbortSignal): Promise<void> {
  const all = world.cache
    .allNodes()
    .toSorted((left, right) => (left.metadata.name < right.metadata.name ? -1 : 1));
  const closed = all.find(({ spec }) => spec?.unschedulable === true);
  const node = closed ?? pick(random, all);
  if (node === undefined || all.length < 2) return;
  const { name } = node.metadata;
  const unschedulable = closed === undefined;
  const nodes = world.client.coreV1.nodes();
  await nodes.patch(name, { spec: { unschedulable } }, { type: 'merge', signal });
  const status = unschedulable ? 'NodeNotSchedulable' : 'NodeSchedulable';
  world.recorders
    .of('kubelet', name)
    .event(
      getReference(node, { descriptor: nodeDescriptor }),
      'Normal',
      status,
      `Node ${name} status is now: ${status}`,
    );
  if (!unschedulable) return;
  for (const { metadata } of world.cache.podsOn(name).filter(isActive)) {
    await world.client.coreV1.pods(world.namespace).evict(metadata.name, { signal });
  }
}

async function replaceDeployment(world: World, random: Random, signal: AbortSignal): Promise<void> {
  const all = byName(world);
  const gone = pick(random, all);
  const deployments = world.client.appsV1.deployments(world.namespace);
  if (gone !== undefined && all.length > 1) {
    await deployments.delete(gone.metadata.name, { propagationPolicy: 'Background', signal });
  }
  const names = new Set(all.map(({ metadata }) => metadata.name));
  const next = Array.from({ length: all.length + 1 }, (_, index) => applicationName(index)).find(
    (name) => !names.has(name),
  );
  try {
    await deployments.create(deploymentNamed(next ?? 'web', world.fate), { signal });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

function byName(world: World): CachedDeployment[] {
  return world.cache
    .allDeployments()
    .toSorted((left, right) => (left.metadata.name < right.metadata.name ? -1 : 1));
}

function imageOf({ spec }: CachedDeployment): string {
  return spec?.template.spec?.containers[0]?.image ?? '';
}
