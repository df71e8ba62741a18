import { resolve } from 'node:path';

import { ApiServer, type ApiServerOptions } from '@client-ts/apiserver';
import { writeKubeconfig } from 'client-ts/clientcmd';
import { ClientError, onAbort } from 'client-ts/internal';

import { CliError } from '../frame/cli-error.ts';
import type { CommandContext } from '../frame/context.ts';
import { claimDirectory, defaultKubeconfig } from './claim-directory.ts';
import { applyManifests } from './manifests.ts';

/** Options of `client-ts serve`. */
export interface ServeOptions extends Pick<
  ApiServerOptions,
  'authorization' | 'host' | 'port' | 'token'
> {
  /** Undefined: {@link defaultKubeconfig}, of which a directory has one. */
  readonly kubeconfigOut: string | undefined;
  /** Files with objects to apply before the server is announced. */
  readonly load: readonly string[];
}

/**
 * Runs the embedded API server until the signal of the context aborts. The kubeconfig is written
 * after everything is loaded: a failed start leaves no file behind.
 */
export async function serve(
  { kubeconfigOut, load, ...options }: ServeOptions,
  context: CommandContext,
): Promise<void> {
  await using _claim =
    kubeconfigOut === undefined
      ? await claimDirectory(context, 'Stop it, or name another file with --kubeconfig-out.')
      : undefined;
  await using server = await start(options);
  if (load.length > 0) await applyManifests(load, server.transport(), context);
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
