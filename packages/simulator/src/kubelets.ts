import { pods as podDescriptor } from 'client-ts/api/core/v1';
import { enqueueRequestForObject, requeueAfter } from 'client-ts/controller';
import { isConflict, isNotFound, splitMetaNamespaceKey } from 'client-ts/meta';
import { getReference } from 'client-ts/record';
import { RateLimitingQueue } from 'client-ts/workqueue';

import { stateOf, stepFrom, timeIn } from './pod-life.ts';
import { setStatus } from './set-status.ts';
import type { CachedPod, SimulatedController, World } from './world.ts';

/** Since when a pod is as it is. */
interface Sighting {
  readonly state: string;
  readonly sinceMs: number;
}

/** The kubelets of all nodes: they lead the pods that were bound to them through their lives. */
export function kubelets(world: World): SimulatedController {
  const { cache, client, clock, fate, namespace } = world;
  const queue = new RateLimitingQueue<string>({ clock });
  const pods = client.coreV1.pods(namespace);
  const sightings = new Map<string, Sighting>();
  cache.pods.informer.addEventHandler(enqueueRequestForObject(queue));

  /** How long the pod has been in this state, as far as anybody here knows. */
  function ageOf(key: string, state: string): number {
    const now = clock.monotonic();
    const seen = sightings.get(key);
    if (seen?.state === state) return now - seen.sinceMs;
    sightings.set(key, { state, sinceMs: now });
    return 0;
  }

  async function remove(
    { metadata: { name, uid } }: CachedPod,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      await pods.delete(name, { gracePeriodSeconds: 0, preconditions: { uid }, signal });
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  return {
    name: 'kubelets',
    queue,
    reconcile: async (key, { signal }) => {
      const pod = cache.pods.lister.namespace(namespace).find(splitMetaNamespaceKey(key).name);
      const nodeName = pod?.spec?.nodeName;
      if (pod === undefined || nodeName === undefined) {
        sightings.delete(key);
        return;
      }
      const state = stateOf(pod);
      const age = ageOf(key, `${pod.metadata.uid} ${state}`);
      const left = world.scaled(timeIn(state, pod, fate)) - age;
      if (left === Infinity) return;
      if (left > 0) return requeueAfter(left);
      sightings.delete(key);
      const step = stepFrom(state, pod, fate, clock.now());
      if (step === undefined) return await remove(pod, signal);
      const version = await setStatus(pods, pod, step.status, signal);
      const recorder = world.recorders.of('kubelet', nodeName);
      const fieldPath = `spec.containers{${pod.spec?.containers[0]?.name}}`;
      const container = getReference(pod, { descriptor: podDescriptor, fieldPath });
      for (const { type, reason, message } of step.events) {
        recorder.event(container, type, reason, message);
      }
      if (version !== undefined) await cache.pods.informer.reached(version, { signal });
      // Some states only repeat themselves; nothing in the cache would bring the key back.
      return requeueAfter(0);
    },
  };
}
