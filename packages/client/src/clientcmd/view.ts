import { ConfigError } from './config-error.ts';
import { dataOrFile } from './files.ts';
import type { KubeConfig, User } from './kubeconfig.ts';

/** Returns only what one context needs: the current one, or the named one. */
export function minifyKubeConfig(
  config: KubeConfig,
  context: string = config.currentContext,
): KubeConfig {
  const found = config.contexts.get(context);
  if (found === undefined) {
    throw new ConfigError('CONFIG_NOT_FOUND', `there is no context ${JSON.stringify(context)}`);
  }
  return {
    clusters: only(config.clusters, found.cluster),
    users: only(config.users, found.user),
    contexts: new Map([[context, found]]),
    currentContext: context,
  };
}

/** Returns the config without references to files: their content is inlined. */
export async function flattenKubeConfig(config: KubeConfig): Promise<KubeConfig> {
  const clusters = await mapEntries(config.clusters, async (cluster) => {
    const { certificateAuthority: file, certificateAuthorityData: data, origin } = cluster;
    const certificateAuthorityData = await dataOrFile(data, file, origin);
    return { ...cluster, certificateAuthority: '', certificateAuthorityData };
  });
  const users = await mapEntries(config.users, async (user) => {
    const { clientCertificate, clientCertificateData, clientKey, clientKeyData, origin } = user;
    return {
      ...user,
      clientCertificate: '',
      clientCertificateData: await dataOrFile(clientCertificateData, clientCertificate, origin),
      clientKey: '',
      clientKeyData: await dataOrFile(clientKeyData, clientKey, origin),
    };
  });
  return { ...config, clusters, users };
}

async function mapEntries<T>(
  entries: ReadonlyMap<string, T>,
  map: (entry: T) => Promise<T>,
): Promise<Map<string, T>> {
  const mapped = new Map<string, T>();
  for (const [name, entry] of entries) mapped.set(name, await map(entry));
  return mapped;
}

const REDACTED = 'REDACTED';

/** kubectl's placeholder for inlined files. */
const OMITTED = 'DATA+OMITTED';

/** Settings of an auth provider that are not secrets. Providers may have any others. */
const PUBLIC_SETTINGS = new Set([
  'client-id',
  'extra-scopes',
  'idp-certificate-authority',
  'idp-certificate-authority-data',
  'idp-issuer-url',
]);

/**
 * Returns the config with every secret replaced, so that it can be shown: tokens, passwords, keys,
 * the arguments and environment of plugins, and credentials in URLs.
 */
export function redactKubeConfig(config: KubeConfig): KubeConfig {
  const users = new Map([...config.users].map(([name, user]) => [name, redactUser(user)]));
  const clusters = new Map(
    [...config.clusters].map(([name, cluster]) => [
      name,
      {
        ...cluster,
        server: withoutUserInfo(cluster.server),
        proxyUrl: withoutUserInfo(cluster.proxyUrl),
        certificateAuthorityData: cluster.certificateAuthorityData && OMITTED,
      },
    ]),
  );
  return { ...config, clusters, users };
}

function redactUser(user: User): User {
  const { authProvider, exec } = user;
  return {
    ...user,
    clientCertificateData: user.clientCertificateData && OMITTED,
    clientKeyData: user.clientKeyData && OMITTED,
    token: redact(user.token),
    password: redact(user.password),
    ...(authProvider && {
      authProvider: {
        ...authProvider,
        config: Object.fromEntries(
          Object.entries(authProvider.config).map(([key, text]) => [
            key,
            PUBLIC_SETTINGS.has(key) ? text : redact(text),
          ]),
        ),
      },
    }),
    ...(exec && {
      exec: {
        ...exec,
        args: exec.args.map(redact),
        env: exec.env.map((each) => ({ ...each, value: redact(each.value) })),
      },
    }),
  };
}

function only<T>(entries: ReadonlyMap<string, T>, name: string): Map<string, T> {
  const found = entries.get(name);
  return found === undefined ? new Map() : new Map([[name, found]]);
}

/** By pattern and not by parsing: an invalid URL may hold a password too. */
function withoutUserInfo(url: string): string {
  return url.replace(/^([^:/]*:\/\/)?.*@/s, (_userInfo, scheme: string | undefined) => {
    return `${scheme ?? ''}${REDACTED}@`;
  });
}

function redact(secret: string): string {
  return secret === '' ? '' : REDACTED;
}
