import { relative } from 'node:path';
import { inspect } from 'node:util';

import { root } from './paths.mjs';

/**
 * @typedef {object} Outcome what node:test says about one finished test
 * @property {string} name
 * @property {string} [file]
 * @property {number} [line]
 * @property {string | boolean} [skip]
 * @property {string | boolean} [todo]
 * @property {{ type?: string, error?: Error & { failureType?: string } }} details
 */

/**
 * Says little when all is well: every failure as it happens, and one line of totals. A skipped or
 * unfinished test fails the run, because it proves nothing and nobody goes back to it.
 * @param {AsyncIterable<{ type: string, data: any }>} source
 */
export default async function* report(source) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const started = performance.now();
  for await (const { type, data } of source) {
    if (type === 'test:stderr' || type === 'test:stdout') yield data.message;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    /** @type {Outcome} */
    const outcome = data;
    if (outcome.details.type === 'suite' && type === 'test:pass') continue;
    // Node 20 calls it skipping what `--name` leaves out.
    if (outcome.skip === 'test name does not match pattern') continue;
    if (outcome.skip !== undefined || outcome.todo !== undefined) {
      counts.skipped += 1;
      process.exitCode = 1;
      yield `skipped: ${place(outcome)}\n`;
    } else if (type === 'test:pass') {
      counts.passed += 1;
    } else if (outcome.details.error?.failureType !== 'subtestsFailed') {
      counts.failed += 1;
      yield `failed: ${place(outcome)}\n${explain(outcome)}\n\n`;
    }
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped (not allowed)` : '';
  yield `${counts.passed} passed, ${counts.failed} failed${skipped} in ${seconds} s\n`;
}

/** @param {Outcome} outcome */
function place({ name, file, line }) {
  return file === undefined ? name : `${name} (${relative(root, file)}:${line ?? 1})`;
}

/** The error with its stack; a difference of megabytes is cut, nobody reads it. @param {Outcome} outcome */
function explain({ details: { error } }) {
  const reason = error?.cause ?? error;
  const text = reason instanceof Error ? (reason.stack ?? reason.message) : inspect(reason);
  return text.split('\n').slice(0, 60).join('\n').slice(0, 8000).replaceAll(/^/gm, '  ');
}
