import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { writeKubeconfig } from 'client-ts/clientcmd';
import { ClientError } from 'client-ts/internal';

import { parseControllers } from '../controllers/controllers.ts';
import { parseAdmissionPlugins } from '../registry/admission-plugins.ts';
import { parseRuntimeConfig } from '../registry/runtime-config.ts';
import { checkKubernetesVersion } from '../schema/release.ts';
import { ApiServer, type ApiServerOptions } from './api-server.ts';

/** The parts of the process that the command uses. */
export interface CommandContext {
  /** Writes one line to standard output. */
  readonly out: (line: string) => void;
  /** Writes one line to standard error. */
  readonly err: (line: string) => void;
  /** Stops the server when it aborts. */
  readonly signal: AbortSignal;
  readonly workingDirectory: string;
}

const USAGE = `Usage: client-ts-apiserver [options]

Run a Kubernetes API server over TLS until Ctrl-C. It has no nodes, and all state is lost when it
stops, unless --data names a directory to keep it in.

Options:
  --port PORT              port to listen on (default: any free port)
  --host ADDRESS           address to listen on (default: 127.0.0.1)
  --kubeconfig-out FILE    write the kubeconfig to FILE (default: .kube/client-ts.kubeconfig)
  --token TOKEN            bearer token of the administrator (default: random)
  --data DIR               keep the state in DIR, and continue with it (default: in memory only)
  --authorization MODE     rbac: roles decide (default); allow: authenticated users may do everything
  --client-ca FILE         authenticate client certificates of the CAs in this PEM file, too
  --kubernetes-version V   release whose API the server has: 1.34, 1.35 or 1.36 (default: 1.36)
  --runtime-config LIST    API versions to switch on or off: api/all=true,batch/v1=false
                           (default: stable versions only)
  --own-controllers LIST   controllers of kube-controller-manager to run: *,-namespace-controller (default: *)
  --enable-admission-plugins LIST   admission plugins to switch on, as for kube-apiserver: ServiceAccount
  --disable-admission-plugins LIST  admission plugins to switch off: DefaultTolerationSeconds,LimitRanger
  --help                   show this help`;

const KUBECONFIG = '.kube/client-ts.kubeconfig';

/**
 * Runs the server until the signal aborts. Resolves to the exit code: 0 after a requested stop, 1
 * if the server could not start, 2 for invalid arguments.
 */
export async function runCommand(
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  let settings: Settings;
  try {
    settings = readSettings(args);
  } catch (error) {
    context.err(`error: ${messageOf(error)}\n\n${USAGE}`);
    return 2;
  }
  if (settings.help) {
    context.out(USAGE);
    return 0;
  }
  try {
    const { clientCAFile } = settings;
    const { data, ...options } = settings.options;
    await using server = await ApiServer.start({
      ...options,
      ...(data !== undefined && { data: resolve(context.workingDirectory, data) }),
      ...(clientCAFile !== undefined && {
        clientCA: await readFile(resolve(context.workingDirectory, clientCAFile), 'utf8'),
      }),
    });
    const { kubeconfigOut = KUBECONFIG } = settings;
    const kubeconfig = resolve(context.workingDirectory, kubeconfigOut);
    await writeKubeconfig(kubeconfig, server.kubeconfig, {
      followLinks: settings.kubeconfigOut !== undefined,
    });
    context.out(greeting(server.url, kubeconfig));
    await aborted(context.signal);
    context.out('Stopping.');
    return 0;
  } catch (error) {
    context.err(`error: the API server could not start: ${messageOf(error)}`);
    if (error instanceof ClientError && error.hint !== undefined)
      context.err(`hint: ${error.hint}`);
    return 1;
  }
}

interface Settings {
  readonly help: boolean;
  /** The value of `--client-ca`. */
  readonly clientCAFile: string | undefined;
  /** The value of `--kubeconfig-out`. */
  readonly kubeconfigOut: string | undefined;
  readonly options: ApiServerOptions;
}

function readSettings(args: readonly string[]): Settings {
  const { values } = parseArgs({
    args: [...args],
    options: {
      authorization: { type: 'string' },
      'client-ca': { type: 'string' },
      data: { type: 'string' },
      'disable-admission-plugins': { type: 'string' },
      'enable-admission-plugins': { type: 'string' },
      help: { type: 'boolean' },
      host: { type: 'string' },
      'kubeconfig-out': { type: 'string' },
      'kubernetes-version': { type: 'string' },
      'own-controllers': { type: 'string' },
      port: { type: 'string' },
      'runtime-config': { type: 'string' },
      token: { type: 'string' },
    },
  });
  const { authorization, data, host, port, token } = values;
  const { 'own-controllers': controllers, 'runtime-config': runtimeConfig } = values;
  const { 'kubernetes-version': kubernetesVersion } = values;
  if (kubernetesVersion !== undefined) checkKubernetesVersion(kubernetesVersion);
  if (authorization !== undefined && authorization !== 'allow' && authorization !== 'rbac') {
    throw new TypeError(
      `--authorization must be allow or rbac, not ${JSON.stringify(authorization)}`,
    );
  }
  return {
    help: values.help ?? false,
    kubeconfigOut: values['kubeconfig-out'],
    clientCAFile: values['client-ca'],
    options: {
      ...(authorization !== undefined && { authorization }),
      ...(data !== undefined && { data }),
      ...(host !== undefined && { host }),
      ...(port !== undefined && { port: portNumber(port) }),
      ...(token !== undefined && { token }),
      ...(kubernetesVersion !== undefined && { kubernetesVersion }),
      ...(controllers !== undefined && { controllers: parseControllers(controllers) }),
      admissionPlugins: parseAdmissionPlugins(
        values['enable-admission-plugins'] ?? '',
        values['disable-admission-plugins'] ?? '',
      ),
      ...(runtimeConfig !== undefined && { runtimeConfig: parseRuntimeConfig(runtimeConfig) }),
    },
  };
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new TypeError(`--port must be a number from 0 to 65535, not ${JSON.stringify(text)}`);
  }
  return port;
}

function greeting(url: string, kubeconfig: string): string {
  return `A Kubernetes API server is running at ${url}

Try, in another terminal:

  export KUBECONFIG='${kubeconfig}'
  kubectl get namespaces
  kubectl create configmap greeting --from-literal=text=hello
  kubectl get configmaps --watch

Ctrl-C stops it.`;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((stop) => {
    if (signal.aborted) stop();
    else signal.addEventListener('abort', () => stop(), { once: true });
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
