// What a user's program asks of the compiler. Every supported TypeScript compiles it against the
// declarations of the packed packages; it never runs.
import { ApiServer } from '@client-ts/apiserver';
import { Clientset, DynamicClient, isNotFound, loadConfig } from 'client-ts';
import type { Deployment } from 'client-ts/api/apps/v1';
import { type Pod, pods } from 'client-ts/api/core/v1';
import { runController } from 'client-ts/controller';
import { SharedInformerFactory } from 'client-ts/informers';
import { RateLimitingQueue } from 'client-ts/workqueue';

export async function main(signal: AbortSignal): Promise<void> {
  const client = new Clientset(await loadConfig());
  const list = await client.coreV1.pods('default').list({ limit: 40, signal });
  const names: (string | undefined)[] = list.items.map((pod: Pod) => pod.metadata?.name);
  for await (const event of client.coreV1.pods().watch({ signal })) {
    console.log(event.type, event.object.metadata.name, names.length);
  }
  const deployment: Deployment = await client.appsV1.deployments('default').get('web');
  console.log(deployment.spec?.replicas);
  const one = await client.resource(pods, 'default').get('web-0');
  console.log(one.status?.phase);

  const factory = new SharedInformerFactory(client);
  const { informer, lister } = factory.coreV1.pods();
  const queue = new RateLimitingQueue<string>();
  informer.addEventHandler({
    onAdd: (pod) => queue.add(`${pod.metadata.namespace}/${pod.metadata.name}`),
  });
  await runController({
    informers: [informer],
    queue,
    signal,
    reconcile: async (key) => console.log(key, lister.list().length),
  });

  const dynamic = new DynamicClient(await loadConfig());
  const widgets = dynamic.resource({ group: 'example.com', version: 'v1', resource: 'widgets' });
  try {
    console.log((await widgets.namespace('default').get('a')).kind);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  const server = await ApiServer.start();
  console.log(server.config.server);
}
