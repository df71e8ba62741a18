import type { Cluster, Context, KubeConfig, User } from 'client-ts/clientcmd';

/** A kubeconfig as it is in a file. */
interface KubeconfigObject {
  readonly kind: 'Config';
  readonly apiVersion: 'v1';
  readonly clusters: readonly object[] | null;
  readonly users: readonly object[] | null;
  readonly contexts: readonly object[] | null;
  readonly 'current-context': string;
}

/** Returns a kubeconfig with the field names of its file, sorted by name, without empty fields. */
export function kubeconfigObject(config: KubeConfig): KubeconfigObject {
  return {
    kind: 'Config',
    apiVersion: 'v1',
    clusters: entries(config.clusters, 'cluster', clusterFields),
    users: entries(config.users, 'user', userFields),
    contexts: entries(config.contexts, 'context', contextFields),
    'current-context': config.currentContext,
  };
}

/** Null without entries, as kubectl prints it. */
function entries<T>(
  all: ReadonlyMap<string, T>,
  key: string,
  fieldsOf: (entry: T) => object,
): object[] | null {
  if (all.size === 0) return null;
  return [...all]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, entry]) => ({ name, [key]: withoutEmpty(fieldsOf(entry)) }));
}

function clusterFields(cluster: Cluster): object {
  return {
    server: cluster.server,
    'tls-server-name': cluster.tlsServerName,
    'insecure-skip-tls-verify': cluster.insecureSkipTlsVerify,
    'certificate-authority': cluster.certificateAuthority,
    'certificate-authority-data': cluster.certificateAuthorityData,
    'proxy-url': cluster.proxyUrl,
    'disable-compression': cluster.disableCompression,
    extensions: cluster.extensions,
  };
}

function contextFields({ cluster, user, namespace }: Context): object {
  return { cluster, user, namespace };
}

function userFields(user: User): object {
  return {
    'client-certificate': user.clientCertificate,
    'client-certificate-data': user.clientCertificateData,
    'client-key': user.clientKey,
    'client-key-data': user.clientKeyData,
    token: user.token,
    tokenFile: user.tokenFile,
    as: user.impersonate,
    'as-uid': user.impersonateUid,
    'as-groups': user.impersonateGroups,
    'as-user-extra': user.impersonateExtra,
    username: user.username,
    password: user.password,
    'auth-provider': user.authProvider,
    exec: user.exec && {
      ...withoutEmpty(user.exec),
      // kubectl prints these also if they are empty.
      args: user.exec.args.length === 0 ? null : user.exec.args,
      env: user.exec.env.length === 0 ? null : user.exec.env,
      provideClusterInfo: user.exec.provideClusterInfo,
    },
  };
}

function withoutEmpty(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]: [string, unknown]) => !isEmpty(value)),
  );
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === '' || value === false) return true;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
