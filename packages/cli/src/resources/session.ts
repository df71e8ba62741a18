import { join } from 'node:path';

import {
  CachedDiscoveryClient,
  DiscoveryClient,
  discoveryCacheDirectory,
  MemCacheClient,
  RESTMapper,
} from 'client-ts/discovery';
import { RESTClient } from 'client-ts/rest';
import type { Config } from 'client-ts/transport';

import { configFor } from '../frame/connect.ts';
import type { ConnectionValues } from '../frame/connection-flags.ts';
import type { CommandContext } from '../frame/context.ts';

/** kubectl's lifetime of cached discovery files. */
const cacheTtlMs = 6 * 3_600_000;

/** Options of {@link openSession}. */
export interface SessionOptions {
  /** From `-n`. Default: of the context of the kubeconfig. */
  readonly namespace?: string | undefined;
}

/** A connection to a server, with discovery and mapper. */
export class Session implements AsyncDisposable {
  readonly config: Config;
  readonly rest: RESTClient;
  /** Discovery, cached on disk where kubectl caches it. */
  readonly discovery: CachedDiscoveryClient;
  readonly mapper: RESTMapper;
  constructor(config: Config, cacheDirectory: string) {
    this.config = config;
    this.rest = new RESTClient(config);
    this.discovery = new CachedDiscoveryClient(
      new MemCacheClient(new DiscoveryClient(this.rest)),
      discoveryCacheDirectory(config.server, cacheDirectory),
      { ttlMs: cacheTtlMs },
    );
    this.mapper = new RESTMapper(this.discovery);
  }

  /** The default namespace. */
  get namespace(): string {
    return this.rest.namespace;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.rest[Symbol.asyncDispose]();
  }
}

/** Connects to the server that the flags select. Sends no request. */
export async function openSession(
  connection: ConnectionValues,
  context: CommandContext,
  { namespace }: SessionOptions = {},
): Promise<Session> {
  const config = await configFor(
    connection,
    context,
    namespace === undefined || namespace === '' ? {} : { namespace },
  );
  return new Session(config, cacheDirectoryOf(context));
}

/** kubectl's cache directory: `$KUBECACHEDIR`, or `~/.kube/cache`. */
export function cacheDirectoryOf({ env, homeDirectory }: CommandContext): string {
  const { KUBECACHEDIR: given = '' } = env;
  return given === '' ? join(homeDirectory, '.kube', 'cache') : given;
}
