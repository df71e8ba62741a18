import type { Clientset } from 'client-ts';
import { isControlledBy } from 'client-ts/meta';

import { isReady, podName, TEMPLATE_LABEL, templateHash, WEB_SET_LABEL } from '../pods.ts';
import { FINALIZER } from '../operator.ts';
import { isReconciled } from '../demo.ts';
import { webSets } from '../web-set.ts';

/** The objects on the server, and the differences from their specs. */
export interface FinalState {
  readonly webSets: number;
  readonly pods: number;
  readonly faults: readonly string[];
}

/** Compares the pods with the specs of the WebSets, and the status with both. */
export async function finalState(client: Clientset, namespace: string): Promise<FinalState> {
  const { items: sets } = await client.resource(webSets, namespace).list();
  const { items: pods } = await client.coreV1
    .pods(namespace)
    .list({ labelSelector: WEB_SET_LABEL });
  const faults: string[] = [];
  const accounted = new Set<string>();
  for (const webSet of sets) {
    const { name, finalizers = [] } = webSet.metadata;
    const owned = pods.filter((pod) => isControlledBy(pod, webSet));
    const have = owned.map(({ metadata }) => metadata.name).toSorted();
    const ordinals = Array.from({ length: webSet.spec.replicas ?? 1 }, (_, ordinal) => ordinal);
    const want = ordinals.map((ordinal) => podName(webSet, ordinal)).toSorted();
    const isCurrent = owned.every(
      (pod) => pod.metadata.labels?.[TEMPLATE_LABEL] === templateHash(webSet) && isReady(pod),
    );
    if (have.join() !== want.join()) faults.push(`${name} has ${have.join()}, not ${want.join()}`);
    if (!isCurrent) faults.push(`${name} has pods that are outdated or not ready`);
    if (!isReconciled(webSet)) faults.push(`${name}: ${JSON.stringify(webSet.status)}`);
    if (!finalizers.includes(FINALIZER)) faults.push(`${name} has no finalizer`);
    for (const pod of owned) accounted.add(pod.metadata.uid);
  }
  const others = pods.filter(({ metadata }) => !accounted.has(metadata.uid));
  for (const { metadata } of others) faults.push(`${metadata.name} belongs to no WebSet`);
  return { webSets: sets.length, pods: pods.length, faults };
}
