import { readFile } from 'node:fs/promises';
import type { AuthConfig, Config, CredentialSource, TlsConfig } from '../transport/index.ts';
import { ConfigError } from './config-error.ts';
import { ExecCredentials } from './exec-credentials.ts';
import { resolvePath } from './files.ts';
import type { Cluster, Context, FromFile, KubeConfig, User } from './kubeconfig.ts';
import { OidcCredentials } from './oidc-credentials.ts';
import { type ConfigOverrides, overrideCluster, overrideUser } from './overrides.ts';
import { checkCluster, checkUser } from './validate.ts';

const NO_USER: User = {
  clientCertificate: '',
  clientCertificateData: '',
  clientKey: '',
  clientKeyData: '',
  token: '',
  tokenFile: '',
  impersonate: '',
  impersonateUid: '',
  impersonateGroups: [],
  impersonateExtra: {},
  username: '',
  password: '',
};

const NO_CLUSTER: Cluster = {
  server: '',
  tlsServerName: '',
  insecureSkipTlsVerify: false,
  certificateAuthority: '',
  certificateAuthorityData: '',
  proxyUrl: '',
  disableCompression: false,
  extensions: [],
};

/** Makes the configuration of one context ready for clients. */
export async function clientConfigOf(
  config: KubeConfig,
  overrides: ConfigOverrides = {},
): Promise<Config> {
  const { context, name: contextName } = findContext(config, overrides);
  const clusterName = overrides.cluster ?? context.cluster;
  const userName = overrides.user ?? context.user;
  const found = config.clusters.get(clusterName);
  if (found === undefined && clusterName !== '' && overrides.server === undefined) {
    throw notFound(config.clusters, 'cluster', clusterName, contextName);
  }
  const cluster = overrideCluster(found ?? { value: NO_CLUSTER, origin: '(overrides)' }, overrides);
  checkCluster(cluster, clusterName);
  const ownUser = config.users.get(userName);
  // A context may name a user that is not there: clients then have no credentials, as in client-go.
  if (ownUser === undefined && (overrides.user ?? '') !== '') {
    throw notFound(config.users, 'user', userName, '');
  }
  const user = overrideUser(ownUser ?? { value: NO_USER, origin: '(overrides)' }, overrides);
  checkUser(user, userName);

  const server = serverUrl(cluster.value);
  const namespace = overrides.namespace ?? context.namespace;
  const isSecure = server.startsWith('https:');
  const tls = isSecure ? await tlsConfigOf(cluster, user) : undefined;
  // Credentials never travel in the clear, whatever the kubeconfig says.
  const auth = isSecure ? authConfigOf(user, userName, cluster) : undefined;
  const { impersonate, impersonateUid, impersonateGroups, impersonateExtra } = user.value;
  return {
    server,
    namespace: namespace === '' ? 'default' : namespace,
    ...(tls && { tls }),
    ...(auth && { auth }),
    ...(impersonate !== '' && {
      impersonate: {
        user: impersonate,
        ...(impersonateUid !== '' && { uid: impersonateUid }),
        ...(impersonateGroups.length > 0 && { groups: impersonateGroups }),
        ...(Object.keys(impersonateExtra).length > 0 && { extra: impersonateExtra }),
      },
    }),
    ...(cluster.value.proxyUrl !== '' && { proxyUrl: lowerCaseScheme(cluster.value.proxyUrl) }),
    ...(cluster.value.disableCompression && { compression: false }),
  };
}

function findContext(
  { contexts, currentContext }: KubeConfig,
  overrides: ConfigOverrides,
): { context: Context; name: string } {
  const name = overrides.context ?? currentContext;
  if (name === '') {
    const hasEnough = overrides.server !== undefined || overrides.cluster !== undefined;
    if (hasEnough) return { context: { cluster: '', user: '', namespace: '' }, name };
    throw new ConfigError('CONFIG_EMPTY', 'no context is chosen', {
      hint: `Set current-context in the kubeconfig, or choose one of: ${listed(contexts)}.`,
    });
  }
  const found = contexts.get(name);
  if (found === undefined) {
    throw new ConfigError('CONFIG_NOT_FOUND', `there is no context ${JSON.stringify(name)}`, {
      hint: `There are: ${listed(contexts)}.`,
    });
  }
  return { context: found.value, name };
}

function notFound(
  entries: ReadonlyMap<string, unknown>,
  kind: string,
  name: string,
  contextName: string,
): ConfigError {
  const context = contextName === '' ? '' : `, which context ${JSON.stringify(contextName)} names`;
  const message = `there is no ${kind} ${JSON.stringify(name)}${context}`;
  return new ConfigError('CONFIG_NOT_FOUND', message, { hint: `There are: ${listed(entries)}.` });
}

function listed(entries: ReadonlyMap<string, unknown>): string {
  return entries.size === 0 ? 'none' : [...entries.keys()].join(', ');
}

/** Completes the address: a server without a scheme is https if there are any settings for TLS. */
function serverUrl({ server, ...cluster }: Cluster): string {
  if (server.includes('://')) return lowerCaseScheme(server);
  const hasTls =
    cluster.certificateAuthority !== '' ||
    cluster.certificateAuthorityData !== '' ||
    cluster.insecureSkipTlsVerify;
  return `${hasTls ? 'https' : 'http'}://${server}`;
}

/** `HTTPS://x` → `https://x`: schemes are the same in any case, and most code compares them. */
function lowerCaseScheme(url: string): string {
  return url.replace(/^[^:]*:/, (scheme) => scheme.toLowerCase());
}

async function tlsConfigOf(
  { value: cluster, origin }: FromFile<Cluster>,
  user: FromFile<User>,
): Promise<TlsConfig | undefined> {
  const caFile = resolvePath(cluster.certificateAuthority, origin);
  const certFile = resolvePath(user.value.clientCertificate, user.origin);
  const keyFile = resolvePath(user.value.clientKey, user.origin);
  for (const file of [caFile, certFile, keyFile]) if (file !== '') await checkReadable(file);
  const tls: TlsConfig = {
    ...(caFile !== '' && { caFile }),
    ...(cluster.certificateAuthorityData !== '' && { ca: pem(cluster.certificateAuthorityData) }),
    ...(certFile !== '' && { certFile }),
    ...(user.value.clientCertificateData !== '' && { cert: pem(user.value.clientCertificateData) }),
    ...(keyFile !== '' && { keyFile }),
    ...(user.value.clientKeyData !== '' && { key: pem(user.value.clientKeyData) }),
    ...(cluster.tlsServerName !== '' && { serverName: cluster.tlsServerName }),
    ...(cluster.insecureSkipTlsVerify && { insecure: true }),
  };
  return Object.keys(tls).length === 0 ? undefined : tls;
}

function pem(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}

async function checkReadable(file: string): Promise<void> {
  await readFile(file).catch((error: unknown) => {
    throw new ConfigError('CONFIG_UNREADABLE', `${file}: cannot be read`, { cause: error });
  });
}

function authConfigOf(
  { value: user, origin }: FromFile<User>,
  userName: string,
  cluster: FromFile<Cluster>,
): AuthConfig | undefined {
  const source = credentialSource(user, userName, origin, cluster);
  const tokenFile = resolvePath(user.tokenFile, origin);
  const auth: AuthConfig = {
    ...(user.token !== '' && { token: user.token }),
    ...(tokenFile !== '' && { tokenFile }),
    ...(user.username !== '' && { username: user.username, password: user.password }),
    ...(source && { source }),
  };
  return Object.keys(auth).length === 0 ? undefined : auth;
}

function credentialSource(
  { exec, authProvider }: User,
  userName: string,
  origin: string,
  cluster: FromFile<Cluster>,
): CredentialSource | undefined {
  if (exec !== undefined) return new ExecCredentials({ exec, origin, cluster });
  if (authProvider === undefined) return undefined;
  if (authProvider.name === 'oidc') {
    return new OidcCredentials({ config: authProvider.config, userName, origin });
  }
  throw new ConfigError(
    'CONFIG_INVALID',
    `${origin}: user ${JSON.stringify(userName)}: auth-provider ${JSON.stringify(authProvider.name)} is not supported`,
    { hint: 'Kubernetes removed this provider; use its exec plugin instead.' },
  );
}
