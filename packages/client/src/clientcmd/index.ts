/**
 * Kubeconfig files by kubectl's rules, exec plugins, OIDC and the pod's service account.
 *
 * @module
 */

export { clientConfigOf, type ConfigOverrides, type LoadedConfig } from './client-config.ts';
export { CONFIG_ERRORS, ConfigError, type ConfigErrorCode } from './config-error.ts';
export { ExecCredentials, type ExecCredentialsOptions } from './exec-credentials.ts';
export { defaultKubeconfigPath, kubeconfigPaths } from './files.ts';
export {
  buildConfigFromFlags,
  inClusterConfig,
  inClusterNamespace,
  type InClusterOptions,
  isInCluster,
  loadConfig,
  type LoadConfigOptions,
  loadKubeConfig,
  type LoadOptions,
} from './load-config.ts';
export {
  type AuthProviderConfig,
  type Cluster,
  type Context,
  emptyKubeConfig,
  type ExecConfig,
  type ExecEnvVar,
  isEmptyKubeConfig,
  type KubeConfig,
  mergeKubeConfigs,
  type NamedExtension,
  type User,
} from './kubeconfig.ts';
export { EditableKubeConfig, modifyConfig } from './modify.ts';
export { OidcCredentials, type OidcCredentialsOptions } from './oidc-credentials.ts';
export { parseKubeConfig } from './parse.ts';
export { flattenKubeConfig, minifyKubeConfig, redactKubeConfig } from './view.ts';
export { writeKubeconfig, type WriteKubeconfigOptions } from './write-kubeconfig.ts';
