import { readFile } from 'node:fs/promises';
import { type Environment, systemEnvironment } from '../lib/index.ts';
import { clientConfigOf, type ConfigOverrides, type LoadedConfig } from './client-config.ts';
import { ConfigError } from './config-error.ts';
import { kubeconfigPaths } from './files.ts';
import {
  emptyKubeConfig,
  isEmptyKubeConfig,
  type KubeConfig,
  mergeKubeConfigs,
} from './kubeconfig.ts';
import { parseKubeConfig } from './parse.ts';

/** Options of {@link loadConfig}: which kubeconfig, and what to override in it. */
export interface LoadConfigOptions extends ConfigOverrides, LoadOptions {}

/**
 * Returns the config of the cluster, by kubectl's rules: from the named kubeconfig, else those of
 * `KUBECONFIG`, else `~/.kube/config`; if there is none, from the service account of the pod that
 * this process runs in.
 */
export async function loadConfig(options: LoadConfigOptions = {}): Promise<LoadedConfig> {
  const { kubeconfig, env = systemEnvironment(), ...overrides } = options;
  const config = await loadKubeConfig({ env, ...(kubeconfig !== undefined && { kubeconfig }) });
  const isNamed = kubeconfig !== undefined && kubeconfig !== '';
  if (!isEmptyKubeConfig(config) || isNamed || overrides.server !== undefined) {
    return await clientConfigOf(config, overrides);
  }
  if (isInCluster(env)) {
    const inCluster = await inClusterConfig({ env });
    return overrides.namespace === undefined
      ? inCluster
      : { ...inCluster, namespace: overrides.namespace };
  }
  throw new ConfigError('CONFIG_EMPTY', 'no kubeconfig was found', {
    hint: 'Set KUBECONFIG, create ~/.kube/config, or pass a file.',
  });
}

/**
 * Returns the config for two common flags: the URL of a server and the path of a kubeconfig. With
 * neither, it is that of the pod. A kubeconfig is read only if its path is given, so that its
 * credentials are never sent to another `masterUrl`.
 */
export async function buildConfigFromFlags(
  masterUrl = '',
  kubeconfigPath = '',
): Promise<LoadedConfig> {
  if (masterUrl === '' && kubeconfigPath === '') {
    if (isInCluster()) return await inClusterConfig();
    throw new ConfigError('CONFIG_EMPTY', 'neither a server nor a kubeconfig is given', {
      hint: 'Pass one of them, or use loadConfig, which finds a kubeconfig itself.',
    });
  }
  const config =
    kubeconfigPath === '' ? emptyKubeConfig : await loadKubeConfig({ kubeconfig: kubeconfigPath });
  return await clientConfigOf(config, masterUrl === '' ? {} : { server: masterUrl });
}

const FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Options of {@link inClusterConfig}. */
export interface InClusterOptions {
  readonly env?: Environment | undefined;
  /** The directory of the service account. Default: where Kubernetes mounts it. */
  readonly folder?: string | undefined;
}

/** True if this process runs in a pod, according to its environment variables. */
export function isInCluster(env: Environment = systemEnvironment()): boolean {
  return (
    (env['KUBERNETES_SERVICE_HOST'] ?? '') !== '' && (env['KUBERNETES_SERVICE_PORT'] ?? '') !== ''
  );
}

/**
 * Returns the config of a program that runs in a pod: the token of its service account, which is
 * read again as the kubelet renews it, and the cluster's CA.
 */
export async function inClusterConfig({
  env = systemEnvironment(),
  folder = FOLDER,
}: InClusterOptions = {}): Promise<LoadedConfig> {
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

/** Returns the namespace of the pod; undefined outside of one. */
export async function inClusterNamespace({
  env = systemEnvironment(),
  folder = FOLDER,
}: InClusterOptions = {}): Promise<string | undefined> {
  const named = env['POD_NAMESPACE'] ?? '';
  if (named !== '') return named;
  const text = await readFile(`${folder}/namespace`, 'utf8').catch(() => '');
  return text.trim() === '' ? undefined : text.trim();
}

/** Options of {@link loadKubeConfig}. */
export interface LoadOptions {
  /** Reads only this file; it must exist. */
  readonly kubeconfig?: string | undefined;
  readonly env?: Environment | undefined;
}

/**
 * Reads and merges the kubeconfig files that kubectl would read. Missing files are skipped, unless
 * one was named explicitly.
 */
export async function loadKubeConfig({
  kubeconfig,
  env = systemEnvironment(),
}: LoadOptions = {}): Promise<KubeConfig> {
  if (kubeconfig !== undefined && kubeconfig !== '') {
    const text = await readText(kubeconfig);
    if (text === undefined) {
      throw new ConfigError('CONFIG_UNREADABLE', `${kubeconfig}: there is no such file`, {
        hint: 'Check the path of the kubeconfig.',
      });
    }
    return await parseKubeConfig(text, kubeconfig);
  }
  const configs: KubeConfig[] = [];
  for (const path of kubeconfigPaths(env)) {
    const text = await readText(path);
    if (text !== undefined) configs.push(await parseKubeConfig(text, path));
  }
  return mergeKubeConfigs(configs);
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new ConfigError('CONFIG_UNREADABLE', `${path}: cannot be read`, { cause: error });
  }
}
