import { pods as podDescriptor } from 'client-ts/api/core/v1';
import { splitMetaNamespaceKey } from 'client-ts/cache';
import { enqueueRequestForObject, requeueAfter } from 'client-ts/controller';
import { isConflict, isNotFound } from 'client-ts/meta';
import { getReference } from 'client-ts/record';
import { RateLimitingQueue } from 'client-ts/workqueue';

import { PodContainers } from './kubelet/pod-containers.ts';
import { exited, readinessOf, stateOf, stepFrom } from './pod-lifecycle.ts';
import { setStatus } from './set-status.ts';
import type { CachedPod, SimulatedController, Cluster } from './cluster.ts';

/** When a pod entered its state. */
interface Observation {
  readonly state: string;
  readonly sinceMs: number;
}

/** In metrics, diagnostics and messages. */
const NAME = 'kubelets';

/** The kubelets of all nodes: run the lifecycle of the pods bound to them. */
export function kubelets(cluster: Cluster): SimulatedController {
  const { behaviour, cache, client, clock, chance } = cluster;
  const queue = new RateLimitingQueue<string>({ name: NAME, clock });
  const observations = new Map<string, Observation>();
  cache.pods.informer.addEventHandler(enqueueRequestForObject(queue), { name: NAME });

  /** How long the pod has been in this state, as observed here. */
  function ageOf(key: string, state: string): number {
    const now = clock.monotonic();
    const seen = observations.get(key);
    if (seen?.state === state) return now - seen.sinceMs;
    observations.set(key, { state, sinceMs: now });
    return 0;
  }

  async function remove(
    { metadata: { name, namespace = '', uid } }: CachedPod,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      const pods = client.coreV1.pods(namespace);
      await pods.delete(name, { gracePeriodSeconds: 0, preconditions: { uid }, signal });
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  const containers = new PodContainers(cluster.kubelet, (key) => queue.add(key));

  return {
    name: NAME,
    queue,
    reconcile: async (key, { signal }) => {
      const { namespace, name } = splitMetaNamespaceKey(key);
      const pod = cache.pods.lister.namespace(namespace).find(name);
      const nodeName = pod?.spec?.nodeName;
      if (pod === undefined || nodeName === undefined) {
        observations.delete(key);
        if (pod === undefined) containers.remove(key);
        return;
      }
      const state = stateOf(pod);
      const age = ageOf(key, `${pod.metadata.uid} ${state}`);
      const exitCode =
        state === 'running' ? (containers.exitCode(pod) ?? behaviour.exitCode(pod)) : undefined;
      const left = exitCode === undefined ? behaviour.timeIn(state, pod) - age : 0;
      containers.keep(key, pod, state);
      if (left === Infinity) {
        const readied = readinessOf(state, pod, clock.now());
        if (readied !== undefined) {
          await setStatus(client.coreV1.pods(namespace), pod, readied, signal);
        }
        return;
      }
      if (left > 0) return requeueAfter(left);
      observations.delete(key);
      const step =
        exitCode === undefined
          ? stepFrom(state, pod, chance, clock.now())
          : exited(pod, exitCode, clock.now());
      if (step === undefined) return await remove(pod, signal);
      const version = await setStatus(client.coreV1.pods(namespace), pod, step.status, signal);
      containers.follow(key, pod, step.status);
      const recorder = cluster.recorders.of('kubelet', nodeName);
      const fieldPath = `spec.containers{${pod.spec?.containers[0]?.name}}`;
      const container = getReference(pod, { descriptor: podDescriptor, fieldPath });
      for (const { type, reason, message } of step.events) {
        recorder.event(container, type, reason, message);
      }
      if (version !== undefined) await cache.pods.informer.reached(version, { signal });
      // Some states only repeat; no change in the cache would enqueue the key again.
      return requeueAfter(0);
    },
  };
}
