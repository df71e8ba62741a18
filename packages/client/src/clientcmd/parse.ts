import { getKey, isJsonObject, type JsonObject, type JsonValue } from '../lib/index.ts';
import { ConfigError } from './config-error.ts';
import type {
  AuthProviderConfig,
  Cluster,
  Context,
  ExecConfig,
  KubeConfig,
  NamedExtension,
  User,
} from './kubeconfig.ts';

/**
 * Parses a kubeconfig. `file` is its path: messages name it, and relative paths are resolved against
 * its directory. Without it, they are resolved against the working directory.
 */
export async function parseKubeConfig(text: string, file = ''): Promise<KubeConfig> {
  // An empty file is an empty config.
  const config = new Reader((await parseYaml(text, file)) ?? {}, file, '');
  config.expect('kind', 'Config');
  config.expect('apiVersion', 'v1');
  const currentContext = config.text('current-context');
  return {
    clusters: named(config, 'clusters', 'cluster', readCluster),
    users: named(config, 'users', 'user', readUser),
    contexts: named(config, 'contexts', 'context', readContext),
    currentContext,
    ...(currentContext !== '' && { currentContextOrigin: file }),
  };
}

/** Reads a list of `{ name, <key>: … }`. Names are unique within a file. */
function named<T>(
  config: Reader,
  list: string,
  key: string,
  read: (reader: Reader) => T,
): Map<string, T> {
  const found = new Map<string, T>();
  for (const item of config.list(list)) {
    const name = item.text('name');
    if (found.has(name)) {
      throw item.invalid(
        `there is another entry named ${JSON.stringify(name)}; rename one of them`,
      );
    }
    found.set(name, read(item.object(key)));
  }
  return found;
}

function readCluster(cluster: Reader): Cluster {
  return {
    origin: cluster.file,
    server: cluster.text('server'),
    tlsServerName: cluster.text('tls-server-name'),
    insecureSkipTlsVerify: cluster.flag('insecure-skip-tls-verify'),
    certificateAuthority: cluster.text('certificate-authority'),
    certificateAuthorityData: cluster.base64('certificate-authority-data'),
    proxyUrl: cluster.text('proxy-url'),
    disableCompression: cluster.flag('disable-compression'),
    extensions: readExtensions(cluster),
  };
}

function readExtensions(reader: Reader): NamedExtension[] {
  return reader.list('extensions').map((item) => ({
    name: item.text('name'),
    extension: item.raw('extension'),
  }));
}

function readUser(user: Reader): User {
  const authProvider = user.has('auth-provider')
    ? readAuthProvider(user.object('auth-provider'))
    : undefined;
  const exec = user.has('exec') ? readExec(user.object('exec')) : undefined;
  return {
    origin: user.file,
    clientCertificate: user.text('client-certificate'),
    clientCertificateData: user.base64('client-certificate-data'),
    clientKey: user.text('client-key'),
    clientKeyData: user.base64('client-key-data'),
    token: user.text('token'),
    tokenFile: user.text('tokenFile'),
    impersonate: user.text('as'),
    impersonateUid: user.text('as-uid'),
    impersonateGroups: user.texts('as-groups'),
    impersonateExtra: user.textLists('as-user-extra'),
    username: user.text('username'),
    password: user.text('password'),
    ...(authProvider && { authProvider }),
    ...(exec && { exec }),
  };
}

function readAuthProvider(provider: Reader): AuthProviderConfig {
  return { name: provider.text('name'), config: provider.textMap('config') };
}

function readExec(exec: Reader): ExecConfig {
  const mode = exec.text('interactiveMode');
  const modes = ['', 'Always', 'IfAvailable', 'Never'];
  if (!modes.includes(mode)) {
    throw exec
      .at('interactiveMode')
      .invalid(`must be Always, IfAvailable or Never, not ${JSON.stringify(mode)}`);
  }
  const apiVersion = exec.text('apiVersion');
  if (mode === '' && apiVersion === 'client.authentication.k8s.io/v1') {
    throw exec
      .at('interactiveMode')
      .invalid(`must be set for ${apiVersion}: Always, IfAvailable or Never`);
  }
  return {
    apiVersion,
    command: exec.text('command'),
    args: exec.texts('args'),
    env: exec.list('env').map((item) => ({ name: item.text('name'), value: item.text('value') })),
    installHint: exec.text('installHint'),
    provideClusterInfo: exec.flag('provideClusterInfo'),
    interactiveMode: (mode === '' ? 'IfAvailable' : mode) as ExecConfig['interactiveMode'],
  };
}

function readContext(context: Reader): Context {
  return {
    origin: context.file,
    cluster: context.text('cluster'),
    user: context.text('user'),
    namespace: context.text('namespace'),
  };
}

/** A value in a kubeconfig with its file and path, which every error message names. */
class Reader {
  readonly file: string;
  readonly #value: JsonValue | undefined;
  readonly #path: string;

  constructor(value: JsonValue | undefined, file: string, path: string) {
    this.#value = value;
    this.file = file;
    this.#path = path;
  }

  invalid(problem: string): ConfigError {
    const where = this.#path === '' ? this.file : `${this.file}: ${this.#path}`;
    return new ConfigError('CONFIG_INVALID', `${where}: ${problem}`);
  }

  at(field: string): Reader {
    return new Reader(getKey(this.#fields(), field), this.file, joined(this.#path, field));
  }

  has(field: string): boolean {
    return (getKey(this.#fields(), field) ?? null) !== null;
  }

  raw(field: string): unknown {
    return getKey(this.#fields(), field);
  }

  object(field: string): Reader {
    return this.at(field);
  }

  /** `kind` and `apiVersion` may be absent, but must not have another value. */
  expect(field: string, wanted: string): void {
    const found = this.text(field);
    if (found !== '' && found !== wanted) {
      throw this.at(field).invalid(`must be ${wanted}, not ${JSON.stringify(found)}`);
    }
  }

  text(field: string): string {
    const value = getKey(this.#fields(), field) ?? '';
    if (typeof value === 'string') return value;
    throw this.at(field).invalid(`must be a string, but is ${kindOf(value)}; put it in quotes`);
  }

  /** Returns the base64 text, not decoded. It is checked here, so that the error names the field. */
  base64(field: string): string {
    const text = this.text(field).replace(/\s+/g, '');
    if (/^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0) return text;
    throw this.at(field).invalid('is not base64');
  }

  flag(field: string): boolean {
    const value = getKey(this.#fields(), field) ?? false;
    if (typeof value === 'boolean') return value;
    throw this.at(field).invalid(`must be true or false, but is ${kindOf(value)}`);
  }

  list(field: string): Reader[] {
    const value = getKey(this.#fields(), field) ?? [];
    if (!Array.isArray(value)) {
      throw this.at(field).invalid(`must be a list, but is ${kindOf(value)}`);
    }
    const path = joined(this.#path, field);
    return value.map((item, index) => new Reader(item, this.file, `${path}[${index}]`));
  }

  texts(field: string): string[] {
    return this.list(field).map((item) => item.#text());
  }

  textMap(field: string): Record<string, string> {
    const map = this.at(field);
    return Object.fromEntries(Object.keys(map.#fields()).map((key) => [key, map.text(key)]));
  }

  textLists(field: string): Record<string, string[]> {
    const map = this.at(field);
    return Object.fromEntries(Object.keys(map.#fields()).map((key) => [key, map.texts(key)]));
  }

  #text(): string {
    if (typeof this.#value === 'string') return this.#value;
    throw this.invalid(`must be a string, but is ${kindOf(this.#value ?? null)}; put it in quotes`);
  }

  #fields(): JsonObject {
    const value = this.#value ?? {};
    if (isJsonObject(value)) return value;
    throw this.invalid(`must be a mapping, but is ${kindOf(value)}`);
  }
}

function joined(path: string, field: string): string {
  return path === '' ? field : `${path}.${field}`;
}

function kindOf(value: JsonValue): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a mapping' : `a ${typeof value}`;
}

/**
 * Parses the first document of a YAML file, as kubectl does. The parser is imported on the first
 * call, so a program with its own `Config` never loads it.
 */
export async function parseYaml(text: string, file: string): Promise<JsonValue> {
  const { readYaml, YamlError } = await import('../yaml/index.ts');
  try {
    return readYaml(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const where = error.line === undefined ? file : `${file}:${error.line}`;
    // Only the reason: the message and its causes may quote a secret.
    throw new ConfigError('CONFIG_INVALID', `${where}: not valid YAML (${error.reason})`);
  }
}
