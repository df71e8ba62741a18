import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import {
  ApiServer,
  type ApiServerOptions,
  parseAdmissionPlugins,
  parseControllers,
  parseRuntimeConfig,
} from '@client-ts/apiserver';
import { FakeKubelet, WorkloadControllers } from '@client-ts/simulator';
import { writeKubeconfig } from 'client-ts/clientcmd';
import { ClientError, onAbort } from 'client-ts/internal';
import { Clientset } from 'client-ts/kubernetes';
import { applyObjects } from 'client-ts/manifests';
import { RESTClient } from 'client-ts/rest';

import { CliError } from '../frame/cli-error.ts';
import type { CommandContext } from '../frame/context.ts';
import { printable } from '../frame/printable.ts';
import { qualifiedName } from '../print/object-printer.ts';
import { readManifests } from '../resources/manifests.ts';
import { claimDirectory, defaultKubeconfig } from './claim-directory.ts';

/** Options of `client-ts serve`. */
export interface ServeOptions extends Pick<
  ApiServerOptions,
  'authorization' | 'host' | 'kubernetesVersion' | 'port' | 'token'
> {
  /** Undefined: {@link defaultKubeconfig}, of which a directory has one. */
  readonly kubeconfigOut: string | undefined;
  /** The directory that keeps the state. Undefined: none. */
  readonly data: string | undefined;
  /** Files with objects to apply before the server is announced. */
  readonly load: readonly string[];
  /** Whether simulated controllers make pods and endpoints. */
  readonly controllers: 'none' | 'simulated';
  /** A PEM file with certificates of CAs for client certificates. */
  readonly clientCAFile: string | undefined;
  /** As `--runtime-config` of kube-apiserver. */
  readonly runtimeConfig: string;
  /** As `--controllers` of kube-controller-manager. */
  readonly ownControllers: string;
  /** As `--enable-admission-plugins` of kube-apiserver. */
  readonly enabledPlugins: string;
  /** As `--disable-admission-plugins` of kube-apiserver. */
  readonly disabledPlugins: string;
}

/**
 * Runs the embedded API server until the signal of the context aborts. The kubeconfig is written
 * after everything is loaded: a failed start leaves no file behind.
 */
export async function serve(settings: ServeOptions, context: CommandContext): Promise<void> {
  const { kubeconfigOut, data, load, controllers, ...others } = settings;
  const { clientCAFile, runtimeConfig, ownControllers, ...more } = others;
  const { enabledPlugins, disabledPlugins, ...options } = more;
  await using _claim =
    kubeconfigOut === undefined
      ? await claimDirectory(context, 'Stop it, or name another file with --kubeconfig-out.')
      : undefined;
  await using kubelet =
    controllers === 'simulated' ? new FakeKubelet({ unknownCommands: 'app' }) : undefined;
  await using server = await start({
    ...options,
    kubelet,
    data: data === undefined ? undefined : resolve(context.workingDirectory, data),
    ...(clientCAFile !== undefined && { clientCA: await readClientCA(clientCAFile, context) }),
    runtimeConfig: parseRuntimeConfig(runtimeConfig),
    controllers: parseControllers(ownControllers),
    admissionPlugins: parseAdmissionPlugins(enabledPlugins, disabledPlugins),
  });
  await using client = new Clientset(
    RESTClient.over(server.transport(), { onWarning: () => undefined }),
  );
  if (load.length > 0) await applyAll(load, server, context);
  await using _controllers =
    controllers === 'simulated'
      ? await WorkloadControllers.start({ client, clock: context.clock, nodes: 3, kubelet })
      : undefined;
  const kubeconfig = resolve(context.workingDirectory, kubeconfigOut ?? defaultKubeconfig);
  await writeKubeconfig(kubeconfig, server.kubeconfig, {
    // Only the user may point it elsewhere.
    followLinks: kubeconfigOut !== undefined,
    hint: 'Name another file with --kubeconfig-out.',
  });
  context.out(greeting(server.url, kubeconfig));
  await aborted(context.signal);
  context.out('Stopping.');
}

/** Applies the objects of files, and prints each. */
async function applyAll(
  files: readonly string[],
  server: ApiServer,
  context: CommandContext,
): Promise<void> {
  const objects = await readManifests(files, context);
  const client = new Clientset(RESTClient.over(server.transport()));
  await applyObjects(client, objects, {
    fieldManager: 'client-ts',
    force: true,
    signal: context.signal,
    onResult: ({ object, outcome }) => {
      if (outcome !== 'failed') context.out(printable(`${qualifiedName(object)} applied`));
    },
  });
}

async function readClientCA(file: string, context: CommandContext): Promise<string> {
  try {
    return await readFile(resolve(context.workingDirectory, file), 'utf8');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CliError('CLI_FILE_UNREADABLE', `cannot read ${file}: ${reason}`, { cause });
  }
}

async function start(options: ApiServerOptions): Promise<ApiServer> {
  try {
    return await ApiServer.start(options);
  } catch (cause) {
    if (cause instanceof ClientError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CliError('CLI_SERVER_NOT_STARTED', `the server did not start: ${reason}`, { cause });
  }
}

function greeting(url: string, kubeconfig: string): string {
  return `A Kubernetes API server is running at ${url}

Try, in another terminal:

  export KUBECONFIG='${kubeconfig}'
  kubectl get namespaces
  kubectl create configmap greeting --from-literal=text=hello
  client-ts watch configmaps

Ctrl-C stops it.`;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((stop) => void onAbort(signal, stop));
}
