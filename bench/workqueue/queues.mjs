// Measures the cases at one size each, with the arguments and the output of the program in peer-go.
// A process of its own for each size: what a queue of a million items leaves to the garbage
// collector, which works on other threads, is not added to the time of a queue of a thousand.
import { parseArgs } from 'node:util';
import { delayCases, queueCases, standingQueues } from './cases.mjs';
import { runCases } from './measure.mjs';

const { values } = parseArgs({
  options: { items: { type: 'string' }, delayed: { type: 'string' } },
});
const standing = standingQueues();

async function runAll(items, delayed, report) {
  await runCases(queueCases, items, report);
  await runCases(delayCases, delayed, report);
}

// Until V8 has compiled them: a queue lives as long as its program. Go is compiled before it runs.
for (let round = 0; round < 2; round += 1) await runAll(1000, 1000, () => undefined);
const [items, delayed] = [Number(values.items), Number(values.delayed)];
await runAll(items, delayed, () => undefined);
await runAll(items, delayed, (result) => console.log(JSON.stringify(result)));
// Here, so that they are not collected before.
if (standing.others.length === 0) throw new Error('no queues');
