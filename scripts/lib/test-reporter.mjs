import { relative } from 'node:path';
import { inspect } from 'node:util';

import { root } from './paths.mjs';

/**
 * @typedef {object} Outcome what node:test says about one finished test
 * @property {string} name
 * @property {string} [file]
 * @property {number} [line]
 * @property {number} [nesting]
 * @property {string | boolean} [skip]
 * @property {string | boolean} [todo]
 * @property {{ type?: string, error?: Error & { failureType?: string } }} details
 */

/**
 * How long a test may run: a limit for hangs, far above what any file takes on a busy machine.
 * `CLIENT_TS_TEST_LIMIT_MS` sets another one. A file gets half as much again, or
 * `CLIENT_TS_TEST_FILE_LIMIT_MS`, so that a test that times out is reported by its own name.
 */
const TIME_LIMIT_MS = Number(process.env['CLIENT_TS_TEST_LIMIT_MS'] ?? 240_000);
const FILE_LIMIT_MS = Number(process.env['CLIENT_TS_TEST_FILE_LIMIT_MS'] ?? 1.5 * TIME_LIMIT_MS);

/**
 * The arguments that make Node run tests with this reporter and these limits.
 * @param {readonly string[]} files
 * @param {{ name?: string | undefined, concurrency: number }} options
 */
export function testArguments(files, { name, concurrency }) {
  return [
    '--test',
    '--enable-source-maps',
    `--test-reporter=${import.meta.filename}`,
    '--test-reporter-destination=stdout',
    `--test-concurrency=${concurrency}`,
    `--test-timeout=${TIME_LIMIT_MS}`,
    ...(name === undefined ? [] : [`--test-name-pattern=${name}`]),
    ...files,
  ];
}

/** A test may be skipped only for something that this machine lacks, and says what it needs. */
const HAS_REASON = /^needs \S/;

/**
 * Prints every failure as it happens, every skipped test with its reason, and at the end the names of
 * the failed tests, because a log that was cut shows only its end, and one line of totals. A test that
 * is skipped without such a reason fails the run, because it proves nothing.
 * @param {AsyncIterable<{ type: string, data: any }>} source
 */
export default async function* report(source) {
  const counts = { passed: 0, skipped: 0 };
  /** @type {string[]} */
  const failed = [];
  const started = performance.now();
  const watchdog = new Watchdog(FILE_LIMIT_MS);
  for await (const { type, data } of source) {
    watchdog.observe(type, data);
    if (type === 'test:stderr' || type === 'test:stdout') yield data.message;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    /** @type {Outcome} */
    const outcome = data;
    if (outcome.details.type === 'suite' && type === 'test:pass') continue;
    // Node 20 calls it skipping what `--name` leaves out.
    if (outcome.skip === 'test name does not match pattern') continue;
    if (outcome.skip !== undefined || outcome.todo !== undefined) {
      counts.skipped += 1;
      const reason = String(outcome.skip ?? outcome.todo);
      if (HAS_REASON.test(reason)) {
        yield `skipped: ${place(outcome)}: ${reason}\n`;
      } else {
        failed.push(place(outcome));
        process.exitCode = 1;
        yield `failed: ${place(outcome)}\n  skipped without a reason that says what it needs\n\n`;
      }
    } else if (type === 'test:pass') {
      // A file in which no test runs is reported as a test that passed.
      if (!isFile(outcome)) counts.passed += 1;
    } else if (outcome.details.error?.failureType !== 'subtestsFailed') {
      failed.push(place(outcome));
      yield `failed: ${place(outcome)}\n${explain(outcome)}\n\n`;
    }
  }
  if (counts.passed + failed.length + counts.skipped === 0) {
    process.exitCode = 1;
    yield 'failed: no test was run\n';
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
  if (failed.length > 0) yield `failed:\n${failed.map((name) => `  ${name}\n`).join('')}`;
  yield `${counts.passed} passed, ${failed.length} failed${skipped} in ${seconds} s\n`;
}

/**
 * Ends the run when a test file takes too long. `--test-timeout` covers tests that wait, but not a
 * test that computes without end, nor a file that leaves a socket open. (`--test-force-exit` would
 * end the latter, and loses results that are still on their way.)
 */
class Watchdog {
  #limitMs;
  /** @type {Map<string, NodeJS.Timeout>} */
  #running = new Map();

  /** @param {number} limitMs */
  constructor(limitMs) {
    this.#limitMs = limitMs;
  }

  /** @param {string} type @param {Outcome} data */
  observe(type, data) {
    const { file } = data;
    if (file === undefined || !isFile(data)) return;
    if (type === 'test:dequeue') {
      const overdue = () => this.#overdue(file);
      this.#running.set(file, setTimeout(overdue, this.#limitMs).unref());
    } else if (type === 'test:complete') {
      clearTimeout(this.#running.get(file));
    }
  }

  /** The runner takes SIGTERM as an interrupt: it kills the test processes and exits. @param {string} file */
  #overdue(file) {
    const seconds = this.#limitMs / 1000;
    process.stderr.write(`failed: ${relative(root, file)} still runs after ${seconds} s\n`);
    process.kill(process.pid, 'SIGTERM');
  }
}

/** A file is a test too, named after its path. @param {Outcome} outcome */
function isFile({ name, file, nesting }) {
  return nesting === 0 && file?.endsWith(name) === true;
}

/** @param {Outcome} outcome */
function place({ name, file, line }) {
  return file === undefined ? name : `${name} (${relative(root, file)}:${line ?? 1})`;
}

/** Returns the error with its stack; a difference of megabytes is cut. @param {Outcome} outcome */
function explain({ details: { error } }) {
  const reason = error?.cause ?? error;
  const text = reason instanceof Error ? (reason.stack ?? reason.message) : inspect(reason);
  return text.split('\n').slice(0, 60).join('\n').slice(0, 8000).replaceAll(/^/gm, '  ');
}
