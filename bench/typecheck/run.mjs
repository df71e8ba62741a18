/**
 * Measures what typed imports cost the type checker, and holds it against budget.json.
 *
 *   node bench/typecheck/run.mjs [--runs N]
 */
import { parseArgs } from 'node:util';

import { baseline, budgets, cases, faultsOf, measure } from './measure.mjs';

/** @typedef {import('./measure.mjs').Measurement} Measurement */

const { values } = parseArgs({ options: { runs: { type: 'string', default: '15' } } });
const runs = Number(values.runs);

/** @type {Map<string, Measurement[]>} */
const samples = new Map(cases.map((name) => [name, []]));
// In turns, so that a busy moment of the machine falls on all of them.
for (let run = 0; run < runs; run++) {
  for (const [name, results] of samples) results.push(measure(name));
}

/** @param {string} name @returns {Measurement} */
function resultOf(name) {
  const results = samples.get(name) ?? [];
  const times = results.map(({ milliseconds }) => milliseconds).sort((left, right) => left - right);
  return { ...results[0], milliseconds: times[Math.floor(times.length / 2)] };
}

const base = resultOf(baseline);
/** @type {string[]} */
const faults = [];
console.log('| case             | types | instantiations |   time | budget            |');
console.log('| ---------------- | ----: | -------------: | -----: | ----------------- |');
for (const name of cases) {
  const { types, instantiations, milliseconds } = resultOf(name);
  const cost = {
    types: types - base.types,
    instantiations: instantiations - base.instantiations,
    timeRatio: milliseconds / base.milliseconds,
  };
  faults.push(...faultsOf(name, cost));
  const budget = budgets[name];
  const limits = budget
    ? `${budget.types}, ${budget.instantiations}, ${budget.timeRatio.toFixed(1)} x`
    : '';
  console.log(
    `| ${name.padEnd(16)} | ${String(cost.types).padStart(5)} | ${String(cost.instantiations).padStart(14)} ` +
      `| ${cost.timeRatio.toFixed(2)} x | ${limits.padEnd(17)} |`,
  );
}
console.log(
  `\n"${baseline}" takes ${base.milliseconds.toFixed(0)} ms here; medians of ${runs} runs.`,
);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
