// npm run bench -- workqueue [--items N] [--delayed N] [--rounds N]
// What one operation of a work queue costs as it grows: it must stay flat, or logarithmic for delays.
import { parseArgs } from 'node:util';
import { systemClock } from 'client-ts/lib';
import { VirtualClock } from 'client-ts/testing';
import {
  defaultControllerRateLimiter,
  DelayingQueue,
  InMemoryMetricsProvider,
  RateLimitingQueue,
  WorkQueue,
} from 'client-ts/workqueue';
import { format, median, table } from '../lib/report.mjs';

const { values } = parseArgs({
  options: {
    items: { type: 'string', default: '1000,100000,1000000' },
    delayed: { type: 'string', default: '1000,10000,100000' },
    rounds: { type: 'string', default: '5' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log('npm run bench -- workqueue [--items N,N,…] [--delayed N,N,…] [--rounds N]');
  process.exit(0);
}
const rounds = Number(values.rounds);
const numbers = (list) => list.split(',').map(Number);
const keysOf = (count) => Array.from({ length: count }, (_, index) => `namespace/pod-${index}`);

/**
 * Operations per second of processor time, the middle of all rounds: these are single-threaded
 * computations, and other work on the machine must not count. `makeWork` is not measured, what it
 * gives is; so is the garbage collection that falls into it, on all threads.
 */
async function measure(operations, makeWork) {
  const perSecond = [];
  for (let round = 0; round < rounds; round += 1) {
    const work = makeWork();
    const start = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(start);
    perSecond.push((operations * 1e6) / (user + system));
  }
  return median(perSecond);
}

const addAll = (queue, keys) => {
  for (const key of keys) queue.add(key);
};
const workOff = async (queue) => {
  for (let next = await queue.get(); next.done !== true; next = await queue.get()) {
    queue.done(next.value);
  }
};

/** Each gives a preparation, which gives the work: one item's way for every key. */
const queueCases = {
  add: (keys) => () => {
    const queue = new WorkQueue();
    return () => addAll(queue, keys);
  },
  'add what waits already': (keys) => () => {
    const queue = new WorkQueue();
    addAll(queue, keys);
    return () => addAll(queue, keys);
  },
  'get and done, all queued': (keys) => () => {
    const queue = new WorkQueue();
    addAll(queue, keys);
    queue.shutDown();
    return () => workOff(queue);
  },
  'the same with metrics': (keys) => () => {
    const queue = new WorkQueue({ name: 'bench', metrics: new InMemoryMetricsProvider() });
    addAll(queue, keys);
    queue.shutDown();
    return () => workOff(queue);
  },
  'add, get and done in turn': (keys) => () => {
    const queue = new WorkQueue();
    return async () => {
      for (const key of keys) {
        queue.add(key);
        const { value } = await queue.get();
        queue.done(value);
      }
    };
  },
  'add to done through 10 idle workers (for await)': (keys) => () => {
    const queue = new WorkQueue();
    const worker = async () => {
      for await (const key of queue) if (key === undefined) throw new Error('no key');
    };
    return async () => {
      const workers = Array.from({ length: 10 }, worker);
      addAll(queue, keys);
      await queue.shutDownWithDrain();
      await Promise.all(workers);
    };
  },
};

/** Delays spread over ten minutes by a fixed rule, so that every run has the same order. */
const delayOf = (index) => 1 + ((index * 7919) % 600_000);
const delayAll = (queue, keys) => keys.forEach((key, index) => queue.addAfter(key, delayOf(index)));
const delayCases = {
  'addAfter, spread over ten minutes': (keys) => () => {
    const queue = new DelayingQueue({ clock: new VirtualClock() });
    return () => delayAll(queue, keys);
  },
  'addAfter, each earlier than before': (keys) => () => {
    const queue = new DelayingQueue({ clock: new VirtualClock() });
    delayAll(queue, keys);
    return () => keys.forEach((key, index) => queue.addAfter(key, delayOf(index) / 2));
  },
  'all become ready at once, and are worked off': (keys) => () => {
    const clock = new VirtualClock();
    const queue = new DelayingQueue({ clock });
    for (const key of keys) queue.addAfter(key, 1000);
    return async () => {
      await clock.advance(1000);
      queue.shutDown();
      await workOff(queue);
    };
  },
  'addRateLimited, default limits': (keys) => () => {
    const clock = new VirtualClock();
    const rateLimiter = defaultControllerRateLimiter({ clock });
    const queue = new RateLimitingQueue({ clock, rateLimiter });
    return () => keys.forEach((key) => queue.addRateLimited(key));
  },
};

async function report(title, cases, sizes) {
  const rows = [];
  for (const [name, prepare] of Object.entries(cases)) {
    await measure(1000, prepare(keysOf(1000)));
    const row = [name];
    for (const size of sizes) row.push(format(await measure(size, prepare(keysOf(size)))));
    rows.push(row);
  }
  console.log(`${title}\n`);
  console.log(`${table(['items/s', ...sizes.map((size) => `${format(size)} items`)], rows)}\n`);
}

/** Real timers: how late items come, and for how long the event loop stands still meanwhile. */
async function realTime(count) {
  const queue = new DelayingQueue();
  const dueAt = new Map();
  let longestStall = 0;
  let lastTurn = systemClock.monotonic();
  let isRunning = true;
  const turn = () => {
    const now = systemClock.monotonic();
    longestStall = Math.max(longestStall, now - lastTurn);
    lastTurn = now;
    if (isRunning) setImmediate(turn);
  };
  for (const [index, key] of keysOf(count).entries()) {
    const delayMs = 1000 + ((index * 7919) % 2000);
    dueAt.set(key, systemClock.monotonic() + delayMs);
    queue.addAfter(key, delayMs);
  }
  lastTurn = systemClock.monotonic();
  setImmediate(turn);
  const delays = [];
  for (let taken = 0; taken < count; taken += 1) {
    const { value } = await queue.get();
    delays.push(systemClock.monotonic() - dueAt.get(value));
    queue.done(value);
  }
  isRunning = false;
  return {
    late: median(delays),
    longest: delays.reduce((a, b) => Math.max(a, b), 0),
    longestStall,
  };
}

console.log(
  `Items per second of processor time (median of ${rounds} rounds), Node ${process.version}\n`,
);
await report('WorkQueue', queueCases, numbers(values.items));
await report('DelayingQueue and RateLimitingQueue', delayCases, numbers(values.delayed));
const most = Math.max(...numbers(values.delayed));
const { late, longest, longestStall } = await realTime(most);
console.log(
  `${format(most)} items due between 1 and 3 s from now, real timers: late by ${format(late)} ms (median), ${format(longest)} ms (most); longest stall ${format(longestStall)} ms`,
);
