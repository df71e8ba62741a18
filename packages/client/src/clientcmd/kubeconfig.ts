/** A variable of the environment of a credential plugin. */
export interface ExecEnvVar {
  readonly name: string;
  readonly value: string;
}

/** The `exec` stanza: a program that prints credentials. */
export interface ExecConfig {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly ExecEnvVar[];
  /** Shown when the program is not installed. */
  readonly installHint: string;
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: 'Always' | 'IfAvailable' | 'Never';
}

/** The `auth-provider` stanza. Only `oidc` is supported, as in client-go. */
export interface AuthProviderConfig {
  readonly name: string;
  readonly config: Readonly<Record<string, string>>;
}

/** An entry of a kubeconfig. */
interface Entry {
  /**
   * The file that the entry is in (client-go's `LocationOfOrigin`). Relative paths in the entry are
   * relative to its folder. Empty for an entry that was not read from a file.
   */
  readonly origin: string;
}

/** A cluster of a kubeconfig. Paths are as written in the file. */
export interface Cluster extends Entry {
  readonly server: string;
  readonly tlsServerName: string;
  readonly insecureSkipTlsVerify: boolean;
  readonly certificateAuthority: string;
  /** PEM in base64. */
  readonly certificateAuthorityData: string;
  readonly proxyUrl: string;
  readonly disableCompression: boolean;
  readonly extensions: readonly NamedExtension[];
}

/** Data of another program in a kubeconfig, such as minikube's. Kept as it is. */
export interface NamedExtension {
  readonly name: string;
  readonly extension: unknown;
}

/** A user of a kubeconfig. Paths are as written in the file. */
export interface User extends Entry {
  readonly clientCertificate: string;
  readonly clientCertificateData: string;
  readonly clientKey: string;
  readonly clientKeyData: string;
  readonly token: string;
  readonly tokenFile: string;
  readonly impersonate: string;
  readonly impersonateUid: string;
  readonly impersonateGroups: readonly string[];
  readonly impersonateExtra: Readonly<Record<string, readonly string[]>>;
  readonly username: string;
  readonly password: string;
  readonly authProvider?: AuthProviderConfig | undefined;
  readonly exec?: ExecConfig | undefined;
}

/** A context of a kubeconfig: a cluster, a user and a default namespace. */
export interface Context extends Entry {
  readonly cluster: string;
  readonly user: string;
  readonly namespace: string;
}

/**
 * The content of one kubeconfig file, or of several that were merged.
 *
 * ```ts
 * const kubeconfig = await loadKubeConfig();
 * kubeconfig.contexts.get('staging')?.cluster;
 * for (const [name, { server }] of kubeconfig.clusters) console.log(name, server);
 * ```
 */
export interface KubeConfig {
  readonly clusters: ReadonlyMap<string, Cluster>;
  readonly users: ReadonlyMap<string, User>;
  readonly contexts: ReadonlyMap<string, Context>;
  readonly currentContext: string;
  /** The file that set the current context, if one did. */
  readonly currentContextOrigin?: string | undefined;
}

/** A kubeconfig without entries. */
export const emptyKubeConfig: KubeConfig = {
  clusters: new Map(),
  users: new Map(),
  contexts: new Map(),
  currentContext: '',
};

/** True if a kubeconfig has no entries and no current context. */
export function isEmptyKubeConfig({
  clusters,
  users,
  contexts,
  currentContext,
}: KubeConfig): boolean {
  return clusters.size === 0 && users.size === 0 && contexts.size === 0 && currentContext === '';
}

/**
 * Merges kubeconfigs as kubectl does: for each name, the first config that has it provides the whole
 * entry; the first config that sets a current context decides that. Parts that a config does not
 * have may be left out.
 */
export function mergeKubeConfigs(configs: Iterable<Partial<KubeConfig>>): KubeConfig {
  const clusters = new Map<string, Cluster>();
  const users = new Map<string, User>();
  const contexts = new Map<string, Context>();
  let current: Partial<KubeConfig> = {};
  for (const config of configs) {
    addMissing(clusters, config.clusters);
    addMissing(users, config.users);
    addMissing(contexts, config.contexts);
    if ((current.currentContext ?? '') === '') current = config;
  }
  const { currentContext = '', currentContextOrigin } = current;
  return {
    clusters,
    users,
    contexts,
    currentContext,
    ...(currentContext !== '' && currentContextOrigin !== undefined && { currentContextOrigin }),
  };
}

function addMissing<T>(target: Map<string, T>, source: ReadonlyMap<string, T> = new Map()): void {
  for (const [name, value] of source) if (!target.has(name)) target.set(name, value);
}
