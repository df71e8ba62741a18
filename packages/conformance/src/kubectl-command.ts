import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { ApiServer } from '@client-ts/apiserver';
import { FakeKubelet } from '@client-ts/simulator';
import { systemRandom } from 'client-ts/internal';
import { removeNamespaces } from './http/clean-up.ts';
import { HttpsTransport } from './http/https-transport.ts';
import { KubeconfigError, loadKubeconfig, readKubeconfig } from './http/kubeconfig.ts';
import { findKubectl, NoKubectlError } from './kubectl/find-kubectl.ts';
import { Kubectl } from './kubectl/kubectl.ts';
import { scenario } from './kubectl/scenario.ts';
import { deviations, loadExpected } from './recordings/expected.ts';
import { loadRecordings } from './recordings/format.ts';
import { tally } from './recordings/report.ts';
import { runCommands } from './recordings/run.ts';

const USAGE = `npm run kubectl [-- options]

Run everyday commands with a real kubectl: $KUBECTL, the one in PATH, or Debian's package.

  --kubeconfig FILE   server to test (default: the embedded server, over TLS)
  --only TEXT         run only steps whose name contains TEXT; later steps need earlier ones
`;

const { values } = parseArgs({
  options: {
    kubeconfig: { type: 'string' },
    only: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});

const say = (line: string): void => void process.stdout.write(`${line}\n`);

if (values.help) say(USAGE);
else process.exitCode = await main().catch(unusable);

async function main(): Promise<number> {
  let binary: string;
  try {
    binary = await findKubectl(say);
  } catch (error) {
    if (!(error instanceof NoKubectlError)) throw error;
    say(`\nCANNOT RUN: ${error.message}\n`);
    return 1;
  }
  if (values.kubeconfig !== undefined) {
    // Reports an unusable kubeconfig in one sentence, before kubectl does in many.
    await loadKubeconfig(values.kubeconfig);
    return await run(binary, await readFile(values.kubeconfig, 'utf8'));
  }
  const recorded = await replayRecordedRequests();
  await using kubelet = new FakeKubelet();
  await using server = await ApiServer.start({ kubelet });
  return Math.max(recorded, await run(binary, server.kubeconfig));
}

/** Replays the recorded requests of kubectl 1.36, without kubectl. */
async function replayRecordedRequests(): Promise<number> {
  const result = await runCommands(await loadRecordings());
  const { exchanges, different } = tally(result.outcomes);
  say(`${exchanges} recorded requests of kubectl 1.36, ${different} answered differently`);
  const unexpected = deviations([result], await loadExpected(), false);
  for (const { at, problem } of unexpected) say(`  ✗ ${at}: ${problem}`);
  return unexpected.length === 0 ? 0 : 1;
}

async function run(binary: string, kubeconfig: string): Promise<number> {
  const namespace = `kubectl-${systemRandom.uuid().slice(0, 8)}`;
  await using kubectl = await Kubectl.prepare({ binary, kubeconfig, namespace });
  say(`kubectl 1.${kubectl.minor} (${binary})`);
  let passed = 0;
  let failed = 0;
  for (const { name, since = 0, needsKubelet = false, run: step } of scenario) {
    if (!name.includes(values.only)) continue;
    if (needsKubelet && values.kubeconfig !== undefined) {
      say(`  - ${name}: needs nodes that run pods`);
      continue;
    }
    if (kubectl.minor < since) {
      say(`  - ${name}: needs kubectl 1.${since}`);
      continue;
    }
    try {
      await step(kubectl);
      passed++;
      say(`  ✓ ${name}`);
    } catch (error) {
      failed++;
      say(`  ✗ ${name}`);
      say((error instanceof Error ? error.message : String(error)).replaceAll(/^/gm, '      '));
    }
  }
  // Without a namespace controller, a deleted namespace would never be removed.
  await using admin = new HttpsTransport(await readKubeconfig(kubeconfig, '.'));
  await removeNamespaces(admin, (name) => name === namespace);
  say(`\n${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

/** An unusable kubeconfig is a mistake of the caller: no stack trace. */
function unusable(error: unknown): number {
  if (!(error instanceof KubeconfigError)) throw error;
  say(`${values.kubeconfig}: ${error.message}`);
  return 2;
}
