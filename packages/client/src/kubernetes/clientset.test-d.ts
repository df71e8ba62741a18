/** Type tests of the `Clientset`; the build compiles them. */
import type { Pod } from '../api/core/v1.ts';
import type { ResourceClient } from '../rest/resource-client.ts';
import type { pods } from '../api/core/v1.ts';
import type { Clientset } from './clientset.ts';

export async function tests(
  client: Clientset,
  other: Clientset,
  signal: AbortSignal,
): Promise<void> {
  const list = await client.coreV1.pods('sandbox').list({ limit: 40 });
  for await (const pod of client.coreV1.pods().listAll({ pageSize: 500 })) pod satisfies Pod;
  const { resourceVersion } = list.metadata;
  for await (const event of client.coreV1.pods().watch({ resourceVersion, signal })) {
    event.type satisfies 'ADDED' | 'DELETED' | 'MODIFIED';
    event.object satisfies Pod;
  }
  await client.appsV1
    .deployments('default')
    .apply(
      { metadata: { name: 'web' }, spec: { replicas: 3 } },
      { fieldManager: 'me', force: true },
    );
  client.coreV1.pods('default') satisfies ResourceClient<typeof pods>;

  // @ts-expect-error no such resource
  client.coreV1.deployments('default');
  // @ts-expect-error no such group-version
  void client.appsV2;
  // @ts-expect-error nodes live in no namespace
  client.coreV1.nodes('default');
  // @ts-expect-error a pod is got from its namespace
  await client.coreV1.pods().get('web');
  // @ts-expect-error getters are not written to
  client.coreV1 = other.coreV1;
}
