import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { AuthConfig, Config, CredentialSource, TlsConfig } from '../transport/index.ts';
import { ConfigError } from './config-error.ts';
import { ExecCredentials } from './exec-credentials.ts';
import { resolvePath } from './files.ts';
import type { Cluster, Context, ExecConfig, KubeConfig, User } from './kubeconfig.ts';
import { OidcCredentials } from './oidc-credentials.ts';

/**
 * Overrides of the kubeconfig, by a program or its flags. Named like kubectl's flags, without the
 * dashes.
 */
export interface ConfigOverrides {
  readonly context?: string | undefined;
  /** The name of a cluster or user in the kubeconfig, instead of those of the context. */
  readonly cluster?: string | undefined;
  readonly user?: string | undefined;
  readonly namespace?: string | undefined;
  readonly server?: string | undefined;
  readonly tlsServerName?: string | undefined;
  readonly insecureSkipTlsVerify?: boolean | undefined;
  readonly certificateAuthority?: string | undefined;
  readonly proxyUrl?: string | undefined;
  readonly clientCertificate?: string | undefined;
  readonly clientKey?: string | undefined;
  readonly token?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly as?: string | undefined;
  readonly asUid?: string | undefined;
  readonly asGroups?: readonly string[] | undefined;
}

/** Paths in overrides are relative to the working directory, unlike those of the kubeconfig. */
function fromHere(path: string): string {
  return path === '' ? '' : resolve(path);
}

/**
 * Applies overrides to a cluster. Overrides of TLS trust replace all such settings of the file,
 * because a mixture would be contradictory.
 */
function overrideCluster(found: Cluster, overrides: ConfigOverrides): Cluster {
  const { server, tlsServerName, insecureSkipTlsVerify, certificateAuthority, proxyUrl } =
    overrides;
  let cluster = found;
  if (server !== undefined) {
    // The name in the file is for the old server.
    cluster = { ...cluster, server, tlsServerName: tlsServerName ?? '' };
  }
  if (tlsServerName !== undefined) cluster = { ...cluster, tlsServerName };
  if (proxyUrl !== undefined) cluster = { ...cluster, proxyUrl };
  if (insecureSkipTlsVerify === true || certificateAuthority !== undefined) {
    cluster = {
      ...cluster,
      insecureSkipTlsVerify: insecureSkipTlsVerify ?? false,
      certificateAuthority: fromHere(certificateAuthority ?? ''),
      certificateAuthorityData: '',
    };
  }
  return cluster;
}

/** Applies overrides to a user. A new way to authenticate replaces the old one. */
function overrideUser(found: User, overrides: ConfigOverrides): User {
  const { clientCertificate, clientKey, token, username, password, as, asUid, asGroups } =
    overrides;
  let user = found;
  if (clientCertificate !== undefined) {
    user = { ...user, clientCertificate: fromHere(clientCertificate), clientCertificateData: '' };
  }
  if (clientKey !== undefined)
    user = { ...user, clientKey: fromHere(clientKey), clientKeyData: '' };
  if (token !== undefined) {
    user = { ...withoutPlugins(user), token, tokenFile: '', username: '', password: '' };
  } else if (username !== undefined || password !== undefined) {
    user = {
      ...withoutPlugins(user),
      token: '',
      tokenFile: '',
      username: username ?? user.username,
      password: password ?? user.password,
    };
  }
  return {
    ...user,
    ...(as !== undefined && { impersonate: as }),
    ...(asUid !== undefined && { impersonateUid: asUid }),
    ...(asGroups !== undefined && { impersonateGroups: asGroups }),
  };
}

function withoutPlugins(user: User): User {
  const { exec: _exec, authProvider: _authProvider, ...rest } = user;
  return rest;
}

const NO_USER: User = {
  origin: '(overrides)',
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

const NO_CONTEXT: Context = { origin: '(overrides)', cluster: '', user: '', namespace: '' };

const NO_CLUSTER: Cluster = {
  origin: '(overrides)',
  server: '',
  tlsServerName: '',
  insecureSkipTlsVerify: false,
  certificateAuthority: '',
  certificateAuthorityData: '',
  proxyUrl: '',
  disableCompression: false,
  extensions: [],
};

/** A config from a kubeconfig or a pod: it always has a namespace. */
export interface LoadedConfig extends Config {
  readonly namespace: string;
}

/** Returns the client config for a context of a kubeconfig. */
export async function clientConfigOf(
  config: KubeConfig,
  overrides: ConfigOverrides = {},
): Promise<LoadedConfig> {
  const { context, name: contextName } = findContext(config, overrides);
  const clusterName = overrides.cluster ?? context.cluster;
  const userName = overrides.user ?? context.user;
  const found = config.clusters.get(clusterName);
  if (found === undefined && clusterName !== '' && overrides.server === undefined) {
    throw notFound(config.clusters, 'cluster', clusterName, contextName);
  }
  const cluster = overrideCluster(found ?? NO_CLUSTER, overrides);
  checkCluster(cluster, clusterName);
  const ownUser = config.users.get(userName);
  // A context may name a user that does not exist: the client then has no credentials, as in
  // client-go.
  if (ownUser === undefined && (overrides.user ?? '') !== '') {
    throw notFound(config.users, 'user', userName, '');
  }
  const user = overrideUser(ownUser ?? NO_USER, overrides);
  checkUser(user, userName);

  const server = serverUrl(cluster);
  const namespace = overrides.namespace ?? context.namespace;
  const isSecure = server.startsWith('https:');
  const tls = isSecure ? await tlsConfigOf(cluster, user) : undefined;
  // Credentials are never sent over a plain connection, whatever the kubeconfig contains.
  const auth = isSecure ? authConfigOf(user, userName, cluster) : undefined;
  const { impersonate, impersonateUid, impersonateGroups, impersonateExtra } = user;
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
    ...(cluster.proxyUrl !== '' && { proxyUrl: lowerCaseScheme(cluster.proxyUrl) }),
    ...(cluster.disableCompression && { compression: false }),
  };
}

function findContext(
  { contexts, currentContext }: KubeConfig,
  overrides: ConfigOverrides,
): { context: Context; name: string } {
  const name = overrides.context ?? currentContext;
  if (name === '') {
    const hasEnough = overrides.server !== undefined || overrides.cluster !== undefined;
    if (hasEnough) return { context: NO_CONTEXT, name };
    throw new ConfigError('CONFIG_EMPTY', 'no context is selected', {
      hint: `Set current-context in the kubeconfig, or choose one of: ${listed(contexts)}.`,
    });
  }
  const found = contexts.get(name);
  if (found === undefined) {
    throw new ConfigError('CONFIG_NOT_FOUND', `there is no context ${JSON.stringify(name)}`, {
      hint: `There are: ${listed(contexts)}.`,
    });
  }
  return { context: found, name };
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

/** Completes the URL: a server without a scheme is https if there are TLS settings. */
function serverUrl({ server, ...cluster }: Cluster): string {
  if (server.includes('://')) return lowerCaseScheme(server);
  const hasTls =
    cluster.certificateAuthority !== '' ||
    cluster.certificateAuthorityData !== '' ||
    cluster.insecureSkipTlsVerify;
  return `${hasTls ? 'https' : 'http'}://${server}`;
}

/** `HTTPS://x` → `https://x`: schemes are case-insensitive, and most code compares them. */
function lowerCaseScheme(url: string): string {
  return url.replace(/^[^:]*:/, (scheme) => scheme.toLowerCase());
}

async function tlsConfigOf(cluster: Cluster, user: User): Promise<TlsConfig | undefined> {
  const caFile = resolvePath(cluster.certificateAuthority, cluster.origin);
  const certFile = resolvePath(user.clientCertificate, user.origin);
  const keyFile = resolvePath(user.clientKey, user.origin);
  for (const file of [caFile, certFile, keyFile]) if (file !== '') await checkReadable(file);
  const tls: TlsConfig = {
    ...(caFile !== '' && { caFile }),
    ...(cluster.certificateAuthorityData !== '' && { ca: pem(cluster.certificateAuthorityData) }),
    ...(certFile !== '' && { certFile }),
    ...(user.clientCertificateData !== '' && { cert: pem(user.clientCertificateData) }),
    ...(keyFile !== '' && { keyFile }),
    ...(user.clientKeyData !== '' && { key: pem(user.clientKeyData) }),
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

function authConfigOf(user: User, userName: string, cluster: Cluster): AuthConfig | undefined {
  const source = credentialSource(user, userName, cluster);
  const tokenFile = resolvePath(user.tokenFile, user.origin);
  const auth: AuthConfig = {
    ...(user.token !== '' && { token: user.token }),
    ...(tokenFile !== '' && { tokenFile }),
    ...(user.username !== '' && { username: user.username, password: user.password }),
    ...(source && { source }),
  };
  return Object.keys(auth).length === 0 ? undefined : auth;
}

function credentialSource(
  { exec, authProvider, origin }: User,
  userName: string,
  cluster: Cluster,
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

/** Throws an error that names file, stanza and field if a cluster cannot be used. */
function checkCluster(cluster: Cluster, name: string): void {
  const at = `${cluster.origin}: cluster ${JSON.stringify(name)}`;
  if (cluster.server === '') throw invalid(at, 'server', 'must be set');
  if (
    !URL.canParse(cluster.server.includes('://') ? cluster.server : `https://${cluster.server}`)
  ) {
    throw invalid(at, 'server', 'is not a URL');
  }
  if (cluster.certificateAuthority !== '' && cluster.certificateAuthorityData !== '') {
    throw invalid(at, 'certificate-authority', 'and certificate-authority-data cannot both be set');
  }
  const hasAuthority =
    cluster.certificateAuthority !== '' || cluster.certificateAuthorityData !== '';
  if (cluster.insecureSkipTlsVerify && hasAuthority) {
    throw invalid(at, 'insecure-skip-tls-verify', 'and a certificate authority cannot both be set');
  }
  if (cluster.proxyUrl !== '' && !/^(https?|socks5):\/\//i.test(cluster.proxyUrl)) {
    throw invalid(at, 'proxy-url', 'must start with http://, https:// or socks5://');
  }
}

/** Throws an error that names file, stanza and field if a user cannot be used. */
function checkUser(user: User, name: string): void {
  const at = `${user.origin}: user ${JSON.stringify(name)}`;
  checkEither(at, 'client-certificate', user.clientCertificate, user.clientCertificateData);
  checkEither(at, 'client-key', user.clientKey, user.clientKeyData);
  const hasCertificate = user.clientCertificate !== '' || user.clientCertificateData !== '';
  const hasKey = user.clientKey !== '' || user.clientKeyData !== '';
  if (hasCertificate && !hasKey) {
    throw invalid(at, 'client-key-data', 'or client-key must be set to use the client certificate');
  }
  const methods: string[] = [];
  if (user.token !== '' || user.tokenFile !== '') methods.push('token');
  if (user.username !== '' || user.password !== '') methods.push('username and password');
  if (user.exec !== undefined && user.authProvider !== undefined) {
    throw invalid(at, 'exec', 'and auth-provider cannot both be set');
  }
  if (methods.length > 1) {
    throw invalid(
      at,
      'token',
      `and ${methods[1]} cannot both be set; keep one way to authenticate`,
    );
  }
  const impersonates =
    user.impersonateUid !== '' ||
    user.impersonateGroups.length > 0 ||
    Object.keys(user.impersonateExtra).length > 0;
  if (impersonates && user.impersonate === '') {
    throw invalid(at, 'as', 'must be set to impersonate a uid, groups or extras');
  }
  if (user.exec !== undefined) checkExec(`${at}: exec`, user.exec);
}

const EXEC_VERSIONS = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];

function checkExec(at: string, { command, apiVersion, env }: ExecConfig): void {
  if (command === '') throw invalid(at, 'command', 'must be set');
  if (!EXEC_VERSIONS.includes(apiVersion)) {
    const given =
      apiVersion === '' ? 'must be set' : `${JSON.stringify(apiVersion)} is not supported`;
    throw invalid(at, 'apiVersion', `${given}; use ${EXEC_VERSIONS.join(' or ')}`);
  }
  for (const [index, variable] of env.entries()) {
    if (variable.name === '') throw invalid(at, `env[${index}].name`, 'must be set');
  }
}

function checkEither(at: string, field: string, file: string, data: string): void {
  if (file !== '' && data !== '') throw invalid(at, field, `and ${field}-data cannot both be set`);
}

function invalid(at: string, field: string, problem: string): ConfigError {
  return new ConfigError('CONFIG_INVALID', `${at}: ${field} ${problem}`);
}
