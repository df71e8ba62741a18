// A controller that sees to it that every config map is marked as done. It first only looks at each
// of them; then it marks them, one write for each, until its cache says that all are.
import { parseArgs } from 'node:util';
import { splitMetaNamespaceKey } from 'client-ts/cache';
import { loadConfig } from 'client-ts/clientcmd';
import { enqueueRequestForObject, runController } from 'client-ts/controller';
import { SharedInformerFactory } from 'client-ts/informers';
import { Clientset } from 'client-ts/kubernetes';
import { RateLimitingQueue } from 'client-ts/workqueue';

const { values } = parseArgs({
  options: {
    kubeconfig: { type: 'string' },
    namespace: { type: 'string' },
    objects: { type: 'string' },
  },
});
const { kubeconfig, namespace } = values;
const objects = Number(values.objects);
const MARK = { metadata: { labels: { done: 'yes' } } };

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
/** A number of calls, and a promise of the last one. */
function countTo(wanted) {
  let count = 0;
  let resolve;
  const reached = new Promise((settle) => (resolve = settle));
  const add = () => {
    count += 1;
    if (count === wanted) resolve();
  };
  return { add, reached };
}

const client = new Clientset(await loadConfig({ kubeconfig }));
const { informer, lister } = new SharedInformerFactory(client, { namespace }).coreV1.configMaps();
const queue = new RateLimitingQueue();
const enqueue = enqueueRequestForObject(queue);
informer.addEventHandler(enqueue);

const maps = client.coreV1.configMaps(namespace);
const seen = countTo(objects);
const done = countTo(objects);
let isMarking = false;
async function reconcile(key) {
  const { name } = splitMetaNamespaceKey(key);
  const { metadata } = lister.namespace(namespace).get(name);
  if (!isMarking) seen.add();
  else if (metadata.labels?.done === 'yes') done.add();
  else await maps.patch(name, MARK, { type: 'merge' });
}

const stop = new AbortController();
let startedAt = performance.now();
let cpuBefore = cpuMs();
const running = runController({
  informers: [informer],
  queue,
  workers: 16,
  reconcile,
  signal: stop.signal,
  onError: (error) => console.error(error),
});
await seen.reached;
const result = { syncMs: performance.now() - startedAt, syncCpuMs: cpuMs() - cpuBefore };

isMarking = true;
startedAt = performance.now();
cpuBefore = cpuMs();
for (const object of informer.indexer.list()) enqueue.onAdd(object);
await done.reached;
const seconds = (performance.now() - startedAt) / 1000;
result.writesPerSecond = objects / seconds;
result.writeMicros = ((cpuMs() - cpuBefore) * 1000) / objects;
stop.abort();
await running;
await client[Symbol.asyncDispose]();
console.log(JSON.stringify(result));
