import type { Clientset } from 'client-ts';
import { conditions, waitFor } from 'client-ts/wait';

import { runKubelet } from './kubelet.ts';
import { type WebSet, webSets } from './web-set.ts';

/** Options of {@link runDemo}. */
export interface StoryOptions {
  readonly namespace: string;
  readonly log: (line: string) => void;
  /** Ends the demo early: it rejects with the reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Creates, scales, updates and deletes a WebSet. Waits for the result of each step. */
export async function runDemo(client: Clientset, options: StoryOptions): Promise<void> {
  const { namespace } = options;
  const stop = new AbortController();
  const { signal } = stop;
  const kubelet = runKubelet({ client, namespace, startMs: () => 10, signal });
  try {
    await tellStory(client, options);
  } finally {
    stop.abort();
    await kubelet;
  }
}

async function tellStory(
  client: Clientset,
  { namespace, log, signal }: StoryOptions,
): Promise<void> {
  const sets = client.resource(webSets, namespace);
  const isDone = (object: WebSet | undefined): object is WebSet =>
    object !== undefined && isReconciled(object);
  const step = async (title: string, change: Promise<WebSet>): Promise<void> => {
    await change;
    log(`- ${title}`);
    const { status } = await waitFor(sets, 'web', isDone, { signal });
    log(`  ${status?.readyReplicas} of ${status?.replicas} pods are ready`);
  };
  const template = (image: string) => ({
    spec: { containers: [{ name: 'web', image: `example.com/${image}` }] },
  });

  await step(
    'create web with 3 pods',
    sets.create({ metadata: { name: 'web' }, spec: { replicas: 3, template: template('web:1') } }),
  );
  await step('scale web to 2', sets.patch('web', { spec: { replicas: 2 } }, { type: 'merge' }));
  await step(
    'update the image of web',
    sets.patch('web', { spec: { template: template('web:2') } }, { type: 'merge' }),
  );
  await sets.delete('web');
  log('- delete web');
  await waitFor(sets, 'web', conditions.deleted(), { signal });
  const { items } = await client.coreV1.pods(namespace).list();
  log(`  ${items.length} pods are left`);
}

/** Returns true when the status reports that the spec is fulfilled. */
export function isReconciled({ metadata, spec, status }: WebSet): boolean {
  const wanted = spec.replicas ?? 1;
  return (
    status !== undefined &&
    status.observedGeneration === metadata?.generation &&
    [status.replicas, status.updatedReplicas, status.readyReplicas].every((n) => n === wanted)
  );
}
