/**
 * Lists a resource by its name at run time, and converts the objects to a type.
 *
 *   npx node examples/dynamic-list.ts [--kubeconfig FILE]
 */
import { configMaps, pods } from 'client-ts/api/core/v1';
import { DynamicClient, fromUnstructured, nestedString } from 'client-ts/dynamic';

import { connect } from './lib/connect.ts';

await using cluster = await connect();
await using dynamic = new DynamicClient(cluster.config);

const resource = dynamic.resource({ group: '', version: 'v1', resource: 'pods' });
const { items } = await resource.namespace('default').list();

for (const object of items) {
  // For any kind: reads a field by its path, and throws if it has another type.
  const node = nestedString(object, ['spec', 'nodeName']);
  console.log(`${object.kind} ${object.metadata.name} on ${node ?? 'no node yet'}`);

  // For this kind: typed from here on.
  const pod = fromUnstructured(pods, object);
  console.log(`  image ${pod.spec?.containers[0]?.image}, ${pod.status?.phase}`);
}

try {
  for (const object of items) fromUnstructured(configMaps, object);
} catch (error) {
  console.log((error as Error).message);
}
