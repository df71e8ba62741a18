import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { KubeconfigError } from './http/kubeconfig.ts';
import { KUBECTL_GROUP } from './kubectl/replay-requests.ts';
import {
  deviations,
  loadExpected,
  saveExpected,
  UNEXPLAINED,
  updated,
} from './recordings/expected.ts';
import { loadRecordings } from './recordings/format.ts';
import { describeFailure, type GroupResult, skips, table, tally } from './recordings/report.ts';
import { runCommands, runRecordings } from './recordings/run.ts';

const USAGE = `npm run recordings [-- group…] [options]

Replay the recorded exchanges of a kube-apiserver and compare the responses. The embedded server
must differ exactly as expected-differences.json lists; any other server must not differ.

  --kubeconfig FILE   server to test (default: a fresh embedded server for every group)
  --etcd URL          store of the server, for exchanges that need compaction
  --update            rewrite expected-differences.json; new entries need a cause
  --verbose           print every exchange that differs
  --failures FILE     write every exchange that differs to FILE
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kubeconfig: { type: 'string' },
    etcd: { type: 'string' },
    update: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    failures: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const say = (line: string): void => void process.stdout.write(`${line}\n`);

if (values.help) say(USAGE);
else process.exitCode = await main().catch(unusable);

async function main(): Promise<number> {
  const { kubeconfig, etcd, update } = values;
  const all = await loadRecordings();
  const names = [...all.map(({ group }) => group), KUBECTL_GROUP];
  const unknown = positionals.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    say(`no such group: ${unknown.join(', ')}; there are ${names.join(', ')}`);
    return 2;
  }
  if (update && kubeconfig !== undefined) {
    say('--update: the list holds the differences of the embedded server, without --kubeconfig');
    return 2;
  }
  const isChosen = (group: string): boolean =>
    positionals.length === 0 || positionals.includes(group);
  const results = await runRecordings(
    all.filter(({ group }) => isChosen(group)),
    {
      ...(kubeconfig !== undefined && { kubeconfig }),
      ...(etcd !== undefined && { etcd }),
      onGroup: progress,
    },
  );
  if (kubeconfig === undefined && isChosen(KUBECTL_GROUP)) {
    results.push(await runCommands(all));
    progress(results.at(-1) as GroupResult);
  }

  const differing = results.flatMap(({ group, outcomes }) =>
    outcomes.filter(({ result }) => result === 'failed').map((outcome) => ({ group, outcome })),
  );
  const failures = differing.map(({ group, outcome }) => describeFailure(group, outcome));
  if (values.failures !== undefined) await writeFile(values.failures, failures.join('\n'));
  if (values.verbose) for (const failure of failures) say(failure);
  for (const line of skips(results)) say(line);
  say(`\n${table(results)}\n`);
  const failed =
    kubeconfig === undefined
      ? await compareWithList(results)
      : differing.filter(({ outcome }) => outcome.exchange.mayVary !== true).length;
  const { exchanges, skipped } = tally(results.flatMap(({ outcomes }) => outcomes));
  say(`${exchanges - skipped - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

/** Returns how many exchanges deviate from the list. */
async function compareWithList(results: readonly GroupResult[]): Promise<number> {
  const isComplete = positionals.length === 0;
  const list = await loadExpected();
  if (values.update) {
    const next = updated(results, list, isComplete);
    await saveExpected(next);
    const left = deviations(results, next, isComplete);
    const todo = left.length === 0 ? '' : `; replace every "${UNEXPLAINED}" by a cause`;
    say(`expected-differences.json is written${todo}`);
    return new Set(left.map(({ at }) => at)).size;
  }
  const found = deviations(results, list, isComplete);
  for (const { at, problem } of found) say(`✗ ${at}: ${problem}`);
  return new Set(found.map(({ at }) => at)).size;
}

function progress({ group, outcomes }: GroupResult): void {
  const { same, exchanges } = tally(outcomes);
  process.stderr.write(`${group}: ${same} of ${exchanges}\n`);
}

/** An unusable kubeconfig is a mistake of the caller: no stack trace. */
function unusable(error: unknown): number {
  if (!(error instanceof KubeconfigError)) throw error;
  say(`${values.kubeconfig}: ${error.message}`);
  return 2;
}
