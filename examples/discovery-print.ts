/**
 * Prints every resource that the server serves, with its group and version.
 *
 *   npx node examples/discovery-print.ts [--kubeconfig FILE]
 */
import { DiscoveryClient, RESTMapper } from 'client-ts';

import { connect } from './lib/connect.ts';

await using cluster = await connect();
await using discovery = new DiscoveryClient(cluster.config);

const { gitVersion } = await discovery.serverVersion();
console.log(`Kubernetes ${gitVersion}`);

const { resources, failures } = await discovery.serverResources();
for (const { groupVersion, resources: served } of resources) {
  for (const { name, kind, namespaced } of served) {
    console.log(`${groupVersion} ${name} (${kind}${namespaced ? '' : ', cluster-scoped'})`);
  }
}
// An aggregated API server may be down; the other groups are still listed.
for (const [groupVersion, error] of failures) console.log(`${groupVersion}: ${error.message}`);

// Resolves any name of a resource to its kind, group and version.
const { group, version, kind } = await new RESTMapper(discovery).mapping('deploy');
console.log(`deploy is short for ${kind} in ${group}/${version}`);
