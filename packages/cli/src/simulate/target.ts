import { join, resolve } from 'node:path';

import type { KubernetesVersion } from '@client-ts/apiserver';
import type { FakeKubelet } from '@client-ts/simulator';
import { writeKubeconfig } from 'client-ts/clientcmd';
import { Clientset } from 'client-ts/kubernetes';

import { configFor } from '../frame/connect.ts';
import { connectionFlags, type ConnectionValues } from '../frame/connection-flags.ts';
import type { CommandContext } from '../frame/context.ts';
import { UsageError } from '../frame/usage-error.ts';
import { claimDirectory, defaultKubeconfig, stateDirectory } from '../serve/claim-directory.ts';

/** The API server that a command works on, until disposed. */
export interface Target extends AsyncDisposable {
  readonly client: Clientset;
  readonly url: string;
  /** The kubeconfig of an embedded server; undefined for a server that the flags name. */
  readonly kubeconfig: string | undefined;
  /** Runs the containers of an embedded server; undefined for a server that the flags name. */
  readonly kubelet: FakeKubelet | undefined;
}

/** The flags of a call that select a server. */
export interface TargetCall {
  readonly flags: ConnectionValues;
  readonly given: ReadonlySet<string>;
}

/** True if a flag names a server. The environment is not enough to write to a cluster. */
export function namesServer({ given }: Pick<TargetCall, 'given'>): boolean {
  return Object.keys(connectionFlags).some((flag) => given.has(flag));
}

/** Throws {@link UsageError} for a simulation on a server that the flags name, without `--yes`. */
export function requireConfirmation(call: TargetCall, url: string, isConfirmed: boolean): void {
  if (isConfirmed || !namesServer(call)) return;
  throw new UsageError(
    `the simulation creates nodes, deployments, pods and events on ${url}: confirm with --yes`,
  );
}

/** Options of an embedded server. */
export interface EmbeddedOptions {
  /** Keeps its state in {@link stateDirectory}, and continues with it. Default false. */
  readonly isKept?: boolean | undefined;
  /** Default: the newest release. */
  readonly kubernetesVersion?: KubernetesVersion | undefined;
}

/** Connects to the server that the flags name, or starts an embedded one. */
export async function openTarget(
  call: TargetCall,
  context: CommandContext,
  options: EmbeddedOptions = {},
): Promise<Target> {
  if (!namesServer(call)) return await embeddedTarget(context, options);
  const flag = options.isKept === true ? '--keep' : '--kubernetes-version';
  if (options.isKept !== true && options.kubernetesVersion === undefined) {
    return await namedTarget(call, context);
  }
  throw new UsageError(`${flag} is for the embedded server, not for one that the flags name`);
}

async function namedTarget({ flags }: TargetCall, context: CommandContext): Promise<Target> {
  const config = await configFor(flags, context);
  const client = new Clientset(config);
  return {
    client,
    url: config.server,
    kubeconfig: undefined,
    kubelet: undefined,
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

async function embeddedTarget(
  context: CommandContext,
  { isKept = false, kubernetesVersion }: EmbeddedOptions,
): Promise<Target> {
  const { ApiServer } = await import('@client-ts/apiserver');
  const { FakeKubelet } = await import('@client-ts/simulator');
  const opened: AsyncDisposable[] = [await claimDirectory(context)];
  const close = async (): Promise<void> => {
    for (const part of opened.toReversed()) await part[Symbol.asyncDispose]();
  };
  try {
    const kubelet = new FakeKubelet({ clock: context.clock });
    opened.push(kubelet);
    const data = join(context.workingDirectory, stateDirectory, 'cluster');
    const server = await ApiServer.start({
      kubelet,
      kubernetesVersion,
      ...(isKept && { data }),
    });
    opened.push(server);
    const kubeconfig = resolve(context.workingDirectory, defaultKubeconfig);
    const hint = 'Start it in a directory you can write to.';
    await writeKubeconfig(kubeconfig, server.kubeconfig, { hint });
    const client = new Clientset(server.config);
    opened.push(client);
    return { client, url: server.url, kubeconfig, kubelet, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}
