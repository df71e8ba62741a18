import { parseArgs } from 'node:util';
import { ApiServer } from '@client-ts/apiserver';
import { type Config, Clientset, loadConfig } from 'client-ts';

/** A cluster to try things on. */
export interface Cluster extends AsyncDisposable {
  readonly config: Config;
  /** Set if the cluster is an embedded server, with some pods in the namespace `default`. */
  readonly server?: ApiServer;
}

/** The cluster of `--kubeconfig FILE`, or an embedded one that goes when it is disposed. */
export async function connect(): Promise<Cluster> {
  const { values } = parseArgs({ options: { kubeconfig: { type: 'string' } } });
  if (values.kubeconfig !== undefined) {
    const config = await loadConfig({ kubeconfig: values.kubeconfig });
    return { config, [Symbol.asyncDispose]: async () => undefined };
  }
  const server = await ApiServer.start();
  await addPods(server.config);
  return {
    config: server.config,
    server,
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
