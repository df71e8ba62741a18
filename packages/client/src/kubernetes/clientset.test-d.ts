/** Type tests of the `Clientset`; the build compiles them. */
import type { Deployment, deployments } from '../api/apps/v1.ts';
import type { Scale } from '../api/autoscaling/v1.ts';
import type { Unstructured } from '../dynamic/unstructured.ts';
import type { Pod } from '../api/core/v1.ts';
import type { ResourceClient } from '../rest/resource-client.ts';
import type { pods } from '../api/core/v1.ts';
import type { Clientset } from './clientset.ts';

export async function tests(
  client: Clientset,
  other: Clientset,
  deployment: Deployment,
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

  for await (const event of client.coreV1.pods().watchAll({ signal })) {
    if (event.type === 'init') event.objects satisfies readonly Pod[];
    else event.object satisfies Pod;
  }
  const literal = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } } as const;
  (await client.for(literal)) satisfies ResourceClient<typeof deployments>;
  (await (await client.for(deployment)).getScale('web')) satisfies Scale;
  const unknown = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'web' } };
  (await (await client.for(unknown)).get('web')) satisfies Unstructured;
  // @ts-expect-error the type of the object does not say that it can be scaled
  await (await client.for(unknown)).getScale('web');

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
