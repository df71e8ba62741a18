import type { Clientset } from 'client-ts';
import type { Pod } from 'client-ts/api/core/v1';
import { type Reconcile, requeueAfter, withFinalizer } from 'client-ts/controller';
import type { Cached } from 'client-ts/informers';
import {
  isAlreadyExists,
  isBeingDeleted,
  isConflict,
  isControlledBy,
  isNotFound,
} from 'client-ts/meta';
import { type EventRecorder, type EventType, getReference } from 'client-ts/record';

import {
  isReady,
  ordinalOf,
  podFor,
  podName,
  TEMPLATE_LABEL,
  templateHash,
  WEB_SET_LABEL,
} from './pods.ts';
import { type WebSet, webSets, type WebSetStatus } from './web-set.ts';

export const FINALIZER = 'apps.example.com/pods';

/** The dependencies of the reconciler. */
export interface World {
  readonly client: Clientset;
  readonly recorder: EventRecorder;
  /** Listers of the caches, which may be stale. */
  readonly findWebSet: (key: string) => Cached<WebSet> | undefined;
  readonly podsOf: (uid: string) => readonly Cached<Pod>[];
  /** The field manager of this process. */
  readonly fieldManager: string;
}

/**
 * Reconciles the pods of a WebSet with its spec. It is idempotent: interrupted at any point, or with a
 * stale cache, it repeats a write that the server rejects or that changes nothing.
 */
export function webSetReconciler(world: World): Reconcile<string> {
  const reconcile = withFinalizer<Cached<WebSet>>({
    finalizer: FINALIZER,
    client: (namespace) => world.client.resource(webSets, namespace),
    apply: (webSet, { signal }) => new WebSetPods(world, webSet, signal).apply(),
    cleanup: async (webSet, { signal }) =>
      (await new WebSetPods(world, webSet, signal).remove()) ? undefined : requeueAfter(1000),
  });
  return async (key, context) => {
    const webSet = world.findWebSet(key);
    return webSet === undefined ? undefined : await reconcile(webSet, context);
  };
}

/** One reconcile of one WebSet. */
class WebSetPods {
  readonly #world: World;
  readonly #webSet: Cached<WebSet>;
  readonly #signal: AbortSignal;

  constructor(world: World, webSet: Cached<WebSet>, signal: AbortSignal) {
    this.#world = world;
    this.#webSet = webSet;
    this.#signal = signal;
  }

  async apply(): Promise<void> {
    const pods = this.#world.podsOf(this.#webSet.metadata.uid);
    const wanted = this.#webSet.spec.replicas ?? 1;
    const surplus = pods.filter((pod) => (ordinalOf(pod) ?? Infinity) >= wanted);
    const there = new Set(pods.map(({ metadata }) => metadata.name));
    const missing = Array.from({ length: wanted }, (_, ordinal) => ordinal).filter(
      (ordinal) => !there.has(podName(this.#webSet, ordinal)),
    );
    for (const pod of surplus) await this.#delete(pod, 'scaled down');
    for (const ordinal of missing) await this.#create(ordinal);
    if (surplus.length === 0 && missing.length === 0) await this.#replaceOne(pods);
    await this.#writeStatus(pods);
  }

  /** Deletes all pods; returns true when none is left. Lists from the server, because the cache may be stale. */
  async remove(): Promise<boolean> {
    const { name, namespace = '' } = this.#webSet.metadata;
    const { items } = await this.#world.client.coreV1.pods(namespace).list({
      labelSelector: `${WEB_SET_LABEL}=${name}`,
      signal: this.#signal,
    });
    const pods = items.filter((pod) => isControlledBy(pod, this.#webSet));
    for (const pod of pods) await this.#delete(pod, 'its WebSet is deleted');
    return pods.length === 0;
  }

  /** Replaces one pod with an old template; the next one when its successor is ready. */
  async #replaceOne(pods: readonly Cached<Pod>[]): Promise<void> {
    const current = templateHash(this.#webSet);
    const outdated = pods.filter(({ metadata }) => metadata.labels?.[TEMPLATE_LABEL] !== current);
    const broken = outdated.find((pod) => !isReady(pod));
    const next = broken ?? (pods.every(isReady) ? outdated[0] : undefined);
    if (next !== undefined) await this.#delete(next, 'its template has changed');
  }

  async #create(ordinal: number): Promise<void> {
    const { client, fieldManager } = this.#world;
    const signal = this.#signal;
    const pod = podFor(this.#webSet, ordinal);
    const name = podName(this.#webSet, ordinal);
    const pods = client.coreV1.pods(this.#webSet.metadata.namespace ?? '');
    try {
      await pods.create(pod, { fieldManager, signal });
      this.#record('Normal', 'SuccessfulCreate', `created pod ${name}`);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      // Usually our own pod, which the cache does not have yet.
      const other = await pods.get(name, { signal });
      if (isControlledBy(other, this.#webSet)) return;
      this.#record('Warning', 'NameTaken', `pod ${name} exists and has another owner`);
      throw error;
    }
  }

  async #delete(pod: Cached<Pod>, why: string): Promise<void> {
    const { name, namespace = '', uid } = pod.metadata;
    if (isBeingDeleted(pod)) return;
    try {
      // Deletes this pod, not a successor with the same name.
      const options = { preconditions: { uid }, signal: this.#signal };
      await this.#world.client.coreV1.pods(namespace).delete(name, options);
      this.#record('Normal', 'SuccessfulDelete', `deleted pod ${name}: ${why}`);
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  async #writeStatus(pods: readonly Cached<Pod>[]): Promise<void> {
    const { name, namespace = '', generation = 0, resourceVersion } = this.#webSet.metadata;
    const current = templateHash(this.#webSet);
    const alive = pods.filter((pod) => !isBeingDeleted(pod));
    const status: WebSetStatus = {
      observedGeneration: generation,
      replicas: alive.length,
      updatedReplicas: alive.filter(({ metadata }) => metadata.labels?.[TEMPLATE_LABEL] === current)
        .length,
      readyReplicas: alive.filter(isReady).length,
    };
    const before = this.#webSet.status;
    const isSame = (Object.keys(status) as (keyof WebSetStatus)[]).every(
      (field) => before?.[field] === status[field],
    );
    if (isSame) return;
    const patch = { metadata: { resourceVersion }, status };
    const { client, fieldManager } = this.#world;
    const options = { type: 'merge', subresource: 'status', fieldManager } as const;
    try {
      const signal = this.#signal;
      await client.resource(webSets, namespace).patch(name, patch, { ...options, signal });
    } catch (error) {
      // The status of a newer version must not be overwritten. The newer version triggers another
      // reconcile when it reaches the cache.
      if (!isConflict(error)) throw error;
    }
  }

  #record(type: EventType, reason: string, message: string): void {
    const subject = getReference(this.#webSet, { descriptor: webSets });
    this.#world.recorder.event(subject, type, reason, message);
  }
}
