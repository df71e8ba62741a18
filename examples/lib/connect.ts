import { parseArgs, type ParseArgsConfig } from 'node:util';
import { ApiServer } from '@client-ts/apiserver';
import { FakeKubelet, type Program } from '@client-ts/simulator';
import { type Config, Clientset, loadConfig } from 'client-ts';

/** A cluster for an example. */
export interface Cluster extends AsyncDisposable {
  readonly config: Config;
  /** Set if the cluster is an embedded server; it has some pods in the namespace `default`. */
  readonly server?: ApiServer;
  /** Starts a pod on the embedded server. */
  readonly startPod?: (name: string, app: string) => Promise<void>;
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
  const kubelet = new FakeKubelet({ programs: { web: serveHttp, worker: serveHttp } });
  const server = await ApiServer.start({ kubelet });
  const client = new Clientset(server.config);
  const startPod = (name: string, app: string): Promise<void> => start(client, kubelet, name, app);
  await client.coreV1.nodes().create({ metadata: { name: 'node-1' } });
  for (const name of ['web-0', 'web-1']) await startPod(name, 'web');
  await startPod('worker-0', 'worker');
  return {
    config: server.config,
    server,
    startPod,
    flags,
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await kubelet.close();
      await server.close();
    },
  };
}

/** What the containers run. */
const serveHttp: Program = ({ run }) => run(['http', '80']);

/** Does the work of scheduler and kubelet, which the embedded server does not have. */
async function start(
  client: Clientset,
  kubelet: FakeKubelet,
  name: string,
  app: string,
): Promise<void> {
  const pods = client.coreV1.pods('default');
  const container = { name: app, image: `example.com/${app}:1` };
  const metadata = { name, labels: { app } };
  await pods.create({ metadata, spec: { containers: [container] } });
  const pod = await pods.bind(name, 'node-1').then(() => pods.get(name));
  void kubelet.start(pod, app);
  const running = {
    ...container,
    containerID: `example://${name}`,
    imageID: '',
    ready: true,
    restartCount: 0,
    state: { running: {} },
  };
  const conditions = [{ type: 'Ready', status: 'True' }];
  const status = { phase: 'Running', conditions, containerStatuses: [running] };
  await pods.patchStatus(name, { status }, { type: 'merge' });
}
