import { ApiServer } from '@client-ts/apiserver';
import { loadConfig } from 'client-ts/clientcmd';
import type { Config } from 'client-ts/transport';

/** A server that clients can be tried on, until it is disposed. */
export interface RunningTarget extends AsyncDisposable {
  /** As administrator. */
  readonly config: Config;
}

/** A way to reach a server. */
export interface ClientTarget {
  readonly name: string;
  readonly start: () => Promise<RunningTarget>;
}

/** Every way in which a client reaches the embedded server. */
export const ways: readonly {
  readonly name: string;
  readonly configOf: (server: ApiServer) => Config;
}[] = [
  { name: 'over TLS and HTTP/2', configOf: (server) => server.config },
  {
    name: 'over TLS and HTTP/1.1',
    configOf: (server) => ({ ...server.config, protocol: 'http1' }),
  },
  {
    name: 'without sockets',
    configOf: (server) => ({ server: server.url, transport: server.transport() }),
  },
];

/**
 * The embedded server in every way; and, if `CONFORMANCE_KUBECONFIG` names a kubeconfig, the server
 * that it leads to. What is tried there is named at random and removed.
 */
export const targets: readonly ClientTarget[] = [
  ...ways.map(({ name, configOf }) => ({ name, start: () => embedded(configOf) })),
  ...named(process.env['CONFORMANCE_KUBECONFIG']),
];

async function embedded(configOf: (server: ApiServer) => Config): Promise<RunningTarget> {
  const server = await ApiServer.start({ authorization: 'rbac' });
  return {
    config: configOf(server),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function named(kubeconfig: string | undefined): ClientTarget[] {
  if (kubeconfig === undefined) return [];
  const start = async (): Promise<RunningTarget> => ({
    config: await loadConfig({ kubeconfig }),
    [Symbol.asyncDispose]: async () => undefined,
  });
  return [{ name: `with ${kubeconfig}`, start }];
}
