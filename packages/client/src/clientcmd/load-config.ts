import { type Environment, systemEnvironment } from '../lib/index.ts';
import type { Config } from '../transport/index.ts';
import { clientConfigOf } from './client-config.ts';
import { ConfigError } from './config-error.ts';
import { inClusterConfig, isInCluster } from './in-cluster.ts';
import { isEmptyKubeConfig } from './kubeconfig.ts';
import { loadKubeConfig } from './load.ts';
import type { ConfigOverrides } from './overrides.ts';

export interface LoadConfigOptions extends ConfigOverrides {
  /** This kubeconfig and no other; it has to exist. */
  readonly kubeconfig?: string;
  readonly env?: Environment;
}

/**
 * Finds out how to reach the cluster, by kubectl's rules: the kubeconfig that is named, else those of
 * `KUBECONFIG`, else `~/.kube/config`; and if there is none, the service account of the pod that this
 * process runs in.
 */
export async function loadConfig(options: LoadConfigOptions = {}): Promise<Config> {
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
    hint: 'Set KUBECONFIG, put one at ~/.kube/config, or name a file.',
  });
}

/**
 * The two flags that many programs have: a server's URL and a kubeconfig. With neither, the pod's own
 * cluster is used.
 */
export async function buildConfigFromFlags(masterUrl = '', kubeconfigPath = ''): Promise<Config> {
  if (masterUrl === '' && kubeconfigPath === '' && isInCluster()) return await inClusterConfig();
  return await loadConfig({
    ...(masterUrl !== '' && { server: masterUrl }),
    ...(kubeconfigPath !== '' && { kubeconfig: kubeconfigPath }),
  });
}
