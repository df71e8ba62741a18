// npm run bench -- inspector [events] [reconciles] [open] [noise] [--rounds N] [--events N] [--objects N]
// What the inspector costs: the same work with and without it, interleaved in one process, per second of
// its processor time, so that neither a warm compiler nor a busy machine favours one of them.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';

import { inspect } from '@client-ts/inspector';
import { format, median, table } from '../lib/report.mjs';
import { EventStorm } from './event-storm.mjs';
import { Reconciles } from './reconciles.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '25' },
    events: { type: 'string', default: '150000' },
    objects: { type: 'string', default: '1000' },
    help: { type: 'boolean', default: false },
  },
});
const ROWS = ['events', 'reconciles', 'open', 'noise'];
if (values.help || positionals.some((name) => !ROWS.includes(name))) {
  console.log(`npm run bench -- inspector [events] [reconciles] [open] [noise]
  events       changes through an informer, a handler and a queue to a worker, without a server
  reconciles   a controller that writes its objects on the embedded server in its own process
  open         the same, while a page is open in another process
  noise        the same, without the inspector on both sides: what differs is chance
  --rounds N   how often each is measured, with and without (25); results are medians
  --events N   changes in a round (150000)
  --objects N  objects that are written in a round (1000)`);
  process.exit(values.help ? 0 : 2);
}
const rounds = Number(values.rounds);
const wanted = new Set(positionals.length === 0 ? ROWS : positionals);
const WARM_UP = 5;
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

const rows = [];
if (wanted.delete('events')) {
  const storm = new EventStorm(Number(values.events));
  rows.push(await compare('changes, without a server', storm, on));
  await storm.close();
}
if (wanted.size > 0) {
  const reconciles = await Reconciles.start(Number(values.objects));
  if (wanted.has('reconciles')) rows.push(await compare('reconciles with a write', reconciles, on));
  if (wanted.has('open')) rows.push(await compare('the same, a page open', reconciles, open));
  if (wanted.has('noise')) rows.push(await compare('the same, off on both sides', reconciles, off));
  await reconciles.close();
}
console.log(table(['per second of processor time', 'without', 'with', 'cost', 'quartiles'], rows));

/**
 * @param {string} name
 * @param {{ run(): Promise<number> }} work returns operations per second of processor time
 * @param {() => Promise<() => Promise<unknown>>} start what `work` is measured with
 */
async function compare(name, work, start) {
  const measure = async (/** @type {typeof start} */ begin) => {
    const end = await begin();
    try {
      return await work.run();
    } finally {
      await end();
    }
  };
  // Until the compiler has seen both.
  for (let round = 0; round < WARM_UP; round += 1) {
    for (const begin of [off, start]) await measure(begin);
  }
  /** @type {{ without: number; with: number }[]} */
  const pairs = [];
  for (let round = 0; round < rounds; round += 1) {
    // Which one is first alternates: the second finds a larger heap.
    const first = await measure(round % 2 === 0 ? off : start);
    const second = await measure(round % 2 === 0 ? start : off);
    pairs.push(
      round % 2 === 0 ? { without: first, with: second } : { without: second, with: first },
    );
  }
  const costs = pairs.map((pair) => 1 - pair.with / pair.without).sort((a, b) => a - b);
  const percent = (/** @type {number} */ part) => `${(part * 100).toFixed(1)} %`;
  const quartile = (/** @type {number} */ part) => costs[Math.floor((costs.length - 1) * part)];
  return [
    name,
    format(median(pairs.map((pair) => pair.without))),
    format(median(pairs.map((pair) => pair.with))),
    percent(median(costs)),
    `${percent(quartile(0.25))} … ${percent(quartile(0.75))}`,
  ];
}
