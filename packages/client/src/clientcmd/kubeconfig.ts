/** One `name: value` of a plugin's environment. */
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

/** The `auth-provider` stanza; only `oidc` is left of these. */
export interface AuthProviderConfig {
  readonly name: string;
  readonly config: Readonly<Record<string, string>>;
}

/** A cluster as a kubeconfig describes it. Paths are as written; `origin` tells what they mean. */
export interface Cluster {
  readonly server: string;
  readonly tlsServerName: string;
  readonly insecureSkipTlsVerify: boolean;
  readonly certificateAuthority: string;
  /** Base64 of PEM. */
  readonly certificateAuthorityData: string;
  readonly proxyUrl: string;
  readonly disableCompression: boolean;
  readonly extensions: readonly NamedExtension[];
}

export interface NamedExtension {
  readonly name: string;
  readonly extension: unknown;
}

/** A user as a kubeconfig describes it. */
export interface User {
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
  readonly authProvider?: AuthProviderConfig;
  readonly exec?: ExecConfig;
}

/** Who talks to which cluster, and where. */
export interface Context {
  readonly cluster: string;
  readonly user: string;
  readonly namespace: string;
}

/** Something out of a kubeconfig, with the file that it came from. */
export interface FromFile<T> {
  readonly value: T;
  /** Relative paths in `value` are relative to this file's folder. */
  readonly origin: string;
}

/** Several kubeconfig files read as one. */
export interface KubeConfig {
  readonly clusters: ReadonlyMap<string, FromFile<Cluster>>;
  readonly users: ReadonlyMap<string, FromFile<User>>;
  readonly contexts: ReadonlyMap<string, FromFile<Context>>;
  readonly currentContext: string;
  /** The file that set the current context, if any did. */
  readonly currentContextOrigin?: string;
}

/** A config without anything in it. */
export const emptyKubeConfig: KubeConfig = {
  clusters: new Map(),
  users: new Map(),
  contexts: new Map(),
  currentContext: '',
};

/** True if there is nothing to connect to in it. */
export function isEmptyKubeConfig({
  clusters,
  users,
  contexts,
  currentContext,
}: KubeConfig): boolean {
  return clusters.size === 0 && users.size === 0 && contexts.size === 0 && currentContext === '';
}

/**
 * Reads several configs as one, as kubectl does: for each name the first file that has it wins, with
 * its whole entry; the first file that sets a current context decides that.
 */
export function mergeKubeConfigs(configs: readonly KubeConfig[]): KubeConfig {
  const clusters = new Map<string, FromFile<Cluster>>();
  const users = new Map<string, FromFile<User>>();
  const contexts = new Map<string, FromFile<Context>>();
  for (const config of configs) {
    addMissing(clusters, config.clusters);
    addMissing(users, config.users);
    addMissing(contexts, config.contexts);
  }
  const current = configs.find(({ currentContext }) => currentContext !== '');
  return {
    clusters,
    users,
    contexts,
    currentContext: current?.currentContext ?? '',
    ...(current?.currentContextOrigin !== undefined && {
      currentContextOrigin: current.currentContextOrigin,
    }),
  };
}

function addMissing<T>(target: Map<string, T>, source: ReadonlyMap<string, T>): void {
  for (const [name, value] of source) if (!target.has(name)) target.set(name, value);
}
