import { type Environment, systemEnvironment } from '../lib/index.ts';
import type { Config } from '../transport/index.ts';
import { clientConfigOf } from './client-config.ts';
import { ConfigError } from './config-error.ts';
import { inClusterConfig, isInCluster } from './in-cluster.ts';
import { emptyKubeConfig, isEmptyKubeConfig } from './kubeconfig.ts';
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
 * Returns the configuration for the two flags that many programs have: a server's URL and a
 * kubeconfig. With neither, it is that of the pod. No kubeconfig is read unless its path is given:
 * the user of another cluster is never sent to `masterUrl`.
 */
export async function buildConfigFromFlags(masterUrl = '', kubeconfigPath = ''): Promise<Config> {
  if (masterUrl === '' && kubeconfigPath === '') {
    if (isInCluster()) return await inClusterConfig();
    throw new ConfigError('CONFIG_EMPTY', 'neither a server nor a kubeconfig is given', {
      hint: 'Give one of them, or use loadConfig, which looks for a kubeconfig itself.',
    });
  }
  const config =
    kubeconfigPath === '' ? emptyKubeConfig : await loadKubeConfig({ kubeconfig: kubeconfigPath });
  return await clientConfigOf(config, masterUrl === '' ? {} : { server: masterUrl });
}
