import {
  type DeploymentCondition,
  deployments,
  type DeploymentStatus,
  type ReplicaSet,
} from 'client-ts/api/apps/v1';
import type { PodTemplateSpec } from 'client-ts/api/core/v1';
import { splitMetaNamespaceKey } from 'client-ts/cache';
import {
  enqueueRequestForObject,
  enqueueRequestForOwner,
  setControllerReference,
} from 'client-ts/controller';
import { formatTime, isBeingDeleted, isNotFound, setStatusCondition } from 'client-ts/meta';
import { getReference } from 'client-ts/record';
import { RateLimitingQueue } from 'client-ts/workqueue';

import { hash } from './chance.ts';
import { nextRolloutStep, rolloutLimits } from './rollout.ts';
import { setStatus } from './set-status.ts';
import type {
  CachedDeployment,
  CachedReplicaSet,
  SimulatedController,
  Cluster,
} from './cluster.ts';

const hashLabel = 'pod-template-hash';
const revisionAnnotation = 'deployment.kubernetes.io/revision';

/** In metrics, diagnostics and messages. */
const NAME = 'deployments';

/** Maintains a replica set per version of a deployment, and rolls pods from the old to the new. */
export function deploymentController(cluster: Cluster): SimulatedController {
  const { cache, client, clock } = cluster;
  const queue = new RateLimitingQueue<string>({ name: NAME, clock });
  const recorder = cluster.recorders.of('deployment-controller');
  cache.deployments.informer.addEventHandler(enqueueRequestForObject(queue), { name: NAME });
  cache.replicaSets.informer.addEventHandler(enqueueRequestForOwner(queue, deployments), {
    name: NAME,
  });

  async function createSet(
    deployment: CachedDeployment,
    wanted: ReplicaSet,
    signal: AbortSignal,
  ): Promise<void> {
    const { namespace = '' } = deployment.metadata;
    const created = await client.appsV1.replicaSets(namespace).create(wanted, { signal });
    await cache.replicaSets.informer.reached(created.metadata.resourceVersion, { signal });
    const reference = getReference(deployment, { descriptor: deployments });
    const { name } = created.metadata;
    const size = created.spec?.replicas ?? 0;
    recorder.event(
      reference,
      'Normal',
      'ScalingReplicaSet',
      `Scaled up replica set ${name} from 0 to ${size}`,
    );
  }

  async function scaleSet(
    deployment: CachedDeployment,
    set: CachedReplicaSet,
    replicas: number,
    signal: AbortSignal,
  ): Promise<void> {
    const { name, namespace = '' } = set.metadata;
    const before = sizeOf(set);
    const scaled = await client.appsV1
      .replicaSets(namespace)
      .patch(name, { spec: { replicas } }, { type: 'merge', signal });
    await cache.replicaSets.informer.reached(scaled.metadata.resourceVersion, { signal });
    recorder.event(
      getReference(deployment, { descriptor: deployments }),
      'Normal',
      'ScalingReplicaSet',
      `Scaled ${replicas > before ? 'up' : 'down'} replica set ${name} from ${before} to ${replicas}`,
    );
  }

  /** The replica sets beyond the revision history. */
  async function forget(
    { metadata: { namespace = '' }, spec }: CachedDeployment,
    old: readonly CachedReplicaSet[],
    signal: AbortSignal,
  ): Promise<void> {
    const empty = old.filter((set) => sizeOf(set) === 0 && (set.status?.replicas ?? 0) === 0);
    const { revisionHistoryLimit = 10 } = spec ?? {};
    for (const { metadata } of empty.slice(0, Math.max(0, empty.length - revisionHistoryLimit))) {
      const sets = client.appsV1.replicaSets(namespace);
      await sets.delete(metadata.name, { signal }).catch(ignoreNotFound);
    }
  }

  /** Gives the current replica set the newest revision, also after a rollback, and the deployment the same. */
  async function number(
    { metadata }: CachedDeployment,
    current: CachedReplicaSet,
    previous: readonly CachedReplicaSet[],
    signal: AbortSignal,
  ): Promise<void> {
    const { name, namespace = '', annotations } = metadata;
    const newest = Math.max(0, ...previous.map(revisionOf));
    const revision = revisionOf(current) > newest ? revisionOf(current) : newest + 1;
    const patch = { metadata: { annotations: { [revisionAnnotation]: `${revision}` } } };
    const options = { type: 'merge', signal } as const;
    if (revisionOf(current) !== revision) {
      const sets = client.appsV1.replicaSets(namespace);
      await sets.patch(current.metadata.name, patch, options).catch(ignoreNotFound);
    }
    if (annotations?.[revisionAnnotation] !== `${revision}`) {
      await client.appsV1.deployments(namespace).patch(name, patch, options).catch(ignoreNotFound);
    }
  }

  return {
    name: NAME,
    queue,
    reconcile: async (key, { signal }) => {
      const { namespace, name } = splitMetaNamespaceKey(key);
      const deployment = cache.deployments.lister.namespace(namespace).find(name);
      if (deployment === undefined || isBeingDeleted(deployment)) return;
      const all = cache.replicaSetsOf(deployment).toSorted((a, b) => revisionOf(a) - revisionOf(b));
      const wanted = replicaSetFor(deployment, all);
      const current = all.find(({ metadata }) => metadata.name === wanted.metadata.name);
      if (current === undefined) {
        if (deployment.spec?.paused !== true) await createSet(deployment, wanted, signal);
        return;
      }
      const previous = all.filter((set) => set !== current);
      const steps = nextRolloutStep({
        replicas: deployment.spec?.replicas ?? 1,
        strategy: deployment.spec?.strategy,
        current: rolloutSet(current),
        previous: previous.map(rolloutSet),
      });
      for (const set of all) {
        const replicas = steps.get(set.metadata.name);
        if (replicas !== undefined) await scaleSet(deployment, set, replicas, signal);
      }
      await forget(deployment, previous, signal);
      await number(deployment, current, previous, signal);
      const { conditions: wantedConditions = [], ...counts } = statusOf(deployment, all, current);
      const lastUpdateTime = formatTime(clock.now());
      const conditions = wantedConditions.reduce<readonly DeploymentCondition[]>(
        (set, condition) => setStatusCondition(set, { ...condition, lastUpdateTime }, { clock }),
        deployment.status?.conditions ?? [],
      );
      const status = { ...counts, conditions: [...conditions] };
      await setStatus(client.appsV1.deployments(namespace), deployment, status, signal);
    },
  };
}

/** The replica set of the current template, reused after a rollback. */
function replicaSetFor(
  deployment: CachedDeployment,
  existing: readonly CachedReplicaSet[],
): ReplicaSet & { metadata: { name: string } } {
  const { replicas = 1, selector } = deployment.spec ?? {};
  // Cached objects are read-only, and requests do not modify what they send.
  const template = (deployment.spec?.template ?? {}) as PodTemplateSpec;
  const version = hash(JSON.stringify(template)).toString(36);
  const name = `${deployment.metadata.name}-${version}`;
  const labels = { ...template.metadata?.labels, [hashLabel]: version };
  const old = existing.reduce((sum, set) => sum + sizeOf(set), 0);
  const { most } = rolloutLimits(replicas, deployment.spec?.strategy);
  const size = Math.max(0, Math.min(replicas, most - old));
  const set: ReplicaSet = {
    metadata: {
      name,
      labels,
      annotations: { [revisionAnnotation]: `${Math.max(0, ...existing.map(revisionOf)) + 1}` },
    },
    spec: {
      replicas: size,
      selector: { matchLabels: { ...selector?.matchLabels, [hashLabel]: version } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
  return setControllerReference(deployment, set, deployments) as ReplicaSet & {
    metadata: { name: string };
  };
}

function statusOf(
  deployment: CachedDeployment,
  all: readonly CachedReplicaSet[],
  current: CachedReplicaSet,
): DeploymentStatus {
  const sum = (count: (set: CachedReplicaSet) => number | undefined): number =>
    all.reduce((total, set) => total + (count(set) ?? 0), 0);
  const { replicas = 1 } = deployment.spec ?? {};
  const availableReplicas = sum(({ status }) => status?.availableReplicas);
  const updatedReplicas = current.status?.replicas ?? 0;
  const isAvailable =
    availableReplicas >= rolloutLimits(replicas, deployment.spec?.strategy).leastAvailable;
  const isDone = updatedReplicas === replicas && availableReplicas >= replicas;
  return {
    observedGeneration: deployment.metadata.generation ?? 0,
    replicas: sum(({ status }) => status?.replicas),
    updatedReplicas,
    readyReplicas: sum(({ status }) => status?.readyReplicas),
    availableReplicas,
    unavailableReplicas: Math.max(0, replicas - availableReplicas),
    conditions: [
      {
        type: 'Available',
        status: isAvailable ? 'True' : 'False',
        reason: isAvailable ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
        message: `Deployment ${isAvailable ? 'has' : 'does not have'} minimum availability.`,
      },
      {
        type: 'Progressing',
        status: 'True',
        reason: isDone ? 'NewReplicaSetAvailable' : 'ReplicaSetUpdated',
        message: `ReplicaSet "${current.metadata.name}" ${isDone ? 'has successfully progressed' : 'is progressing'}.`,
      },
    ],
  };
}

function rolloutSet(set: CachedReplicaSet) {
  const replicas = sizeOf(set);
  const available = Math.min(replicas, set.status?.availableReplicas ?? 0);
  return { name: set.metadata.name, replicas, available };
}

function sizeOf({ spec }: CachedReplicaSet): number {
  return spec?.replicas ?? 1;
}

function revisionOf({ metadata }: CachedReplicaSet): number {
  return Number(metadata.annotations?.[revisionAnnotation] ?? 0);
}

function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
