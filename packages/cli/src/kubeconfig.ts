import { readFile } from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';

import { ClientError, isJsonObject, type JsonObject } from 'client-ts/lib';
import { parse } from 'yaml';

import type { CommandContext } from './command.ts';

/** An API server and how to be let in. */
export interface Endpoint {
  readonly server: URL;
  readonly ca?: string;
  readonly insecure: boolean;
  readonly tlsServerName?: string;
  readonly token?: string;
  readonly certificate?: string;
  readonly key?: string;
}

/** The file that kubectl would read. */
export function defaultKubeconfigPath({ env, homeDirectory }: CommandContext): string {
  const [path, second] = (env['KUBECONFIG'] ?? '').split(delimiter).filter((part) => part !== '');
  if (second !== undefined) {
    throw new ClientError('KUBECONFIG_INVALID', 'KUBECONFIG names several files', {
      hint: 'Choose one of them with --kubeconfig.',
    });
  }
  return path ?? join(homeDirectory, '.kube', 'config');
}

/**
 * Reads one context of a kubeconfig: a server, its CA, and a token or client certificate. Ways to
 * be let in that need another program are refused.
 */
export function readKubeconfig(path: string, contextName?: string): Promise<Endpoint> {
  return new KubeconfigReader(path).read(contextName);
}

class KubeconfigReader {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async read(contextName: string | undefined): Promise<Endpoint> {
    const config = this.#parse(await this.#readFile(this.#path, 'the kubeconfig'));
    const name = contextName ?? text(config['current-context']);
    if (name === undefined) {
      throw this.#error('has no current-context', 'Choose a context with --context.');
    }
    const context = this.#entry(config, 'contexts', 'context', name);
    const clusterName = text(context['cluster']);
    if (clusterName === undefined) throw this.#error(`has no cluster in context ${name}`);
    const cluster = this.#entry(config, 'clusters', 'cluster', clusterName);
    const userName = text(context['user']);
    const user = userName === undefined ? {} : this.#entry(config, 'users', 'user', userName);
    for (const other of ['exec', 'auth-provider', 'username']) {
      if (user[other] !== undefined) {
        throw this.#error(
          `lets user ${userName} in by ${other}, which this command cannot do`,
          'Use a context with a token or a client certificate.',
        );
      }
    }
    return {
      server: this.#server(cluster, clusterName),
      insecure: cluster['insecure-skip-tls-verify'] === true,
      ...defined({
        ca: await this.#content(cluster, 'certificate-authority'),
        tlsServerName: text(cluster['tls-server-name']),
        token: text(user['token']) ?? (await this.#token(user)),
        certificate: await this.#content(user, 'client-certificate'),
        key: await this.#content(user, 'client-key'),
      }),
    };
  }

  #server(cluster: JsonObject, name: string): URL {
    const server = text(cluster['server']) ?? '';
    if (!URL.canParse(server)) throw this.#error(`has no valid server in cluster ${name}`);
    if (cluster['proxy-url'] !== undefined) {
      throw this.#error(`reaches cluster ${name} through a proxy, which this command cannot do`);
    }
    return new URL(server);
  }

  /** What stands in `<name>-data`, or in the file that `<name>` names. */
  async #content(entry: JsonObject, name: string): Promise<string | undefined> {
    const data = text(entry[`${name}-data`]);
    if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8');
    const file = text(entry[name]);
    return file === undefined ? undefined : this.#readFile(this.#relative(file), name);
  }

  async #token(user: JsonObject): Promise<string | undefined> {
    const file = text(user['tokenFile']);
    if (file === undefined) return undefined;
    return (await this.#readFile(this.#relative(file), 'the token')).trim();
  }

  /** Files are named from where the kubeconfig lies. */
  #relative(file: string): string {
    return resolve(dirname(this.#path), file);
  }

  async #readFile(path: string, what: string): Promise<string> {
    try {
      return await readFile(path, 'utf8');
    } catch (cause) {
      throw new ClientError('FILE_UNREADABLE', `cannot read ${what} ${path}`, {
        cause,
        hint: 'Name another kubeconfig with --kubeconfig.',
      });
    }
  }

  #parse(content: string): JsonObject {
    let value: unknown;
    try {
      value = parse(content);
    } catch {
      // The parser's message quotes the file, which holds secrets.
      throw this.#error('is not YAML');
    }
    if (!isJsonObject(value)) throw this.#error('is not a kubeconfig');
    return value;
  }

  #entry(config: JsonObject, list: string, field: string, name: string): JsonObject {
    const entries = Array.isArray(config[list]) ? config[list] : [];
    const found = entries.find((entry) => isJsonObject(entry) && entry['name'] === name);
    const value = isJsonObject(found) ? found[field] : undefined;
    if (isJsonObject(value)) return value;
    const names = entries.map((entry) => (isJsonObject(entry) ? text(entry['name']) : undefined));
    const known = names.filter((name) => name !== undefined).join(', ');
    throw this.#error(`has no ${field} ${name}`, known === '' ? undefined : `It has: ${known}.`);
  }

  #error(message: string, hint?: string): ClientError {
    const options = hint === undefined ? {} : { hint };
    return new ClientError('KUBECONFIG_INVALID', `${this.#path} ${message}`, options);
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The entries that have a value: an absent option is left out, not undefined. */
function defined<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
