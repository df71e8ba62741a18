// npm run bench -- workqueue [queues] [npm] [timers] [reconciles] [--items N] [--delayed N] …
// What one operation of a work queue costs as it grows: it must stay flat, or logarithmic for delays.
// Beside it Go's work queue, queues of npm, and a whole controller from informer to write.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { format, median, table } from '../lib/report.mjs';
import { delayCases, queueCases } from './cases.mjs';
import { report, Results, runCases, runProgram } from './measure.mjs';
import { npmCases } from './npm-queues.mjs';
import { realTimers } from './real-timers.mjs';
import { measureReconciles } from './reconciles.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    items: { type: 'string', default: '1000,100000,1000000' },
    delayed: { type: 'string', default: '1000,10000,100000' },
    objects: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '5' },
    peer: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(`npm run bench -- workqueue [queues] [npm] [timers] [reconciles]
  --items N,N,…    items in work queues (1000,100000,1000000)
  --delayed N,N,…  items in delaying queues (1000,10000,100000)
  --objects N      objects of the controller (2000)
  --rounds N       how often everything is measured (5); results are medians
  --peer PROGRAM   the built bench/workqueue/peer-go: adds Go's work queue and client-go
npm needs the npm registry once, for the queues to compare with.`);
  process.exit(0);
}
const { peer } = values;
const rounds = Number(values.rounds);
const numbers = (list) => list.split(',').map(Number);
const items = numbers(values.items);
const delayed = numbers(values.delayed);
const wanted = positionals.length === 0 ? ['queues', 'npm', 'timers', 'reconciles'] : positionals;

/** Both programs in every round, in a new process for each size. */
async function measureQueues() {
  const ours = new Results();
  const theirs = peer === undefined ? undefined : new Results();
  const own = fileURLToPath(new URL('./queues.mjs', import.meta.url));
  for (let round = 0; round < rounds; round += 1) {
    for (let index = 0; index < Math.max(items.length, delayed.length); index += 1) {
      const sizes = ['--items', items.at(index) ?? 1000, '--delayed', delayed.at(index) ?? 1000];
      const args = sizes.map(String);
      ours.addAll(runProgram(process.execPath, [own, ...args]));
      theirs?.addAll(runProgram(peer, ['queues', ...args]));
    }
  }
  console.log(`${report('WorkQueue, items/s', Object.keys(queueCases), items, ours, theirs)}\n`);
  const title = 'DelayingQueue and RateLimitingQueue, items/s';
  console.log(`${report(title, Object.keys(delayCases), delayed, ours, theirs)}\n`);
}

async function measureNpm() {
  const cases = await npmCases();
  const sizes = [1000, 10_000, 100_000];
  const results = new Results();
  await runCases(cases, 1000, () => undefined);
  for (let round = 0; round < rounds; round += 1) {
    for (const size of sizes) await runCases(cases, size, (result) => results.addAll([result]));
  }
  console.log(`${report('add to done, 10 at a time', Object.keys(cases), sizes, results)}\n`);
}

async function measureTimers() {
  const count = Math.max(...delayed);
  const runs = [];
  for (let round = 0; round < rounds; round += 1) {
    const ours = await realTimers(count);
    const theirs = peer && runProgram(peer, ['timers', '--delayed', String(count)])[0];
    runs.push({ ...ours, ...(theirs && { 'Go delaying queue': theirs }) });
  }
  const rows = Object.keys(runs[0]).map((name) => [
    name,
    ...['late', 'latest', 'cpuMs', 'longestTurn'].map((field) =>
      format(median(runs.map((run) => run[name][field]))),
    ),
  ]);
  const title = `${format(count)} items due in 3 to 5 s, real time`;
  const head = [title, 'late, ms', 'latest, ms', 'processor, ms', 'longest turn, ms'];
  console.log(`${table(head, rows)}\n`);
}

console.log(`Rates are per second of processor time; medians of ${rounds}; ${process.version}\n`);
if (wanted.includes('queues')) await measureQueues();
if (wanted.includes('npm')) await measureNpm();
if (wanted.includes('timers')) await measureTimers();
if (wanted.includes('reconciles')) {
  console.log(await measureReconciles({ objects: Number(values.objects), rounds, peer }));
}
