import { ApiServer } from '@client-ts/apiserver';
import { HttpsTransport } from '../http/https-transport.ts';
import {
  loadKubeconfig,
  readKubeconfig,
  type Endpoint,
  withoutCredentials,
} from '../http/kubeconfig.ts';
import type { SuiteTarget } from './run.ts';

type DisposableTarget = AsyncDisposable & SuiteTarget;

/** Connects to the server of a kubeconfig. */
export async function kubeconfigSuiteTarget(file: string): Promise<DisposableTarget> {
  return transportsTo(await loadKubeconfig(file));
}

/** Starts an embedded server with all its controllers and with RBAC, over TLS. */
export async function embeddedSuiteTarget(): Promise<DisposableTarget> {
  const server = await ApiServer.start({ authorization: 'rbac' });
  const transports = transportsTo(await readKubeconfig(server.kubeconfig, '.'));
  return {
    ...transports,
    async [Symbol.asyncDispose](): Promise<void> {
      await transports[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

function transportsTo(endpoint: Endpoint): DisposableTarget {
  const admin = new HttpsTransport(endpoint);
  const anonymous = new HttpsTransport(withoutCredentials(endpoint));
  return {
    admin,
    anonymous,
    async [Symbol.asyncDispose](): Promise<void> {
      await admin[Symbol.asyncDispose]();
      await anonymous[Symbol.asyncDispose]();
    },
  };
}
