import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { KubeconfigError } from './http/kubeconfig.ts';
import { loadRecordings } from './recordings/format.ts';
import { describeFailure, missedBars, skips, table, tally } from './recordings/report.ts';
import { runRecordings } from './recordings/run.ts';

const USAGE = `npm run recordings [-- group…] [options]

Replays the recorded exchanges of a kube-apiserver and compares the answers.

  --kubeconfig FILE   a server of your own (default: the embedded one, fresh for every group)
  --etcd URL          its store, for the exchanges that need compaction
  --verbose           print every failed exchange
  --failures FILE     write every failed exchange to a file
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kubeconfig: { type: 'string' },
    etcd: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    failures: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const say = (line: string): void => void process.stdout.write(`${line}\n`);

if (values.help) say(USAGE);
else process.exitCode = await main().catch(unusable);

async function main(): Promise<number> {
  const all = await loadRecordings();
  const unknown = positionals.filter((name) => all.every(({ group }) => group !== name));
  if (unknown.length > 0) {
    say(
      `no such group: ${unknown.join(', ')}; there are ${all.map(({ group }) => group).join(', ')}`,
    );
    return 2;
  }
  const chosen = all.filter(({ group }) => positionals.length === 0 || positionals.includes(group));
  const { kubeconfig, etcd } = values;
  const results = await runRecordings(chosen, {
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(etcd !== undefined && { etcd }),
    onGroup: ({ group, outcomes }) => {
      const { passed, exchanges } = tally(outcomes);
      process.stderr.write(`${group}: ${passed} of ${exchanges}\n`);
    },
  });

  const failures = results.flatMap(({ group, outcomes }) =>
    outcomes
      .filter(({ result }) => result === 'failed')
      .map((outcome) => describeFailure(group, outcome)),
  );
  if (values.failures !== undefined) await writeFile(values.failures, failures.join('\n'));
  if (values.verbose) for (const failure of failures) say(failure);
  for (const line of skips(results)) say(line);
  say(`\n${table(results)}\n`);
  const missed = missedBars(results, positionals.length === 0);
  for (const line of missed) say(line);
  const { passed, failed } = tally(results.flatMap(({ outcomes }) => outcomes));
  say(`${passed} passed, ${failed} failed`);
  return missed.length === 0 ? 0 : 1;
}

/** A kubeconfig that cannot be used is the caller's to mend, not a fault with a stack. */
function unusable(error: unknown): number {
  if (!(error instanceof KubeconfigError)) throw error;
  say(`${values.kubeconfig}: ${error.message}`);
  return 2;
}
