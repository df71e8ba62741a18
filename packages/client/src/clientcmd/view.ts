import { ConfigError } from './config-error.ts';
import { dataOrFile } from './files.ts';
import type { Cluster, FromFile, KubeConfig, User } from './kubeconfig.ts';

/** Only what one context needs; the current one unless another is named. */
export function minifyKubeConfig(
  config: KubeConfig,
  context: string = config.currentContext,
): KubeConfig {
  const found = config.contexts.get(context);
  if (found === undefined) {
    throw new ConfigError('CONFIG_NOT_FOUND', `there is no context ${JSON.stringify(context)}`);
  }
  const { cluster, user } = found.value;
  return {
    clusters: only(config.clusters, cluster),
    users: only(config.users, user),
    contexts: new Map([[context, found]]),
    currentContext: context,
  };
}

/** The same config without references to files: what they hold is put in their place. */
export async function flattenKubeConfig(config: KubeConfig): Promise<KubeConfig> {
  const clusters = new Map<string, FromFile<Cluster>>();
  for (const [name, { value, origin }] of config.clusters) {
    const data = await dataOrFile(
      value.certificateAuthorityData,
      value.certificateAuthority,
      origin,
    );
    clusters.set(name, {
      origin,
      value: { ...value, certificateAuthority: '', certificateAuthorityData: data },
    });
  }
  const users = new Map<string, FromFile<User>>();
  for (const [name, { value, origin }] of config.users) {
    const { clientCertificate, clientCertificateData, clientKey, clientKeyData } = value;
    users.set(name, {
      origin,
      value: {
        ...value,
        clientCertificate: '',
        clientCertificateData: await dataOrFile(clientCertificateData, clientCertificate, origin),
        clientKey: '',
        clientKeyData: await dataOrFile(clientKeyData, clientKey, origin),
      },
    });
  }
  return { ...config, clusters, users };
}

const REDACTED = 'REDACTED';

/** Settings of an auth provider that are no secrets. Providers may have any others. */
const PUBLIC_SETTINGS = new Set([
  'client-id',
  'extra-scopes',
  'idp-certificate-authority',
  'idp-certificate-authority-data',
  'idp-issuer-url',
]);

/**
 * Returns the config with every secret replaced, to be shown: tokens, passwords, keys, the
 * arguments and environment of plugins, and credentials in URLs.
 */
export function redactKubeConfig(config: KubeConfig): KubeConfig {
  const users = new Map<string, FromFile<User>>();
  for (const [name, { value, origin }] of config.users) {
    const { authProvider, exec } = value;
    users.set(name, {
      origin,
      value: {
        ...value,
        clientCertificateData: hidden(value.clientCertificateData),
        clientKeyData: hidden(value.clientKeyData),
        token: hidden(value.token),
        password: hidden(value.password),
        ...(authProvider && {
          authProvider: {
            ...authProvider,
            config: Object.fromEntries(
              Object.entries(authProvider.config).map(([key, text]) => [
                key,
                PUBLIC_SETTINGS.has(key) ? text : hidden(text),
              ]),
            ),
          },
        }),
        ...(exec && {
          exec: {
            ...exec,
            args: exec.args.map(hidden),
            env: exec.env.map((each) => ({ ...each, value: hidden(each.value) })),
          },
        }),
      },
    });
  }
  const clusters = new Map<string, FromFile<Cluster>>();
  for (const [name, { value, origin }] of config.clusters) {
    const certificateAuthorityData = value.certificateAuthorityData === '' ? '' : 'DATA+OMITTED';
    const server = withoutUserInfo(value.server);
    const proxyUrl = withoutUserInfo(value.proxyUrl);
    clusters.set(name, { origin, value: { ...value, server, proxyUrl, certificateAuthorityData } });
  }
  return { ...config, clusters, users };
}

function only<T>(entries: ReadonlyMap<string, T>, name: string): Map<string, T> {
  const found = entries.get(name);
  return found === undefined ? new Map() : new Map([[name, found]]);
}

/** By pattern, not by parsing: a URL that is not valid may hold a password too. */
function withoutUserInfo(url: string): string {
  return url.replace(/^([^:/]*:\/\/)?.*@/s, (_userInfo, scheme: string | undefined) => {
    return `${scheme ?? ''}${REDACTED}@`;
  });
}

function hidden(secret: string): string {
  return secret === '' ? '' : REDACTED;
}
