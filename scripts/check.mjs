/**
 * `npm run check`: everything that must hold besides the tests. Each check also runs alone:
 * `npm run check -- lint layers`.
 */
import { inspect, parseArgs } from 'node:util';

import * as assertions from './checks/assertions.mjs';
import * as errors from './checks/errors.mjs';
import * as exports from './checks/exports.mjs';
import * as format from './checks/format.mjs';
import * as generated from './checks/generated.mjs';
import * as guide from './checks/guide.mjs';
import * as keys from './checks/keys.mjs';
import * as layers from './checks/layers.mjs';
import * as lint from './checks/lint.mjs';
import * as lock from './checks/lock.mjs';
import * as options from './checks/options.mjs';
import * as packages from './checks/packages.mjs';
import * as snippets from './checks/snippets.mjs';
import * as structure from './checks/structure.mjs';
import * as text from './checks/text.mjs';
import * as types from './checks/types.mjs';
import * as voice from './checks/voice.mjs';
import { root } from './lib/paths.mjs';

/**
 * @typedef {object} Check
 * @property {string} about
 * @property {(root: string) => Promise<readonly string[]>} run gives the findings; none is success
 */

/** Cheap and telling ones first. @type {Readonly<Record<string, Check>>} */
const checks = {
  format,
  lint,
  types,
  snippets,
  guide,
  keys,
  layers,
  structure,
  errors,
  options,
  assertions,
  text,
  voice,
  lock,
  exports,
  generated,
  packages,
};

const list = Object.entries(checks)
  .map(([name, { about }]) => `  ${name.padEnd(10)} ${about}`)
  .join('\n');
const { values, positionals } = parseArgs({
  options: { help: { type: 'boolean', default: false } },
  allowPositionals: true,
});
if (values.help) {
  console.log(
    `npm run check [-- name…]\n\nRuns every check but the tests, or only those named:\n\n${list}\n\n  --help     print this help`,
  );
  process.exit();
}
const unknown = positionals.filter((name) => checks[name] === undefined);
if (unknown.length > 0) {
  console.error(`There is no check ${unknown.join(', ')}. There are:\n${list}`);
  process.exit(2);
}

const rows = [];
for (const name of positionals.length > 0 ? positionals : Object.keys(checks)) {
  const check = /** @type {Check} */ (checks[name]);
  const started = performance.now();
  const findings = await check.run(root).catch((error) => [inspect(error)]);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  for (const finding of findings) console.error(`${name}: ${finding}`);
  rows.push({ name, about: check.about, seconds, ok: findings.length === 0 });
}

console.log();
for (const { name, about, seconds, ok } of rows) {
  console.log(`${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(10)} ${seconds.padStart(5)} s  ${about}`);
}
const failed = rows.filter(({ ok }) => !ok).length;
console.log(`\n${rows.length - failed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;
