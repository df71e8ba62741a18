/**
 * Reads manifests and creates whatever they are: `client.for` finds the resource of an object.
 *
 *   npx node examples/any-object.ts [--kubeconfig FILE]
 */
import { Clientset, isAlreadyExists } from 'client-ts';
import { parseManifests } from 'client-ts/manifests';

import { connect } from './lib/connect.ts';

await using cluster = await connect();
await using client = new Clientset(cluster.config);

const text = `
apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { level: info }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: pod-reader }
rules: [{ apiGroups: [''], resources: [pods], verbs: [get, list, watch] }]
`;

for (const object of parseManifests(text)) {
  const objects = await client.for(object);
  try {
    const { kind, metadata } = await objects.create(object);
    console.log(`created ${kind} ${metadata.name} in ${metadata.namespace ?? 'the cluster'}`);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    console.log((error as Error).message);
  }
}

// With literals in its type, the client of a built-in kind is typed.
const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } } as const;
const { data } = await (await client.for(settings)).get('settings');
console.log(`level ${data?.['level']}`);
