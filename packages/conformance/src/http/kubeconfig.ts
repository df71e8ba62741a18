import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import {
  ClientError,
  type ClientErrorOptions,
  defineErrors,
  getKey,
  isJsonObject,
  type JsonObject,
} from 'client-ts/internal';
import { readYaml } from 'client-ts/yaml';

/** The address of a server and the credentials for it. */
export interface Endpoint {
  readonly url: URL;
  /** The trusted CA certificates, as PEM. Default: those of the machine. */
  readonly ca?: string;
  readonly insecure?: boolean;
  readonly serverName?: string;
  readonly clientCertificate?: { readonly certificate: string; readonly key: string };
  /** The whole value of the `Authorization` header. */
  readonly authorization?: string;
}

/** Returns the same server without credentials. */
export function withoutCredentials(endpoint: Endpoint): Endpoint {
  const { clientCertificate: _certificate, authorization: _authorization, ...bare } = endpoint;
  return bare;
}

/** The kubeconfig cannot be used; the message names the field and the fix. */
export class KubeconfigError extends ClientError {
  constructor(message: string, options?: ClientErrorOptions) {
    super('CONFORMANCE_KUBECONFIG', message, options);
  }

  static {
    defineErrors(this, 'KubeconfigError', 'CONFORMANCE', {
      CONFORMANCE_KUBECONFIG: { retry: 'never' },
    });
  }
}

/** Reads the current context of a kubeconfig file. Paths are relative to the file. */
export async function loadKubeconfig(file: string): Promise<Endpoint> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new KubeconfigError('the file cannot be read', { cause });
  });
  return readKubeconfig(text, dirname(resolve(file)));
}

/**
 * Reads the current context of a kubeconfig (YAML or JSON). Supports certificates, tokens and basic
 * credentials, as files or inline; plugins (`exec`, `auth-provider`) are rejected.
 */
export async function readKubeconfig(text: string, directory: string): Promise<Endpoint> {
  const config: unknown = readYaml(text);
  if (!isJsonObject(config)) throw new KubeconfigError('the kubeconfig is not a YAML mapping');
  const contextName = stringOf(config, 'current-context');
  if (contextName === undefined) {
    throw new KubeconfigError('current-context is not set: run `kubectl config use-context NAME`');
  }
  const context = named(config, 'contexts', contextName, 'context');
  const cluster = named(config, 'clusters', stringOf(context, 'cluster') ?? '', 'cluster');
  const server = stringOf(cluster, 'server');
  if (server === undefined) throw new KubeconfigError('clusters[].cluster.server is missing');
  const userName = stringOf(context, 'user');
  const user = userName === undefined ? {} : named(config, 'users', userName, 'user');
  for (const plugin of ['exec', 'auth-provider']) {
    if (getKey(user, plugin) !== undefined) {
      throw new KubeconfigError(
        `users[].user.${plugin} of "${userName}" is not supported here: use a token or a client certificate`,
      );
    }
  }

  const pem = (owner: JsonObject, key: string): Promise<string | undefined> =>
    inlineOrFile(owner, key, directory);
  const ca = await pem(cluster, 'certificate-authority');
  const certificate = await pem(user, 'client-certificate');
  const key = await pem(user, 'client-key');
  const serverName = stringOf(cluster, 'tls-server-name');
  const authorization = await authorizationOf(user, directory);
  return {
    url: new URL(server),
    ...(ca !== undefined && { ca }),
    ...(cluster['insecure-skip-tls-verify'] === true && { insecure: true }),
    ...(serverName !== undefined && { serverName }),
    ...(certificate !== undefined &&
      key !== undefined && { clientCertificate: { certificate, key } }),
    ...(authorization !== undefined && { authorization }),
  };
}

async function authorizationOf(user: JsonObject, directory: string): Promise<string | undefined> {
  const tokenFile = stringOf(user, 'tokenFile');
  const token =
    tokenFile === undefined
      ? stringOf(user, 'token')
      : (await readFile(resolve(directory, tokenFile), 'utf8')).trim();
  if (token !== undefined) return `Bearer ${token}`;
  const name = stringOf(user, 'username');
  if (name === undefined) return undefined;
  const pair = `${name}:${stringOf(user, 'password') ?? ''}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

async function inlineOrFile(
  owner: JsonObject,
  key: string,
  directory: string,
): Promise<string | undefined> {
  const inline = stringOf(owner, `${key}-data`);
  if (inline !== undefined) return Buffer.from(inline, 'base64').toString('utf8');
  const file = stringOf(owner, key);
  return file === undefined ? undefined : readFile(resolve(directory, file), 'utf8');
}

function named(config: JsonObject, list: string, name: string, field: string): JsonObject {
  const entries = getKey(config, list);
  const found = Array.isArray(entries)
    ? entries.find((entry) => isJsonObject(entry) && entry['name'] === name)
    : undefined;
  const value = isJsonObject(found) ? getKey(found, field) : undefined;
  if (!isJsonObject(value)) throw new KubeconfigError(`${list}: no entry is named "${name}"`);
  return value;
}

function stringOf(owner: JsonObject, key: string): string | undefined {
  const value = getKey(owner, key);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
