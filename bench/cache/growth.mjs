// One size of the growth bench, in a process of its own. Fills its caches, says so, and measures changes in
// blocks, one for each message of its parent.
// Custom resources of 1 KB go from bytes through decoding, queue, store and one index to a handler.
import { EventEmitter, on, once } from 'node:events';
import { parseArgs } from 'node:util';
import { SharedIndexInformer } from 'client-ts/cache';
import { readOnlyCodecFor } from 'client-ts/codec';

const { values } = parseArgs({
  options: {
    objects: { type: 'string' },
    informers: { type: 'string', default: '1' },
  },
});
const objects = Number(values.objects);
const informers = Number(values.informers);
const each = objects / informers;

const codec = readOnlyCodecFor('application/json');
const filling = 'x'.repeat(560);

function frame(type, name, version) {
  const metadata = {
    name: `widget-${name}`,
    namespace: `ns-${name % 50}`,
    uid: `00000000-0000-4000-8000-${String(name).padStart(12, '0')}`,
    resourceVersion: String(version),
    creationTimestamp: '2026-10-01T10:00:00Z',
    labels: { app: `app-${name % 200}`, tier: 'frontend' },
  };
  const spec = { size: version % 7, node: `node-${name % 500}`, filling };
  const status = { phase: 'Ready', observedGeneration: 1 };
  const object = { apiVersion: 'bench.example.com/v1', kind: 'Widget', metadata, spec, status };
  return Buffer.from(`${JSON.stringify({ type, object })}\n`);
}

/** Decodes frames in turns of a few hundred, as they would arrive. */
function* decoded(count, makeFrame) {
  const decoder = codec.watchDecoder();
  for (let index = 0; index < count; index += 1) {
    decoder.push(makeFrame(index));
    yield decoder.next();
  }
}

const cpuUs = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

let seen = 0;
/** The block that is measured: what each informer gets, and who waits for it. */
let block = { share: 0, version: objects, finish: undefined };
const begun = new EventEmitter().setMaxListeners(0);

function start(number) {
  const first = number * each;
  async function* watch(signal) {
    const ended = once(signal, 'abort');
    let position = 0;
    for (;;) {
      await Promise.race([once(begun, 'block'), ended]);
      if (signal.aborted) return;
      const { share, version } = block;
      const makeFrame = (index) =>
        frame('MODIFIED', first + ((position + index) % each), version + index);
      let batch = 0;
      for (const event of decoded(share, makeFrame)) {
        yield event;
        batch += 1;
        if (batch % 256 === 0) await new Promise(setImmediate);
      }
      position += share;
    }
  }
  const informer = new SharedIndexInformer({
    listerWatcher: {
      supportsWatchList: false,
      list: async () => {
        const items = [];
        for (const { object } of decoded(each, (index) =>
          frame('ADDED', first + index, 1 + index),
        )) {
          items.push(object);
        }
        return { items, metadata: { resourceVersion: String(objects) } };
      },
      watch: async ({ signal }) => watch(signal),
    },
    indexers: { node: 'spec.node' },
  });
  informer.addEventHandler({
    onUpdate: () => {
      seen += 1;
      if (seen === block.share * informers) block.finish();
    },
  });
  const stop = new AbortController();
  return { informer, stop, running: informer.run({ signal: stop.signal }) };
}

const running = Array.from({ length: informers }, (_, number) => start(number));
await Promise.all(running.map(({ informer }) => informer.synced));
globalThis.gc();
process.send({ ready: true });

/** Processor time per change, of all threads: collections are part of it. */
async function measure(events) {
  seen = 0;
  const finished = new Promise((finish) => {
    block = { share: events / informers, version: block.version + block.share, finish };
  });
  const before = cpuUs();
  begun.emit('block');
  await finished;
  return (cpuUs() - before) / events;
}

for await (const [events] of on(process, 'message')) {
  if (events === 0) break;
  const perEvent = await measure(events);
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  process.send({ perEvent, memoryMb: (heapUsed + arrayBuffers) / 1e6 });
}
for (const { stop } of running) stop.abort();
await Promise.all(running.map(({ running: run }) => run));
process.disconnect();
