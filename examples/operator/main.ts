/**
 * An operator for WebSets, each a number of equal, numbered pods. It owns its pods, writes a status and
 * events, cleans up with a finalizer, and uses leader election, so that several replicas may run.
 *
 *   npx node examples/operator/main.ts                       on an embedded server, with a short demo
 *   npx node examples/operator/main.ts --kubeconfig FILE     on a cluster, until Ctrl-C
 *   npx node examples/operator/main.ts --cluster             on the cluster it runs in, see examples/deploy
 *
 * With --inspect it serves the inspector and prints its address; the demo then repeats until Ctrl-C.
 *
 * Further options: --namespace NAME (default), --identity NAME (host and process), --lease SECONDS (15),
 * --shards N (all replicas work, each on its shards). For the chaos run: --stamp (creations carry the
 * time at which they were sent), --step MS (the pause after each pod), --sabotage NAME (breaks a rule).
 */
import { hostname } from 'node:os';
import { parseArgs } from 'node:util';
import { Clientset, loadConfig } from 'client-ts';
import { shutdownSignal } from 'client-ts/controller';

import { installWebSets } from './install.ts';
import { runOperator, SABOTAGES } from './operator.ts';
import { stamped } from './stamp.ts';
import { runDemo } from './demo.ts';

const { values } = parseArgs({
  options: {
    kubeconfig: { type: 'string' },
    cluster: { type: 'boolean', default: false },
    namespace: { type: 'string', default: 'default' },
    inspect: { type: 'boolean', default: false },
    identity: { type: 'string', default: `${hostname()}-${process.pid}` },
    lease: { type: 'string', default: '15' },
    shards: { type: 'string' },
    stamp: { type: 'boolean', default: false },
    step: { type: 'string', default: '0' },
    sabotage: { type: 'string' },
  },
});

const sabotage = SABOTAGES.find((known) => known === values.sabotage);
if (sabotage !== values.sabotage) {
  console.error(`--sabotage: "${values.sabotage}" is none of ${SABOTAGES.join(', ')}`);
  process.exit(2);
}

const stop = new AbortController();

const options = {
  namespace: values.namespace,
  identity: values.identity,
  leaseDurationMs: Number(values.lease) * 1000,
  shards: values.shards === undefined ? undefined : Number(values.shards),
  stepMs: Number(values.step),
  isInspected: values.inspect,
  sabotage,
  signal: AbortSignal.any([stop.signal, shutdownSignal()]),
  log: (line: string) => console.log(line),
};

if (values.kubeconfig === undefined && !values.cluster) {
  const { ApiServer } = await import('@client-ts/apiserver');
  await using server = await ApiServer.start();
  await using client = new Clientset(server.config);
  await installWebSets(client);
  const running = runOperator({ ...options, identity: 'operator-0', config: server.config });
  try {
    await runDemo(client, { ...options, isEndless: values.inspect });
  } catch (error) {
    if (!options.signal.aborted) throw error;
  }
  stop.abort();
  await running;
} else {
  const { kubeconfig } = values;
  const config = await loadConfig(kubeconfig === undefined ? {} : { kubeconfig });
  if (!values.cluster) {
    await using client = new Clientset(config);
    await installWebSets(client);
  }
  const outcome = await runOperator({
    ...options,
    config: values.stamp ? stamped(config) : config,
    isTraced: values.stamp,
  });
  // The supervisor of the process restarts it.
  if (outcome === 'lost') process.exitCode = 1;
}
