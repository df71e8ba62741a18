// One program for every runtime: a typed client, a cached list over protobuf, an informer that sees
// a change, a custom resource over JSON, a clean end. It fails if the process stays alive.
import { Clientset, DynamicClient, isNotFound, loadConfig } from 'client-ts';
import { SharedInformerFactory } from 'client-ts/informers';

const config = await loadConfig();
const client = new Clientset(config);
const dynamic = new DynamicClient(client.rest);
const namespace = process.env['SMOKE_NAMESPACE'] ?? 'default';
const stop = new AbortController();
const factory = new SharedInformerFactory(client);
try {
  await client.coreV1.namespaces().create({ metadata: { name: namespace } });
  const configMaps = client.coreV1.configMaps(namespace);
  const { informer, lister } = factory.coreV1.configMaps({ namespace });
  const changed = new Promise((resolve) => {
    informer.addEventHandler({
      onUpdate: (_before, after) => resolve(after.data?.['greeting']),
    });
  });
  await configMaps.create({ metadata: { name: 'hello' }, data: { greeting: 'hi' } });
  factory.start({ signal: stop.signal });
  await factory.waitForCacheSync({ timeoutMs: 30_000 });
  expect(lister.namespace(namespace).get('hello').data?.['greeting'], 'hi');
  await configMaps.patch('hello', { data: { greeting: 'bye' } }, { type: 'merge' });
  expect(await changed, 'bye');

  const resource = { group: '', version: 'v1', resource: 'configmaps' };
  const untyped = await dynamic.resource(resource).namespace(namespace).get('hello');
  expect(untyped.kind, 'ConfigMap');
  const missing = await configMaps.get('missing').catch((error) => error);
  expect(isNotFound(missing), true);
} finally {
  stop.abort();
  await factory.shutdown();
  await client.close();
}
console.log('smoke ok');

function expect(actual, expected) {
  if (actual !== expected)
    throw new Error(`${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`);
}
