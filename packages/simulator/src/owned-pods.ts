import type { Pod } from 'client-ts/api/core/v1';
import type { ResourceDescriptor } from 'client-ts/meta';
import { isConflict, isNotFound, isStatus } from 'client-ts/meta';
import { setControllerReference } from 'client-ts/controller';
import type { EventRecorder } from 'client-ts/record';
import { getReference } from 'client-ts/record';

import { hash } from './chance.ts';
import type { CachedPod, Cluster } from './cluster.ts';

/** An object that controls pods. */
export interface PodOwner {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
  };
}

/** What a pod has beside its template. */
export interface PodExtras {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly spec?: Partial<Pod['spec']> | undefined;
}

/**
 * Creates and deletes the pods of one kind of owner. Both resolve when the cache has the change, so
 * that the next reconcile does not repeat it.
 */
export class OwnedPods {
  readonly #cluster: Cluster;
  readonly #owners: ResourceDescriptor;
  readonly #recorder: EventRecorder;

  constructor(cluster: Cluster, owners: ResourceDescriptor, component: string) {
    this.#cluster = cluster;
    this.#owners = owners;
    this.#recorder = cluster.recorders.of(component);
  }

  async create(
    owner: PodOwner,
    template: PodTemplate,
    { name, labels, annotations, spec }: PodExtras,
    signal: AbortSignal,
  ): Promise<void> {
    const { cache, client } = this.#cluster;
    const { metadata = {} } = template;
    const pod = {
      metadata: {
        name,
        labels: { ...metadata.labels, ...labels },
        annotations: { ...metadata.annotations, ...annotations },
        ...(metadata.finalizers !== undefined && { finalizers: [...metadata.finalizers] }),
      },
      spec: { ...template.spec, ...spec },
    } as Pod;
    const owned = setControllerReference(owner, pod, this.#owners);
    try {
      const pods = client.coreV1.pods(owner.metadata.namespace ?? '');
      const created = await pods.create(owned, { signal });
      await cache.pods.informer.reached(created.metadata.resourceVersion, { signal });
    } catch (error) {
      if (!signal.aborted) {
        this.#record(owner, 'Warning', 'FailedCreate', `Error creating: ${String(error)}`);
      }
      throw error;
    }
    this.#record(owner, 'Normal', 'SuccessfulCreate', `Created pod: ${name}`);
  }

  async delete(
    owner: PodOwner,
    { metadata: { name, namespace = '', uid } }: CachedPod,
    signal: AbortSignal,
  ): Promise<void> {
    const { cache, client } = this.#cluster;
    try {
      const options = { preconditions: { uid }, signal };
      const answer = await client.coreV1.pods(namespace).delete(name, options);
      if (!isStatus(answer)) {
        await cache.pods.informer.reached(answer.metadata.resourceVersion, { signal });
      }
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
      return;
    }
    this.#record(owner, 'Normal', 'SuccessfulDelete', `Deleted pod: ${name}`);
  }

  #record(owner: PodOwner, type: 'Normal' | 'Warning', reason: string, message: string): void {
    const reference = getReference(owner, { descriptor: this.#owners });
    this.#recorder.event(reference, type, reason, message);
  }
}

/** A template from a cache, or one that is written. */
type PodTemplate = {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
  };
  readonly spec?: object;
};

/** Returns a name for the version of a template: it changes when the template does. */
export function templateHash(template: object | undefined): string {
  return hash(JSON.stringify(template ?? {})).toString(36);
}

/** The label with the {@link templateHash} of a pod. */
export const revisionLabel = 'controller-revision-hash';
