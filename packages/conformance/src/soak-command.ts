import { parseArgs } from 'node:util';

import { describeReport, isClean } from './soak/report.ts';
import { soak } from './soak/soak.ts';

const USAGE = `npm run soak [-- options]

Run informers on the embedded server over real connections under random faults, and compare what they
did with the log of the server.

  --minutes N   duration (default: 10)
  --round N     seconds between two checks (default: 20)
  --rounds N    number of checks (default: no limit)
  --seed N      random seed (default: random; printed)
`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    round: { type: 'string', default: '20' },
    rounds: { type: 'string' },
    seed: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const say = (line: string): void => void process.stdout.write(`${line}\n`);

if (values.help) say(USAGE);
else process.exitCode = await main();

/** The process only ends if nothing is left open. */
async function main(): Promise<number> {
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
  say(`Seed ${seed}`);
  const report = await soak({
    durationMs: Number(values.minutes) * 60_000,
    roundMs: Number(values.round) * 1000,
    ...(values.rounds !== undefined && { rounds: Number(values.rounds) }),
    seed,
    onRound: say,
  });
  say(`\n${describeReport(report)}`);
  return isClean(report) ? 0 : 1;
}
