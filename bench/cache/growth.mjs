// One size of the growth bench, in a process of its own. Fills its caches from a replayed cluster, says so, and measures
// changes in blocks, one for each message of its parent.
// Custom resources of 1 KB go from the socket through decoding, queue, store and one index to a handler.
import { on } from 'node:events';
import { parseArgs } from 'node:util';
import { ListWatch, SharedIndexInformer } from 'client-ts/cache';
import { loadConfig } from 'client-ts/clientcmd';
import { DynamicClient } from 'client-ts/dynamic';

const { values } = parseArgs({
  options: {
    kubeconfig: { type: 'string' },
    informers: { type: 'string', default: '1' },
  },
});

const client = new DynamicClient(await loadConfig({ kubeconfig: values.kubeconfig }));
const gadgets = client.resource({ group: 'bench.example.com', version: 'v1', resource: 'gadgets' });
const stop = new AbortController();
/** How many changes of a block are still to come, and what to call after the last. */
let block = { left: 0, finish: undefined };

function start() {
  const informer = new SharedIndexInformer({
    listerWatcher: new ListWatch(gadgets),
    indexers: { node: 'spec.nodeName' },
  });
  informer.addEventHandler({
    onUpdate: () => {
      block.left -= 1;
      if (block.left === 0) block.finish();
    },
  });
  return { informer, running: informer.run({ signal: stop.signal }) };
}

const started = Array.from({ length: Number(values.informers) }, start);
await Promise.all(started.map(({ informer }) => informer.synced));
globalThis.gc();
process.send({ isReady: true });

const cpuUs = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** Processor time per change, of all threads: collections are part of it. */
async function measure(events) {
  const finished = new Promise((finish) => (block = { left: events, finish }));
  const before = cpuUs();
  process.send({ isReady: true });
  await finished;
  return (cpuUs() - before) / events;
}

for await (const [events] of on(process, 'message')) {
  if (events === 0) break;
  const perEvent = await measure(events);
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  process.send({ perEvent, memoryMb: (heapUsed + arrayBuffers) / 1e6 });
}
stop.abort();
await Promise.all(started.map(({ running }) => running));
await client[Symbol.asyncDispose]();
process.disconnect();
