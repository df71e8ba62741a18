/**
 * Lists a resource that is known only by its name, and turns what comes back into typed objects.
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
  // Any kind: fields are found by their path, and one of another type than expected is an error.
  const node = nestedString(object, ['spec', 'nodeName']);
  console.log(`${object.kind} ${object.metadata.name} on ${node ?? 'no node yet'}`);

  // This kind: from here on the compiler knows what there is.
  const pod = fromUnstructured(pods, object);
  console.log(`  image ${pod.spec?.containers[0]?.image}, ${pod.status?.phase}`);
}

try {
  for (const object of items) fromUnstructured(configMaps, object);
} catch (error) {
  console.log((error as Error).message);
}
