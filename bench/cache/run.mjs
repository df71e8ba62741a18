// npm run bench -- cache [growth] [--sizes 1000,10000,100000] [--rounds N] [--blocks N]
// What one operation of a store or queue costs as they grow: it must stay flat.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { DeltaFIFO, Indexer, metaNamespaceKeyFunc, RealFIFO } from 'client-ts/cache';
import { startReplay } from '../informers/replay.mjs';
import { format, median, table } from '../lib/report.mjs';
import { eventsPerSecond } from './pipeline.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sizes: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    blocks: { type: 'string', default: '100' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(`npm run bench -- cache [growth] [--sizes N,N,…] [--rounds N] [--blocks N]
  growth   what a change of a custom resource of 1 KB costs with 1,000 to 1,000,000 of them cached,
           and with 100 informers, over TLS and HTTP/2, in blocks of 20,000 changes (--blocks, default 100)
           after two changes of each object;
           needs 4 GB of memory`);
  process.exit(0);
}
const isGrowth = positionals.includes('growth');
const sizes = (values.sizes ?? `1000,10000,100000${isGrowth ? ',1000000' : ''}`)
  .split(',')
  .map(Number);
const rounds = Number(values.rounds);
const blocks = Number(values.blocks);
if (isGrowth) {
  await measureGrowth();
  process.exit(0);
}
const keyFunc = metaNamespaceKeyFunc;

const indexFuncs = [
  (object) => [object.metadata.namespace],
  (object) => [object.spec.nodeName],
  (object) => [object.metadata.labels.app],
  (object) => [object.metadata.uid],
  (object) => [object.spec.nodeName, object.metadata.labels.app],
];
const indexers = (count) =>
  Object.fromEntries(
    indexFuncs.slice(0, count).map((func, position) => [`index${position}`, func]),
  );

/** Objects with the fields that keys and indices look at; decoding is another bench's business. */
function objects(count, version, nodeShift = 0) {
  return Array.from({ length: count }, (_, index) => ({
    metadata: {
      namespace: `ns-${index % 50}`,
      name: `pod-${index}`,
      uid: `uid-${index}`,
      resourceVersion: String(version + index),
      labels: { app: `app-${index % 200}` },
    },
    spec: { nodeName: `node-${(index + nodeShift) % 500}` },
  }));
}

/** Nanoseconds for each of `count` operations, the middle of all rounds. */
function measure(count, makeWork) {
  const nanoseconds = [];
  for (let round = 0; round < rounds; round += 1) {
    const work = makeWork();
    const start = performance.now();
    work();
    nanoseconds.push(((performance.now() - start) * 1e6) / count);
  }
  return median(nanoseconds);
}

function filled(size, indexCount) {
  const store = new Indexer({ keyFunc, indexers: indexers(indexCount) });
  store.replace(objects(size, 1), '1');
  return store;
}

function drain(queue) {
  let taken = 0;
  while (queue.size > 0) {
    void queue.tryPop((deltas) => {
      taken += deltas.length;
    });
  }
  return taken;
}

const cases = {};
for (const indexCount of [0, 1, 5]) {
  cases[`store: add, ${indexCount} indices`] = (size) => {
    const fresh = objects(size, 1);
    return () => {
      const store = new Indexer({ keyFunc, indexers: indexers(indexCount) });
      return () => fresh.forEach((object) => store.add(object));
    };
  };
  cases[`store: update, ${indexCount} indices, same values`] = (size) => {
    const next = objects(size, 2);
    return () => {
      const store = filled(size, indexCount);
      return () => next.forEach((object) => store.update(object));
    };
  };
}
cases['store: update, 1 index, new value'] = (size) => {
  const next = objects(size, 2, 7);
  return () => {
    const store = new Indexer({ keyFunc, indexers: { node: indexFuncs[1] } });
    store.replace(objects(size, 1), '1');
    return () => next.forEach((object) => store.update(object));
  };
};
cases['store: delete, 1 index'] = (size) => {
  const gone = objects(size, 2);
  return () => {
    const store = filled(size, 1);
    return () => gone.forEach((object) => store.delete(object));
  };
};
cases['store: getByKey'] = (size) => {
  const store = filled(size, 1);
  const keys = store.listKeys();
  return () => () => keys.forEach((key) => store.getByKey(key));
};
cases['store: replace, 1 index'] = (size) => {
  const next = objects(size, 2);
  const store = filled(size, 1);
  return () => () => store.replace(next, '2');
};
for (const [name, make] of Object.entries({
  DeltaFIFO: (knownObjects) => new DeltaFIFO({ keyFunc, knownObjects }),
  RealFIFO: () => new RealFIFO({ keyFunc }),
})) {
  cases[`${name}: write, then take all`] = (size) => {
    const next = objects(size, 2);
    return () => {
      const queue = make(filled(0, 0));
      return () => {
        next.forEach((object) => queue.update(object));
        drain(queue);
      };
    };
  };
  cases[`${name}: write and take in turn, half full`] = (size) => {
    const next = objects(size, 2);
    return () => {
      const queue = make(filled(0, 0));
      for (const object of next.slice(0, size / 2)) queue.update(object);
      const nothing = () => {};
      return () => {
        for (let index = 0; index < size; index += 1) {
          queue.update(next[(index + size / 2) % size]);
          void queue.tryPop(nothing);
        }
      };
    };
  };
  cases[`${name}: replace`] = (size) => {
    const next = objects(size, 2);
    return () => {
      const queue = make(filled(0, 0));
      return () => queue.replace(next, '2');
    };
  };
}

const rows = Object.entries(cases).map(([name, prepare]) => {
  measure(1000, prepare(1000));
  return [name, ...sizes.map((size) => format(measure(size, prepare(size))))];
});
console.log(`Nanoseconds for one object (median of ${rounds} rounds), Node ${process.version}\n`);
console.log(table(['operation', ...sizes.map((size) => `${format(size)} objects`)], rows));

const queues = ['in-order', 'delta'];
const pipeline = [];
for (const handlers of [1, 10, 100]) {
  const row = [handlers];
  for (const queue of queues) {
    const results = [];
    for (let round = 0; round < rounds; round += 1) {
      results.push(await eventsPerSecond({ queue, handlers, events: 100_000 }));
    }
    row.push(format(median(results)));
  }
  pipeline.push(row);
}
console.log('\nWatch events per second through queue, store, one index and handlers\n');
console.log(table(['handlers', ...queues.map((queue) => `${queue} queue`)], pipeline));

/**
 * Every size in a process of its own, with a replayed cluster of its own; all are filled, then changed in turns, block by
 * block, so that a busy moment of the machine hits all of them. The first size twice: what differs between those is chance.
 *
 * Before that every object changes twice: a cache takes memory until as much is unused as is used, and the system has
 * to clear it. From then on it is used again. Many blocks, as V8 marks a million objects only every 500,000 changes or so.
 */
async function measureGrowth() {
  const blockEvents = 20_000;
  const runs = [
    ...sizes.map((size) => ({ name: `${format(size)} objects`, objects: size, informers: 1 })),
    { name: `${format(sizes[0])} objects again`, objects: sizes[0], informers: 1 },
    { name: '100 informers of 1,000 objects', objects: 1000, informers: 100 },
  ];
  const flags = ['--expose-gc', '--max-old-space-size=4000'];
  const children = [];
  for (const { name, objects, informers } of runs) {
    const replay = await startReplay({ isPlain: false, objects });
    const args = ['--kubeconfig', replay.kubeconfig, '--informers', String(informers)];
    const child = fork(new URL('./growth.mjs', import.meta.url), args, { execArgv: flags });
    await once(child, 'message');
    const change = async () => {
      child.send(blockEvents);
      await once(child, 'message');
      const measured = once(child, 'message');
      await replay.tell({ changes: blockEvents / informers });
      const [result] = await measured;
      return result;
    };
    console.error(`growth: ${name}, two changes of each`);
    for (let left = 2 * objects * informers; left > 0; left -= blockEvents) await change();
    children.push({ name, child, replay, change, blocks: [], memoryMb: 0 });
  }
  for (let round = 0; round < blocks; round += 1) {
    for (const one of children) {
      const { perEvent, memoryMb } = await one.change();
      one.blocks.push(perEvent);
      one.memoryMb = memoryMb;
    }
  }
  for (const { child, replay } of children) {
    child.send(0);
    await once(child, 'exit');
    replay.stop();
  }
  const [first] = children;
  const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const rows = children.map(({ name, blocks: own, memoryMb }) => [
    name,
    format(mean(own)),
    format(mean(own) / mean(first.blocks)),
    format(median(own.map((value, index) => value / first.blocks[index]))),
    format(memoryMb),
  ]);
  console.log(`Changes of custom resources, ${blocks} blocks of ${format(blockEvents)}\n`);
  console.log(
    table(
      [
        'changes of custom resources',
        'processor, µs/event',
        'cost, the first is 1',
        'cost, median of blocks',
        'memory, MB',
      ],
      rows,
    ),
  );
}
