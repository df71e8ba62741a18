import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const compiler = join(here, '../../node_modules/typescript/lib/tsc.js');

/** What a careful project would set. No types of Node, whose size would hide ours. */
const flags =
  '--ignoreConfig --noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess ' +
  '--target es2022 --lib es2022 --module nodenext --skipLibCheck --types null --singleThreaded --extendedDiagnostics';

/** The case that every other one is measured against: a program without a line. */
export const baseline = 'empty';

/** The names of the cases, the baseline first. */
export const cases = [
  baseline,
  ...readdirSync(join(here, 'cases'))
    .map((file) => basename(file, '.ts'))
    .filter((name) => name !== baseline)
    .toSorted(),
];

/** @typedef {{ types: number, instantiations: number, milliseconds: number }} Measurement */

/** What a case adds to the baseline; the time is a multiple of it. */
/** @typedef {{ types: number, instantiations: number, timeRatio: number }} Cost */

/** What each case may cost. @type {Readonly<Record<string, Cost>>} */
export const budgets = JSON.parse(readFileSync(join(here, 'budget.json'), 'utf8'));

/**
 * Where a case is over its budget, in words. Costs that are not given are not looked at.
 * @param {string} name
 * @param {Partial<Cost>} cost
 * @returns {string[]}
 */
export function faultsOf(name, cost) {
  if (name === baseline) return [];
  const budget = budgets[name];
  if (budget === undefined) return [`${name} has no budget in budget.json`];
  return Object.entries(cost)
    .filter(([what, value]) => value > budget[/** @type {keyof Cost} */ (what)])
    .map(
      ([what, value]) =>
        `${name}: ${what} is ${value}, over the budget of ${budget[/** @type {keyof Cost} */ (what)]}`,
    );
}

/**
 * Type-checks one case and reads the compiler's own account of it. The counts are the same on every
 * machine; the time is not.
 * @param {string} name
 * @returns {Measurement}
 */
export function measure(name) {
  const args = [compiler, ...flags.split(' '), join(here, 'cases', `${name}.ts`)];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    cwd: here,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${name} does not compile:\n${stdout}${stderr}`);
  const value = (/** @type {string} */ label) => {
    const found = new RegExp(`^${label}: +([0-9.]+)`, 'm').exec(stdout)?.[1];
    if (found === undefined) throw new Error(`the compiler does not report ${label}:\n${stdout}`);
    return Number(found);
  };
  return {
    types: value('Types'),
    instantiations: value('Instantiations'),
    milliseconds: value('Total time') * 1000,
  };
}
