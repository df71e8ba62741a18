/**
 * Measures what typed imports cost the type checker, and holds it against budget.json.
 *
 *   node bench/typecheck/run.mjs [--runs N]
 */
import { parseArgs } from 'node:util';

import { median, table } from '../lib/report.mjs';
import { baseline, budgets, cases, faultsOf, measure } from './measure.mjs';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '15' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log('npm run bench -- typecheck [--runs N]');
  process.exit(0);
}
const runs = Number(values.runs);

/** @type {Map<string, import('./measure.mjs').Measurement[]>} */
const samples = new Map(cases.map((name) => [name, []]));
// In turns, so that a busy moment of the machine falls on all of them.
for (let run = 0; run < runs; run++) {
  for (const [name, results] of samples) results.push(measure(name));
}

const results = [...samples].map(([name, [first, ...others]]) => ({
  ...first,
  name,
  milliseconds: median([first, ...others].map(({ milliseconds }) => milliseconds)),
}));
const base = results.find(({ name }) => name === baseline);
const costs = results.map(({ name, types, instantiations, milliseconds }) => ({
  name,
  cost: {
    types: types - base.types,
    instantiations: instantiations - base.instantiations,
    timeRatio: milliseconds / base.milliseconds,
  },
}));

const rows = costs.map(({ name, cost }) => {
  const budget = budgets[name];
  return [
    name,
    cost.types,
    cost.instantiations,
    `${cost.timeRatio.toFixed(2)} x`,
    budget ? `${budget.types} / ${budget.instantiations} / ${budget.timeRatio} x` : '',
  ];
});
console.log(table(['case', 'types', 'instantiations', 'time', 'budget'], rows));
console.log(
  `\n${baseline} takes ${base.milliseconds.toFixed(0)} ms here; medians of ${runs} runs.`,
);

const faults = costs.flatMap(({ name, cost }) => faultsOf(name, cost));
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
