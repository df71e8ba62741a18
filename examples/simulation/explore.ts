/**
 * Runs the example operator and the planted bugs on many seeds.
 *
 *   npm run explore -- --seeds 10000
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { shutdownSignal } from 'client-ts/controller';
import { explore, type ExploreSummary } from 'client-ts/testing';

import { type World, worlds } from './worlds.ts';

const HELP = `npm run explore [-- options]

Runs simulations of controllers: each seed is another history of users, faults and schedules. Prints
the smallest history that breaks an invariant, and the command that runs it again. A planted bug must
be found, and only its seed is printed (--seed SEED shows the history); everything else must hold.
Ctrl-C ends it after the current seed.

  --seeds N        how many seeds of each world (default 200)
  --first N        the first seed (default 1)
  --seed SEED      run only this seed, as a failure has printed it
  --world NAME     run only this world; may be repeated (default: all)
  --session FILE   write the session of a failure, for client-ts inspect FILE
  --minutes N      start no seed after this time
  --help           show this text

Worlds:
${Object.entries(worlds)
  .map(([name, { about, isBroken }]) => `  ${name.padEnd(20)} ${about}${isBroken ? ' (bug)' : ''}`)
  .join('\n')}`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    first: { type: 'string', default: '1' },
    seed: { type: 'string' },
    world: { type: 'string', multiple: true },
    minutes: { type: 'string' },
    session: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(HELP);
else process.exitCode = (await exploreAll()) ? 0 : 1;

/** Returns true if every world did as it should. */
async function exploreAll(): Promise<boolean> {
  const signal = shutdownSignal();
  const names = values.world ?? Object.keys(worlds);
  const unknown = names.filter((name) => !Object.hasOwn(worlds, name));
  if (unknown.length > 0) {
    console.error(`there is no world ${unknown.join(', ')}; --help lists them`);
    return false;
  }
  const bad = (['seeds', 'first', 'minutes'] as const).find(
    (option) => values[option] !== undefined && !(Number(values[option]) > 0),
  );
  if (bad !== undefined) {
    console.error(`--${bad} ${values[bad] ?? ''}: must be a number above 0`);
    return false;
  }
  let isRight = true;
  for (const [name, world] of Object.entries(worlds)) {
    if (!names.includes(name) || signal.aborted) continue;
    if (!(await exploreWorld(name, world, signal))) isRight = false;
  }
  return isRight && !signal.aborted;
}

async function exploreWorld(name: string, world: World, signal: AbortSignal): Promise<boolean> {
  const { seed, minutes } = values;
  const progress = progressLine(name);
  const stop = new AbortController();
  const summary = await explore({
    ...world.subject,
    seeds: seed === undefined ? Number(values.seeds) : [seed],
    firstSeed: Number(values.first),
    keepGoing: true,
    signal: AbortSignal.any([signal, stop.signal]),
    budgetMs: minutes === undefined ? undefined : Number(minutes) * 60_000,
    command: (smallest) => `npm run explore -- --world ${name} --seed ${smallest}`,
    onProgress: (soFar) => {
      progress(soFar);
      // One failure is enough, of a bug as of a defect.
      if (soFar.failures.length > 0) stop.abort();
    },
  });
  progress(undefined);
  const [failure] = summary.failures;
  console.log(`${name}: ${inWords(summary)}`);
  if (failure !== undefined && (!world.isBroken || seed !== undefined)) {
    console.log(`\n${failure.message}\n`);
  }
  if (failure === undefined && world.isBroken && seed === undefined && !signal.aborted) {
    console.error(`${name}: the planted bug was not found; more --seeds may find it`);
  }
  if (failure !== undefined && values.session !== undefined) {
    await writeFile(values.session, await failure.session());
    console.log(`wrote ${values.session}`);
  }
  // A run that is out of time before its first seed has held nothing.
  if (summary.seeds === 0) return false;
  if (seed !== undefined) return failure === undefined;
  return world.isBroken === (failure !== undefined);
}

function inWords({
  seeds,
  failures,
  requests,
  writes,
  virtualMs,
  durationMs,
}: ExploreSummary): string {
  const [failure] = failures;
  const held = seeds === 0 ? 'nothing was checked' : 'all held';
  const found = failure === undefined ? held : `seed ${failure.seed}: ${failure.invariant}`;
  const hours = (virtualMs / 3_600_000).toFixed(1);
  const seconds = (durationMs / 1000).toFixed(1);
  return `${seeds} ${seeds === 1 ? 'seed' : 'seeds'} in ${seconds} s, ${found} (${requests} requests, ${writes} writes, ${hours} virtual hours)`;
}

/** Returns a function that shows the progress in one line of a terminal, and clears it at the end. */
function progressLine(name: string): (summary: ExploreSummary | undefined) => void {
  const { stderr } = process;
  if (!stderr.isTTY) return () => undefined;
  return (summary) => {
    const text = summary === undefined ? '' : `${name}: ${summary.seeds} of ${summary.of} seeds`;
    stderr.write(`\r\u001B[K${text}`);
  };
}
