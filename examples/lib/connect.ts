import { parseArgs, type ParseArgsConfig } from 'node:util';
import { ApiServer } from '@client-ts/apiserver';
import { type Config, Clientset, loadConfig } from 'client-ts';

/** A cluster for an example. */
export interface Cluster extends AsyncDisposable {
  readonly config: Config;
  /** Set if the cluster is an embedded server; it has some pods in the namespace `default`. */
  readonly server?: ApiServer;
  /** The other command line flags. */
  readonly flags: Readonly<Record<string, unknown>>;
}

/**
 * Connects to the cluster of `--kubeconfig FILE`, or starts an embedded server that stops when it is
 * disposed. `options` describes further flags as for Node's `parseArgs`.
 */
export async function connect(options: ParseArgsConfig['options'] = {}): Promise<Cluster> {
  const ours: ParseArgsConfig['options'] = { kubeconfig: { type: 'string' } };
  const flags: Cluster['flags'] = parseArgs({ options: { ...options, ...ours } }).values;
  const { kubeconfig } = flags;
  if (typeof kubeconfig === 'string') {
    const config = await loadConfig({ kubeconfig });
    return { config, flags, [Symbol.asyncDispose]: async () => undefined };
  }
  const server = await ApiServer.start();
  await addPods(server.config);
  return {
    config: server.config,
    server,
    flags,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function addPods(config: Config): Promise<void> {
  await using client = new Clientset(config);
  const pods = client.coreV1.pods('default');
  for (const [name, app] of [
    ['web-0', 'web'],
    ['web-1', 'web'],
    ['worker-0', 'worker'],
  ] as const) {
    const containers = [{ name: app, image: `example.com/${app}:1` }];
    await pods.create({ metadata: { name, labels: { app } }, spec: { containers } });
    await pods.bind(name, 'node-1');
  }
}
