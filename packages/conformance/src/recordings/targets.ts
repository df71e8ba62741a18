import { HttpsTransport } from '../http/https-transport.ts';
import { loadKubeconfig, withoutCredentials } from '../http/kubeconfig.ts';
import type { ReplayTarget } from './target.ts';

/**
 * Any server that a kubeconfig leads to. `etcd` is the address of its store (plain HTTP, the JSON
 * gateway of etcd 3), without which nothing can be compacted on demand.
 */
export async function kubeconfigTarget(file: string, etcd?: string): Promise<ReplayTarget> {
  const endpoint = await loadKubeconfig(file);
  const admin = new HttpsTransport(endpoint);
  const anonymous = new HttpsTransport(withoutCredentials(endpoint));
  return {
    admin,
    anonymous,
    ...(etcd !== undefined && { compact: () => compactEtcd(etcd) }),
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
  // Any read tells the newest revision; the key `a` does not exist.
  const { header } = await call('/v3/kv/range', { key: 'YQ==' });
  await call('/v3/kv/compaction', { revision: header?.revision, physical: true });
}
