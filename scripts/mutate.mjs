/** Mutation testing of one module: see the usage. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';

import { listFiles } from './lib/files.mjs';
import { root } from './lib/paths.mjs';
import { covers, measure } from './mutation/coverage.mjs';
import { applyMutant, findMutants } from './mutation/mutants.mjs';
import { pick } from './mutation/pick.mjs';
import { withScore } from './mutation/scores.mjs';

/**
 * @typedef {import('./mutation/mutants.mjs').Mutant} Mutant
 * @typedef {import('./mutation/coverage.mjs').TestRun} TestRun
 * @typedef {'killed' | 'survived' | 'uncovered'} Outcome
 */

const USAGE = `npm run mutate -- MODULE [options]

Changes one operator, condition or statement of a module at a time and runs the tests that cover it.
A mutant that survives means that a test is missing, or the code is not needed. Runs the tests of the
module, and with --all those of the rest of its package.

  MODULE       cache (packages/client/src/cache), or of another package: apiserver/store
  --sample N   only N mutants, chosen by --seed
  --seed N     random seed of the sample (default: 1)
  --file TEXT  only files with this in their path
  --all        with the tests of the whole package (slow)
  --write      also write the score into docs/mutation.md
  --help       print this help`;

const { values, positionals } = parseArgs({
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    file: { type: 'string' },
    all: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

const [room, ...more] = positionals;
if (values.help || room === undefined || more.length > 0) {
  console.log(USAGE);
  process.exit(values.help ? 0 : 2);
}

const [packageName, folder] = room.includes('/') ? room.split('/', 2) : ['client', room];
const source = `packages/${packageName}/src`;
const here = `${source}/${folder}/`;
if (!existsSync(join(root, here))) {
  console.error(`there is no module ${here}`);
  process.exit(2);
}

const isTest = (/** @type {string} */ path) => path.endsWith('.test.ts');
const isSource = (/** @type {string} */ path) =>
  path.endsWith('.ts') && !/\.test(-d)?\.ts$|\/test-[^/]*$|\/generated\//.test(path);

const workers = availableParallelism();
/** Only one file differs between two runs of a test: compiling the others again takes most of the time. */
const compileCache = mkdtempSync(join(tmpdir(), 'mutate-compiled-'));
process.once('exit', () => rmSync(compileCache, { recursive: true }));
/** The tests that killed mutants of a file, one entry for each. @type {Map<string, string[]>} */
const killers = new Map();
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
const found = listFiles(root, here, isSource)
  .filter((path) => path.includes(values.file ?? ''))
  .flatMap((path) => findMutants(path, readFileSync(join(root, path), 'utf8')));
const seed = Number(values.seed);
const mutants = values.sample === undefined ? found : pick(found, Number(values.sample), seed);
if (mutants.length === 0) {
  console.error('there is nothing to change: see --file and --sample');
  process.exit(2);
}
const tests = listFiles(root, source, isTest);
const ownTests = tests.filter((path) => path.startsWith(here));
const ownRuns = await measureAll(ownTests);
/** The tests of other modules are measured when a mutant survives the first time. */
const otherRuns = lazily(() =>
  measureAll(values.all ? tests.filter((path) => !path.startsWith(here)) : []),
);
console.log(`${mutants.length} mutants, ${ownTests.length} test files here, ${workers} at a time`);
/** @type {Record<Outcome, number>} */
const counts = { killed: 0, survived: 0, uncovered: 0 };
await inParallel(mutants, async (mutant) => {
  const outcome = await tryMutant(mutant);
  if (stop.signal.aborted) return;
  counts[outcome] += 1;
  if (outcome !== 'killed') {
    console.log(`${outcome}: ${mutant.path}:${mutant.line} ${mutant.description}`);
  }
});
const tried = counts.killed + counts.survived + counts.uncovered;
const score = ((100 * counts.killed) / Math.max(1, tried)).toFixed(1);
console.log(
  `${room}: ${score} % of ${tried} mutants killed, ${counts.survived} survived, ${counts.uncovered} not covered by a test`,
);
if (values.write && !stop.signal.aborted && values.file === undefined) {
  const page = join(root, 'docs', 'mutation.md');
  const row = { room, score, tried, found: found.length, seed, ...counts };
  writeFileSync(page, withScore(readFileSync(page, 'utf8'), row));
}
process.exitCode = stop.signal.aborted ? 130 : 0;

/** @param {readonly string[]} paths @returns {Promise<TestRun[]>} quickest first */
async function measureAll(paths) {
  /** @type {TestRun[]} */
  const measured = [];
  await inParallel(paths, async (test) => {
    measured.push(await measure(process.execPath, join(root, test)));
  });
  return measured.toSorted((left, right) => left.durationMs - right.durationMs);
}

/** @param {Mutant} mutant @returns {Promise<Outcome>} */
async function tryMutant(mutant) {
  const path = join(root, mutant.path);
  const source = applyMutant(readFileSync(path, 'utf8'), mutant);
  const url = pathToFileURL(path).href;
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: compileCache,
    CLIENT_TS_MUTANT_URL: url,
    CLIENT_TS_MUTANT_SOURCE: source,
  };
  let isCovered = false;
  for (const runs of [() => ownRuns, otherRuns]) {
    for (const run of likeliestFirst(await runs(), path)) {
      if (!covers(run, path, mutant)) continue;
      isCovered = true;
      if (stop.signal.aborted) return 'killed';
      if (!(await fails(run, env))) continue;
      killers.set(path, [run.test, ...(killers.get(path) ?? [])]);
      return 'killed';
    }
  }
  return isCovered ? 'survived' : 'uncovered';
}

/**
 * The test beside the file first, then those that have killed most of its mutants, then the quick ones.
 * @param {readonly TestRun[]} runs @param {string} path
 */
function likeliestFirst(runs, path) {
  const own = path.replace(/\.ts$/, '.test.ts');
  const killed = killers.get(path) ?? [];
  const rank = (/** @type {TestRun} */ { test }) =>
    test === own ? Infinity : killed.filter((killer) => killer === test).length;
  return runs
    .map((run) => ({ run, rank: rank(run) }))
    .toSorted((left, right) => (left.rank === right.rank ? 0 : right.rank - left.rank))
    .map(({ run }) => run);
}

/**
 * True if the test fails, or takes so long that it must be caught in a loop.
 * @param {TestRun} run @param {NodeJS.ProcessEnv} env
 * @returns {Promise<boolean>}
 */
function fails({ test, durationMs }, env) {
  const preload = join(root, 'scripts', 'mutation', 'preload.mjs');
  return new Promise((resolve, reject) => {
    const args = ['--import', pathToFileURL(preload).href, test];
    const child = spawn(process.execPath, args, { env, stdio: 'ignore' });
    const timer = setTimeout(() => child.kill('SIGKILL'), 5000 + 4 * durationMs);
    child.on('error', reject);
    child.on('exit', (code) => {
      clearTimeout(timer);
      resolve(code !== 0);
    });
  });
}

/**
 * @template Item
 * @param {readonly Item[]} items @param {(item: Item) => Promise<void>} work
 */
async function inParallel(items, work) {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) {
      if (stop.signal.aborted) return;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

/**
 * @template Value
 * @param {() => Promise<Value>} make
 * @returns {() => Promise<Value>} makes the value when it is first asked for
 */
function lazily(make) {
  /** @type {Promise<Value> | undefined} */
  let made;
  return () => (made ??= make());
}
