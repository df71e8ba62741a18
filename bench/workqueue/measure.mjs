// How a case is measured, and what all of them use.
import { spawnSync } from 'node:child_process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { format, median, table } from '../lib/report.mjs';

setFlagsFromString('--expose-gc');
// A program uses its queues all the time, a case only once in a while: its code must not be dropped.
setFlagsFromString('--no-flush-bytecode');
const collectGarbage = runInNewContext('gc');

/**
 * Keys as controllers use them, new for every run, so that no hash is cached. Each is one flat
 * string, as in Go; a template literal would be flattened on the first read.
 */
export const keysOf = (count) =>
  Array.from({ length: count }, (_, index) =>
    Buffer.from(`namespace/pod-${index}`).toString('latin1'),
  );

/** Small queues are measured several times over, until this many items went through: a thousand take less than a millisecond. */
const FEWEST_ITEMS = 50_000;

/**
 * Processor time: these are computations that never wait, and other work on the machine must not
 * count. What falls into them of garbage collection does, on all threads.
 */
async function processorMicros(work) {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/** Results by case and size, one for each round. */
export class Results {
  #values = new Map();

  addAll(results) {
    for (const { name, size, perSecond } of results) {
      const sizes = this.#values.get(name) ?? new Map();
      this.#values.set(name, sizes);
      sizes.set(size, [...(sizes.get(size) ?? []), perSecond]);
    }
  }

  get(name, size) {
    const values = this.#values.get(name)?.get(size);
    return values === undefined ? undefined : median(values);
  }
}

/**
 * Measures every case once and reports its rate. A case gives a preparation for its keys, which is
 * not measured, and that the work, which is.
 */
export async function runCases(cases, size, report) {
  for (const [name, prepare] of Object.entries(cases)) {
    let micros = 0;
    // What the cases before have left, as Go does; it would otherwise be collected during the work.
    collectGarbage();
    const repeats = Math.ceil(FEWEST_ITEMS / size);
    for (let repeat = 0; repeat < repeats; repeat += 1) micros += await timed(prepare, size);
    report({ name, size, perSecond: (size * repeats * 1e6) / micros });
  }
}

async function timed(prepare, size) {
  const work = await prepare(keysOf(size))();
  // What the preparation has made must not be moved during the work.
  for (let pass = 0; pass < 2; pass += 1) collectGarbage({ type: 'minor' });
  return await processorMicros(work);
}

/** What a program reports, one line of JSON for each case. */
export function runProgram(program, args) {
  const { stdout, status } = spawnSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}`);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** One line for each case; with a peer, what it does and how the two compare at every size. */
export function report(title, names, sizes, ours, peer) {
  const rows = names.map((name) => [
    name,
    ...sizes.flatMap((size) => {
      const own = ours.get(name, size);
      const theirs = peer?.get(name, size);
      return peer === undefined ? [format(own)] : [own, theirs, theirs && own / theirs].map(format);
    }),
  ]);
  const head = sizes.flatMap((size) => {
    const items = `${format(size)} items`;
    return peer === undefined ? [items] : [items, `Go, ${items}`, `× Go, ${items}`];
  });
  return table([title, ...head], rows);
}
