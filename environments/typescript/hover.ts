// What an editor shows for the objects of a cache, and which functions accept them. The test looks
// at the names of this file through the language service; every supported TypeScript compiles it.
import type { Clientset } from 'client-ts';
import type { Container, Pod } from 'client-ts/api/core/v1';
import { ListWatch } from 'client-ts/cache';
import { type Cached, SharedInformerFactory } from 'client-ts/informers';
import type { DeepReadonly } from 'client-ts/meta';

export async function hover(client: Clientset, signal: AbortSignal): Promise<void> {
  const { informer, lister } = new SharedInformerFactory(client).coreV1.pods();
  informer.addEventHandler({
    onAdd: (added) => console.log(added.metadata.name),
    onUpdate: (before, after) => console.log(before.metadata.name, after.metadata.name),
  });
  const cachedPod = lister.namespace('x').get('y');
  const podListWatch = new ListWatch(client.coreV1.pods());
  const { items: listedPods } = await podListWatch.list({ signal });
  console.log(cachedPod, listedPods);
}

export function reads(pod: Cached<Pod>, stored: Pod): void {
  nameOf(pod);
  readsAll(pod);
  readsAll(stored);
  readsList(pod.spec?.containers ?? []);
  // @ts-expect-error a read-only array is not a Container[], and Readonly<Pod> has those
  readsFields(pod);
}

function nameOf(pod: { readonly metadata?: { readonly name?: string } }): void {
  console.log(pod.metadata?.name);
}

function readsAll(pod: DeepReadonly<Pod>): void {
  console.log(pod.spec?.containers.length);
}

function readsList(containers: DeepReadonly<Container[]>): void {
  console.log(containers.length);
}

function readsFields(pod: Readonly<Pod>): void {
  console.log(pod.spec?.containers.length);
}
