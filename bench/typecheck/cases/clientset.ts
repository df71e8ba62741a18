// The everyday of a typed client: list, get, patch, apply, watch.
import type { Clientset } from 'client-ts/kubernetes';

export async function everyday(client: Clientset): Promise<string[]> {
  const deployments = client.appsV1.deployments('default');
  const { items, metadata } = await client.coreV1.pods().list({ limit: 40 });
  const web = await deployments.get('web');
  await deployments.patch('web', { spec: { replicas: 3 } }, { type: 'merge' });
  await deployments.apply(
    { metadata: { name: web.metadata.name }, spec: { replicas: 3 } },
    { fieldManager: 'me' },
  );
  const { resourceVersion } = metadata;
  for await (const event of client.coreV1.pods().watch({ resourceVersion })) {
    if (event.type === 'DELETED') break;
  }
  return items.map((pod) => pod.metadata.name);
}
