// npm run bench -- inspector [events] [reconciles] [--rounds N] [--events N] [--objects N]
// What the inspector costs: the same work with and without it, interleaved in one process, per second of
// its processor time, so that neither a warm compiler nor a busy machine favours one of them.
import { parseArgs } from 'node:util';

import { format, median, table } from '../lib/report.mjs';
import { EventStorm } from './event-storm.mjs';
import { Reconciles } from './reconciles.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '15' },
    events: { type: 'string', default: '200000' },
    objects: { type: 'string', default: '500' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(`npm run bench -- inspector [events] [reconciles]
  --rounds N   how often each is measured, with and without (15); results are medians
  --events N   changes that an informer gets, enqueues and reconciles, without a server (200000)
  --objects N  objects that a controller writes, on the embedded server in its own process (500)`);
  process.exit(0);
}
const rounds = Number(values.rounds);
const wanted = new Set(positionals.length === 0 ? ['events', 'reconciles'] : positionals);
const rows = [];
if (wanted.has('events')) {
  const storm = new EventStorm(Number(values.events));
  rows.push(await compare('changes, informer to worker', storm));
}
if (wanted.has('reconciles')) {
  const reconciles = await Reconciles.start(Number(values.objects));
  rows.push(await compare('reconciles with a write', reconciles));
  await reconciles.close();
}
console.log(
  table(['per second of processor time', 'without', 'with', 'cost', 'spread of rounds'], rows),
);

/**
 * @param {string} name
 * @param {{ run(): Promise<number> }} work returns operations per second of processor time
 */
async function compare(name, work) {
  const { inspect } = await import('@client-ts/inspector');
  const quiet = { debug() {}, info() {}, warn() {}, error() {} };
  /** @type {number[]} */
  const off = [];
  /** @type {number[]} */
  const on = [];
  const measure = async (isOn) => {
    const page = isOn ? await inspect({ discovery: false, logger: quiet }) : undefined;
    try {
      return await work.run();
    } finally {
      await page?.close();
    }
  };
  for (const isOn of [false, true]) await measure(isOn);
  for (let round = 0; round < rounds; round += 1) {
    // Which one is first alternates: the second finds a larger heap.
    for (const isOn of round % 2 === 0 ? [false, true] : [true, false]) {
      globalThis.gc?.();
      (isOn ? on : off).push(await measure(isOn));
    }
  }
  const ratios = on.map((value, index) => 1 - value / off[index]).sort((a, b) => a - b);
  const percent = (/** @type {number} */ ratio) => `${(ratio * 100).toFixed(1)} %`;
  const quartile = (/** @type {number} */ part) => ratios[Math.floor((ratios.length - 1) * part)];
  return [
    name,
    format(median(off)),
    format(median(on)),
    percent(median(ratios)),
    `${percent(quartile(0.25))} … ${percent(quartile(0.75))}`,
  ];
}
