import { parseArgs } from 'node:util';
import { KubeconfigError } from './http/kubeconfig.ts';
import { describeResults, type SuiteReport } from './suite/report.ts';
import { runSuite } from './suite/run.ts';
import { embeddedSuiteTarget, kubeconfigSuiteTarget } from './suite/targets.ts';

const USAGE = `npm run conformance [-- options]

Check the behaviour of an API server from the outside, in its own namespaces.

  --kubeconfig FILE   server to test (default: the embedded server, over TLS)
  --only TEXT         run only checks whose "area: name" contains TEXT
`;

const { values } = parseArgs({
  options: {
    kubeconfig: { type: 'string' },
    only: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const say = (line: string): void => void process.stdout.write(`${line}\n`);

if (values.help) say(USAGE);
else process.exitCode = await main().catch(unusable);

async function main(): Promise<number> {
  const { kubeconfig, only } = values;
  await using target =
    kubeconfig === undefined
      ? await embeddedSuiteTarget()
      : await kubeconfigSuiteTarget(kubeconfig);
  const results = await runSuite(target, {
    ...(only !== undefined && { matching: only }),
    onArea: ([first]) => void process.stderr.write(`${first?.area ?? ''} done\n`),
  });
  const report: SuiteReport = describeResults(results);
  say(report.text);
  return report.failed === 0 && report.passed > 0 ? 0 : 1;
}

/** An unusable kubeconfig is a mistake of the caller: no stack trace. */
function unusable(error: unknown): number {
  if (!(error instanceof KubeconfigError)) throw error;
  say(`${values.kubeconfig}: ${error.message}`);
  return 2;
}
