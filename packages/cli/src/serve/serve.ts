import { resolve } from 'node:path';

import { ApiServer, type ApiServerOptions } from '@client-ts/apiserver';
import { writeKubeconfig } from 'client-ts/clientcmd';
import { ClientError, onAbort } from 'client-ts/internal';

import type { CommandContext } from '../frame/context.ts';
import { applyManifests } from './manifests.ts';

/** What `client-ts serve` was asked for. */
export interface ServeOptions extends Pick<
  ApiServerOptions,
  'authorization' | 'host' | 'port' | 'token'
> {
  readonly kubeconfigOut: string;
  /** True if the user chose the path: a symbolic link there is then followed. */
  readonly followLinks: boolean;
  /** Files with objects to begin with. */
  readonly load: readonly string[];
}

/** Runs the embedded API server until the signal of the context aborts. */
export async function serve(
  { kubeconfigOut, followLinks, load, ...options }: ServeOptions,
  context: CommandContext,
): Promise<void> {
  await using server = await start(options);
  const kubeconfig = resolve(context.workingDirectory, kubeconfigOut);
  await writeKubeconfig(kubeconfig, server.kubeconfig, {
    followLinks,
    hint: 'Name another place with --kubeconfig-out.',
  });
  if (load.length > 0) await applyManifests(load, server.transport(), context);
  context.out(greeting(server.url, kubeconfig));
  await aborted(context.signal);
  context.out('Stopping.');
}

async function start(options: ApiServerOptions): Promise<ApiServer> {
  try {
    return await ApiServer.start(options);
  } catch (cause) {
    if (cause instanceof ClientError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ClientError('SERVER_NOT_STARTED', `the server could not start: ${reason}`, {
      cause,
      hint: 'Choose another --port or --host, or leave them out.',
    });
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
