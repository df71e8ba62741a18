import { ApiServer } from '@client-ts/apiserver';
import { type Clock, seededRandom } from 'client-ts/internal';
import type { Transport } from 'client-ts/transport';

import { HttpsTransport } from '../http/https-transport.ts';
import {
  type Endpoint,
  loadKubeconfig,
  readKubeconfig,
  withoutCredentials,
} from '../http/kubeconfig.ts';

/** A server to replay recordings against. */
export interface ReplayTarget extends AsyncDisposable {
  /** Sends requests with the credentials of the cluster administrator. */
  readonly admin: Transport;
  /** Sends requests without credentials, except those in their headers. */
  readonly anonymous: Transport;
  /** Compacts the whole history. Without it, exchanges that need it are skipped. */
  readonly compact?: () => Promise<void>;
}

/**
 * Connects to the server of a kubeconfig. `etcd` is the URL of its store (plain HTTP, the JSON
 * gateway of etcd 3), which is needed for compaction.
 */
export async function kubeconfigTarget(file: string, etcd?: string): Promise<ReplayTarget> {
  return {
    ...transportsTo(await loadKubeconfig(file)),
    ...(etcd !== undefined && { compact: () => compactEtcd(etcd) }),
  };
}

/** Starts an embedded server over TLS, configured like the recorded one. */
export async function embeddedTarget(clock: Clock): Promise<ReplayTarget> {
  const server = await ApiServer.start({
    clock,
    // Some recorded requests contain addresses that the recorded server chose: with other random numbers,
    // the embedded one would now and then choose the same.
    random: seededRandom(1),
    controllers: false,
    token: 'unused',
    tokens: { recorder: { name: 'admin', uid: 'admin', groups: ['system:masters'] } },
  });
  const endpoint = await readKubeconfig(server.kubeconfig, '.');
  const transports = transportsTo({ ...endpoint, authorization: 'Bearer recorder' });
  return {
    ...transports,
    // The recorded server's store was compacted, but its watch caches were not.
    compact: async () => server.compact({ keepWatchCache: true }),
    async [Symbol.asyncDispose](): Promise<void> {
      await transports[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

function transportsTo(endpoint: Endpoint): ReplayTarget {
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

async function compactEtcd(url: string): Promise<void> {
  const call = async (path: string, body: object): Promise<{ header?: { revision?: string } }> => {
    const response = await fetch(new URL(path, url), {
      method: 'POST',
      body: JSON.stringify(body),
    });
    return (await response.json()) as { header?: { revision?: string } };
  };
  // Any read returns the newest revision; the key `a` does not exist.
  const { header } = await call('/v3/kv/range', { key: 'YQ==' });
  await call('/v3/kv/compaction', { revision: header?.revision, physical: true });
}
