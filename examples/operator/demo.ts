import { setTimeout as sleep } from 'node:timers/promises';
import type { Clientset } from 'client-ts';
import { conditions, waitFor } from 'client-ts/wait';

import { runKubelet } from './kubelet.ts';
import { type WebSet, webSets } from './web-set.ts';

/** Options of {@link runDemo}. */
export interface StoryOptions {
  readonly namespace: string;
  readonly log: (line: string) => void;
  /** Repeats the story, slowly and with another WebSet each time, until the signal aborts. Default false. */
  readonly isEndless?: boolean | undefined;
  /** Ends the demo early: it rejects with the reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The pause after a step that people look at. */
const PAUSE_MS = 1000;

/** Creates, scales, updates and deletes a WebSet. Waits for the result of each step. */
export async function runDemo(client: Clientset, options: StoryOptions): Promise<void> {
  const { namespace, isEndless = false } = options;
  const stop = new AbortController();
  const { signal } = stop;
  const kubelet = runKubelet({ client, namespace, startMs: () => 10, signal });
  try {
    await tellStory(client, 'web', options);
    if (!isEndless) return;
    for (let number = 1; ; number += 1) await tellStory(client, `web-${number}`, options);
  } finally {
    stop.abort();
    await kubelet;
  }
}

async function tellStory(
  client: Clientset,
  name: string,
  { namespace, log, signal, isEndless = false }: StoryOptions,
): Promise<void> {
  const sets = client.resource(webSets, namespace);
  const isDone = (object: WebSet | undefined): object is WebSet =>
    object !== undefined && isReconciled(object);
  const pause = async (): Promise<void> => {
    if (isEndless) await sleep(PAUSE_MS, undefined, { signal });
  };
  const step = async (title: string, change: Promise<WebSet>): Promise<void> => {
    await change;
    log(`- ${title}`);
    const { status } = await waitFor(sets, name, isDone, { signal });
    log(`  ${status?.readyReplicas} of ${status?.replicas} pods are ready`);
    await pause();
  };
  const template = (image: string) => ({
    spec: { containers: [{ name: 'web', image: `example.com/${image}` }] },
  });

  await step(
    `create ${name} with 3 pods`,
    sets.create({ metadata: { name }, spec: { replicas: 3, template: template('web:1') } }),
  );
  await step(`scale ${name} to 2`, sets.patch(name, { spec: { replicas: 2 } }, { type: 'merge' }));
  await step(
    `update the image of ${name}`,
    sets.patch(name, { spec: { template: template('web:2') } }, { type: 'merge' }),
  );
  await sets.delete(name);
  log(`- delete ${name}`);
  await waitFor(sets, name, conditions.deleted(), { signal });
  const { items } = await client.coreV1.pods(namespace).list();
  log(`  ${items.length} pods are left`);
  await pause();
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
