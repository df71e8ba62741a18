import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { collectorChaos } from './chaos/chaos.ts';
import { describeReport, isClean } from './chaos/report.ts';

const USAGE = `npm run collector-chaos [-- options]

Runs event collectors against the embedded server while processes are killed, disks fill up, sinks fail or
stall and files are corrupted, in random order; then compares the sinks with the log of the server.

  --minutes N   how long to run (default: 10)
  --rounds N    cause every fault N times, then stop
  --seed N      random seed (default: random; printed)
  --keep        keep the directory of the run
  --help        print this help
`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    rounds: { type: 'string' },
    seed: { type: 'string' },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const say = (line: string): void => void process.stdout.write(`${line}\n`);

if (values.help) say(USAGE);
else process.exitCode = await main();

async function main(): Promise<number> {
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
  say(`Seed ${seed}`);
  const directory = mkdtempSync(join(tmpdir(), 'client-ts-collector-chaos-'));
  try {
    const report = await collectorChaos({
      directory,
      seed,
      durationMs: Number(values.minutes) * 60_000,
      ...(values.rounds !== undefined && { rounds: Number(values.rounds) }),
      say,
    });
    say(`\n${describeReport(report)}`);
    return isClean(report) ? 0 : 1;
  } finally {
    if (values.keep) say(`Kept: ${directory}`);
    else rmSync(directory, { recursive: true, force: true });
  }
}
