import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { crash } from './crash/crash.ts';
import { describeReport, isClean } from './crash/report.ts';

const USAGE = `npm run crash [-- options]

Kills an embedded server with a data directory during writes, with SIGKILL, and checks after each
restart that no acknowledged write is lost, none is invented, nothing that a client has seen is undone,
and that watches, cluster IPs, certificates and tokens continue.

  --kills N     how often (default: 100)
  --seed N      random seed (default: random; printed)
  --sabotage    acknowledge writes before they are kept: the run must fail
  --help        print this help
`;

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string' },
    sabotage: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const say = (line: string): void => void process.stdout.write(`${line}\n`);

if (values.help) say(USAGE);
else process.exitCode = await main();

async function main(): Promise<number> {
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
  say(`Seed ${seed}`);
  const directory = mkdtempSync(join(tmpdir(), 'client-ts-crash-'));
  try {
    const store = values.sabotage ? 'early' : 'sqlite';
    const report = await crash({ directory, kills: Number(values.kills), seed, store, say });
    say(`\n${describeReport(report)}`);
    return isClean(report) ? 0 : 1;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
