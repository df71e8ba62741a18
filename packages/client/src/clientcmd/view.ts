import { readFile } from 'node:fs/promises';
import { ConfigError } from './config-error.ts';
import { resolvePath } from './files.ts';
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
    const data = await inline(value.certificateAuthority, value.certificateAuthorityData, origin);
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
        clientCertificateData: await inline(clientCertificate, clientCertificateData, origin),
        clientKey: '',
        clientKeyData: await inline(clientKey, clientKeyData, origin),
      },
    });
  }
  return { ...config, clusters, users };
}

const REDACTED = 'REDACTED';

/** The same config with every secret replaced, to be shown. */
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
                /token|secret/.test(key) ? hidden(text) : text,
              ]),
            ),
          },
        }),
        ...(exec && {
          exec: { ...exec, env: exec.env.map((each) => ({ ...each, value: hidden(each.value) })) },
        }),
      },
    });
  }
  const clusters = new Map<string, FromFile<Cluster>>();
  for (const [name, { value, origin }] of config.clusters) {
    const certificateAuthorityData = value.certificateAuthorityData === '' ? '' : 'DATA+OMITTED';
    clusters.set(name, { origin, value: { ...value, certificateAuthorityData } });
  }
  return { ...config, clusters, users };
}

function only<T>(entries: ReadonlyMap<string, T>, name: string): Map<string, T> {
  const found = entries.get(name);
  return found === undefined ? new Map() : new Map([[name, found]]);
}

async function inline(path: string, data: string, origin: string): Promise<string> {
  if (data !== '' || path === '') return data;
  const file = resolvePath(path, origin);
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new ConfigError('CONFIG_UNREADABLE', `${file}: cannot be read`, { cause: error });
  });
  return bytes.toString('base64');
}

function hidden(secret: string): string {
  return secret === '' ? '' : REDACTED;
}
