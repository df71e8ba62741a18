// One size of the growth bench, in a process of its own: prints what an event costs, as JSON.
// Custom resources of 1 KB go from bytes through decoding, queue, store and one index to a handler.
import { parseArgs } from 'node:util';
import { SharedIndexInformer } from 'client-ts/cache';
import { readOnlyCodecFor } from 'client-ts/codec';

const { values } = parseArgs({
  options: {
    objects: { type: 'string' },
    informers: { type: 'string', default: '1' },
    events: { type: 'string', default: '100000' },
  },
});
const objects = Number(values.objects);
const informers = Number(values.informers);
const events = Number(values.events);
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
let finish;
const finished = new Promise((resolve) => (finish = resolve));
let open;
const opened = new Promise((resolve) => (open = resolve));

function start(number) {
  const first = number * each;
  async function* watch(signal) {
    await opened;
    const share = events / informers;
    const makeFrame = (index) => frame('MODIFIED', first + (index % each), objects + 1 + index);
    let batch = 0;
    for (const event of decoded(share, makeFrame)) {
      yield event;
      batch += 1;
      if (batch % 256 === 0) await new Promise(setImmediate);
    }
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
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
      if (seen === events) finish();
    },
  });
  const stop = new AbortController();
  return { informer, stop, running: informer.run({ signal: stop.signal }) };
}

const running = Array.from({ length: informers }, (_, number) => start(number));
await Promise.all(running.map(({ informer }) => informer.synced));
globalThis.gc();
const before = cpuUs();
open();
await finished;
const perEvent = (cpuUs() - before) / events;
const { heapUsed } = process.memoryUsage();
console.log(JSON.stringify({ perEvent, heapMb: heapUsed / 1e6 }));
for (const { stop } of running) stop.abort();
await Promise.all(running.map(({ running: run }) => run));
