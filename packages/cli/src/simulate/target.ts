import { resolve } from 'node:path';

import { writeKubeconfig } from 'client-ts/clientcmd';
import { Clientset } from 'client-ts/kubernetes';

import { configFor } from '../frame/connect.ts';
import { connectionFlags, type ConnectionValues } from '../frame/connection-flags.ts';
import type { CommandContext } from '../frame/context.ts';

/** Where the kubeconfig of the embedded server goes, seen from where the command was started. */
const kubeconfigPath = '.kube/client-ts.kubeconfig';

/** A server to work on, until disposed. */
export interface Target extends AsyncDisposable {
  readonly client: Clientset;
  readonly url: string;
  /** The file that leads to it, if it is one of our own. */
  readonly kubeconfig: string | undefined;
}

/** How a command was called, as far as servers are concerned. */
export interface TargetCall {
  readonly flags: ConnectionValues;
  readonly given: ReadonlySet<string>;
}

/** True if the call names a server. What the environment says is not enough to work on it. */
export function namesServer({ given }: Pick<TargetCall, 'given'>): boolean {
  return Object.keys(connectionFlags).some((flag) => given.has(flag));
}

/** The server that the call names, or an embedded one that lives as long as the command. */
export async function openTarget(call: TargetCall, context: CommandContext): Promise<Target> {
  return namesServer(call) ? await namedTarget(call, context) : await embeddedTarget(context);
}

async function namedTarget({ flags }: TargetCall, context: CommandContext): Promise<Target> {
  const config = await configFor(flags, context);
  const client = new Clientset(config);
  return {
    client,
    url: config.server,
    kubeconfig: undefined,
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

async function embeddedTarget({ workingDirectory }: CommandContext): Promise<Target> {
  const { ApiServer } = await import('@client-ts/apiserver');
  const server = await ApiServer.start();
  try {
    const kubeconfig = resolve(workingDirectory, kubeconfigPath);
    const hint = 'Start it in a folder that you may write to.';
    await writeKubeconfig(kubeconfig, server.kubeconfig, { hint });
    const client = new Clientset(server.config);
    return {
      client,
      url: server.url,
      kubeconfig,
      [Symbol.asyncDispose]: async () => {
        await client[Symbol.asyncDispose]();
        await server[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}
