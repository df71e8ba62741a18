import { parseArgs } from 'node:util';

import { ApiServer, KUBERNETES_VERSIONS, type KubernetesVersion } from '@client-ts/apiserver';
import type { JsonObject } from 'client-ts/internal';

import {
  differences,
  explain,
  isLeftOut,
  type PublishedDocument,
  readPublished,
} from './releases/published-documents.ts';

const USAGE = `npm run documents -- --source DIR [options]

Compare the discovery and OpenAPI documents of the embedded server with those that Kubernetes
publishes in its source tree. Descriptions and enums are left out: the first are in other words, the
second are not in the tree. Fails if a difference has no explanation.

  --source DIR                 a source tree of Kubernetes, or its directory "api" alone in another one
  --kubernetes-version VERSION release of the tree: ${KUBERNETES_VERSIONS.join(', ')} (default: 1.36)
  --verbose                    print explained differences, too
`;

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

const { values } = parseArgs({
  options: {
    source: { type: 'string' },
    'kubernetes-version': { type: 'string', default: '1.36' },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const say = (line: string): void => void process.stdout.write(`${line}\n`);

if (values.help) say(USAGE);
else if (values.source === undefined) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else process.exitCode = await main(values.source);

async function main(source: string): Promise<number> {
  await using server = await ApiServer.start({
    kubernetesVersion: values['kubernetes-version'] as KubernetesVersion,
    runtimeConfig: { 'api/all': true },
  });
  const reasons = new Map<string, number>();
  const documents = readPublished(source).filter(({ path }) => !isLeftOut(path));
  let unexplained = 0;
  for (const published of documents) {
    for (const difference of differences(published.content, await read(server, published))) {
      const reason = explain(published.path, difference);
      if (reason === undefined) unexplained += 1;
      else reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      if (reason === undefined || values.verbose) {
        say(`${published.path}: ${JSON.stringify(difference)}`);
      }
    }
  }
  say(`${documents.length} documents, ${unexplained} unexplained differences`);
  for (const [reason, count] of reasons) say(`${count} explained: ${reason}`);
  return unexplained === 0 ? 0 : 1;
}

async function read(server: ApiServer, { path }: PublishedDocument): Promise<JsonObject> {
  const isAggregated = path === '/aggregated_v2';
  const accept = isAggregated ? AGGREGATED : 'application/json';
  await using transport = server.transport();
  const response = await transport.request({
    method: 'GET',
    path: isAggregated ? '/apis' : path,
    headers: { accept },
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  if (response.status !== 200) return {};
  return JSON.parse(Buffer.concat(chunks).toString()) as JsonObject;
}
