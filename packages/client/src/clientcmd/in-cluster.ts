import { readFile } from 'node:fs/promises';
import { type Environment, systemEnvironment } from '../lib/index.ts';
import type { Config } from '../transport/index.ts';
import { ConfigError } from './config-error.ts';

const FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

export interface InClusterOptions {
  readonly env?: Environment;
  /** Where the pod finds its service account. Default: where Kubernetes mounts it. */
  readonly folder?: string;
}

/** True if this process runs in a pod, as far as its environment tells. */
export function isInCluster(env: Environment = systemEnvironment()): boolean {
  return (
    (env['KUBERNETES_SERVICE_HOST'] ?? '') !== '' && (env['KUBERNETES_SERVICE_PORT'] ?? '') !== ''
  );
}

/**
 * The configuration of a program that runs in a pod: its service account's token, which is read
 * again as the kubelet renews it, and the cluster's CA.
 */
export async function inClusterConfig({
  env = systemEnvironment(),
  folder = FOLDER,
}: InClusterOptions = {}): Promise<Config> {
  if (!isInCluster(env)) {
    throw new ConfigError('CONFIG_NOT_IN_CLUSTER', 'this process does not run in a pod', {
      hint: 'KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set; use a kubeconfig instead.',
    });
  }
  const host = env['KUBERNETES_SERVICE_HOST'] ?? '';
  const port = env['KUBERNETES_SERVICE_PORT'] ?? '';
  const tokenFile = `${folder}/token`;
  const token = await readFile(tokenFile, 'utf8').catch((error: unknown) => {
    throw new ConfigError('CONFIG_UNREADABLE', `${tokenFile}: cannot be read`, { cause: error });
  });
  const caFile = `${folder}/ca.crt`;
  const hasCa = await readFile(caFile).then(
    () => true,
    () => false,
  );
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    namespace: (await inClusterNamespace({ env, folder })) ?? 'default',
    ...(hasCa && { tls: { caFile } }),
    auth: { token: token.trim(), tokenFile },
  };
}

/** The namespace that the pod runs in; undefined outside of one. */
export async function inClusterNamespace({
  env = systemEnvironment(),
  folder = FOLDER,
}: InClusterOptions = {}): Promise<string | undefined> {
  const told = env['POD_NAMESPACE'] ?? '';
  if (told !== '') return told;
  const text = await readFile(`${folder}/namespace`, 'utf8').catch(() => '');
  return text.trim() === '' ? undefined : text.trim();
}
