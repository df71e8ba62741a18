/**
 * Lists pods with the lowest-level client, the request builder.
 *
 *   npx node examples/rest-list.ts [--kubeconfig FILE]
 */
import type { PodList } from 'client-ts/api/core/v1';
import { RESTClient } from 'client-ts/rest';

import { connect } from './lib/connect.ts';

await using cluster = await connect();
await using client = new RESTClient(cluster.config);

const request = client.get().namespace('default').resource('pods').param('limit', 500);
const list = await request.into<PodList>();

console.log(`GET ${request.path}`);
for (const { metadata, spec } of list.items) {
  console.log(`${metadata?.name}  ${spec?.containers.map(({ image }) => image).join(', ')}`);
}
