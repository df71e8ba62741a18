import { parseArgs } from 'node:util';
import type { FuzzTarget } from './fuzz/fuzz-target.ts';
import { targets } from './fuzz/targets.ts';

const USAGE = `npm run fuzz [-- target…] [options]

Feed parsers, decoders and HTTP endpoints with generated and corrupted input. A failure is printed with
its seed and the smallest failing input; add that input to the regressions of the target.

  --minutes N   duration, shared by the targets (default: 1)
  --seed N      random seed (default: random; printed)
  --list        print the targets and exit
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const say = (line: string): void => void process.stdout.write(`${line}\n`);

if (values.help) say(USAGE);
else if (values.list) for (const { name, about } of targets) say(`${name.padEnd(22)} ${about}`);
else process.exitCode = await main();

async function main(): Promise<number> {
  const unknown = positionals.filter((name) => targets.every((target) => target.name !== name));
  const minutes = Number(values.minutes);
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
  if (unknown.length > 0 || !(minutes > 0) || !Number.isSafeInteger(seed)) {
    say(
      unknown.length > 0
        ? `no such target: ${unknown.join(', ')}; --list prints them`
        : '--minutes must be a number above 0, and --seed a whole number',
    );
    return 2;
  }
  const chosen = targets.filter(
    ({ name }) => positionals.length === 0 || positionals.includes(name),
  );
  const timeLimitMs = (minutes * 60_000) / chosen.length;
  say(`seed ${seed}`);
  let failed = 0;
  for (const target of chosen) if (!(await feed(target, seed, timeLimitMs))) failed += 1;
  say(`${chosen.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

async function feed(target: FuzzTarget, seed: number, timeLimitMs: number): Promise<boolean> {
  const { runs, failure } = await target.run({ seed, runs: Number.MAX_SAFE_INTEGER, timeLimitMs });
  if (failure === undefined) {
    say(`ok      ${target.name.padEnd(22)} ${runs} inputs`);
    return true;
  }
  say(`FAILED  ${target.name} --seed ${failure.seed}`);
  say(`  input ${JSON.stringify(failure.input)}`);
  const { error } = failure;
  say(
    `  ${(error instanceof Error ? (error.stack ?? error.message) : String(error)).replaceAll('\n', '\n  ')}`,
  );
  return false;
}
