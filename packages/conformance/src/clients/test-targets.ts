import { ApiServer } from '@client-ts/apiserver';
import { loadConfig } from 'client-ts/clientcmd';
import type { Config } from 'client-ts/transport';

/** A running server for client tests. */
export interface RunningTarget extends AsyncDisposable {
  /** With the administrator's credentials. */
  readonly config: Config;
}

/** A way to connect to a server. */
export interface ClientTarget {
  readonly name: string;
  readonly start: () => Promise<RunningTarget>;
}

/** Every way to connect to the embedded server. */
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
 * The embedded server in every way and, if `CONFORMANCE_KUBECONFIG` is set, the server of that
 * kubeconfig. Tests use random names there and delete what they create.
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
