// npm run bench -- inspector [changes] [reconciles] [server] [open] [noise] [off] [--blocks N]
// What the inspector costs: one program runs throughout, and the inspector is turned on and off in windows
// that take turns. Each pair of windows is compared by the processor time of an operation.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';

import { inspect } from '@client-ts/inspector';
import { relativeCost, takeTurns } from '../lib/paired.mjs';
import { format, median, table } from '../lib/report.mjs';
import { EventStorm } from './event-storm.mjs';
import { Reconciles } from './reconciles.mjs';
import { importWithoutHooks, questions } from './without-hooks.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    blocks: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '3' },
    changes: { type: 'string', default: '30000' },
    objects: { type: 'string', default: '1000' },
    help: { type: 'boolean', default: false },
  },
});
const ROWS = ['changes', 'reconciles', 'server', 'open', 'noise', 'off'];
if (values.help || positionals.some((name) => !ROWS.includes(name))) {
  console.log(`npm run bench -- inspector [${ROWS.join('] [')}]
  changes      changes through an informer, a handler and a queue to a worker, without a server
  reconciles   a controller that writes its objects, on a cluster in memory: the client alone
  server       the same on the embedded server in a process of its own
  open         'reconciles', while a page is open in another process
  noise        'reconciles' without the inspector on both sides: what differs is chance
  off          'changes' without the inspector, and in a copy of the library without its hooks
  --blocks N   windows are compared in blocks of four, two with and two without (100)
  --rounds N   rounds that are measured in a window, after one that is not (3)
  --changes N  changes in a round (30000)
  --objects N  objects that are written in a round (1000)`);
  process.exit(values.help ? 0 : 2);
}
const blocks = Number(values.blocks);
const wanted = new Set(positionals.length === 0 ? ROWS : positionals);
const WARM_UP = 3;
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** Each of these starts what is measured, and returns what ends it. */
const off = async () => async () => undefined;
const on = async () => {
  const page = await inspect({ discovery: false, logger: quiet });
  return () => page.close();
};
const open = async () => {
  const page = await inspect({ discovery: false, logger: quiet, access: 'open' });
  const reader = fork(new URL('reader.mjs', import.meta.url), [page.origin]);
  await once(reader, 'message');
  return async () => {
    await page.close();
    if (reader.exitCode === null) await once(reader, 'exit');
  };
};

const changes = Number(values.changes);
const objects = Number(values.objects);
const libraryOf = async (/** @type {(specifier: string) => Promise<object>} */ load) => ({
  ...(await load('client-ts/cache')),
  ...(await load('client-ts/workqueue')),
});
const library = await libraryOf((specifier) => import(specifier));

if (wanted.has('changes')) {
  const storm = new EventStorm(changes, library);
  await report('changes, without a server', window(storm, off), window(storm, on));
  await storm.close();
}
if (wanted.has('reconciles') || wanted.has('open') || wanted.has('noise')) {
  const work = await Reconciles.inMemory(objects);
  const without = window(work, off);
  if (wanted.has('reconciles')) {
    await report('reconciles with a write, in memory', without, window(work, on));
  }
  if (wanted.has('open')) await report('the same, a page open', without, window(work, open));
  if (wanted.has('noise')) await report('the same, off on both sides', without, window(work, off));
  await work.close();
}
if (wanted.has('server')) {
  const work = await Reconciles.onServer(objects);
  await report('reconciles with a write, on a server', window(work, off), window(work, on));
  await work.close();
}
if (wanted.has('off')) {
  const bare = new EventStorm(changes, await libraryOf(importWithoutHooks));
  const hooked = new EventStorm(changes, library);
  const name = `changes, off; without are ${questions()} hooks fewer`;
  await report(name, window(bare, off), window(hooked, off));
  await Promise.all([bare.close(), hooked.close()]);
}

/**
 * Returns a function that measures a window: the processor time of the main thread for one operation, in
 * microseconds. It is what limits the throughput of a program.
 *
 * @param {{ run(): Promise<number> }} work returns the number of operations
 * @param {() => Promise<() => Promise<unknown>>} start what `work` is measured with
 */
function window(work, start) {
  return async () => {
    const end = await start();
    // Until the first records are made: each beginning may have more than its share.
    await work.run();
    const started = process.threadCpuUsage();
    let operations = 0;
    for (let round = 0; round < Number(values.rounds); round += 1) operations += await work.run();
    const { user, system } = process.threadCpuUsage(started);
    await end();
    return (user + system) / operations;
  };
}

/**
 * @param {string} name
 * @param {() => Promise<number>} without
 * @param {() => Promise<number>} with_
 */
async function report(name, without, with_) {
  // Until the compiler has seen both.
  await takeTurns(without, with_, WARM_UP);
  const pairs = await takeTurns(without, with_, blocks);
  const { mean, low, high } = relativeCost(pairs);
  const percent = (/** @type {number} */ part) => `${(part * 100).toFixed(1)} %`;
  const row = [
    name,
    format(median(pairs.map(({ a }) => a))),
    format(median(pairs.map(({ b }) => b))),
    percent(mean),
    `${percent(low)} … ${percent(high)}`,
  ];
  console.log(table(['µs of processor time', 'without', 'with', 'cost', '95 %'], [row]));
}
