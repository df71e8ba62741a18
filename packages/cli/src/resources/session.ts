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

/** As long as kubectl takes files of the discovery cache for the truth. */
const cacheTtlMs = 6 * 3_600_000;

/** How {@link openSession} is called. */
export interface SessionOptions {
  /** That of `-n`; default: that of the context of the kubeconfig. */
  readonly namespace?: string | undefined;
}

/** Everything that a command needs to talk to one server over one connection. */
export class Session implements AsyncDisposable {
  readonly config: Config;
  readonly rest: RESTClient;
  /** What the server serves, kept on disk where kubectl keeps it. */
  readonly discovery: CachedDiscoveryClient;
  readonly mapper: RESTMapper;
  /** Where to look if nobody says otherwise. */
  readonly namespace: string;

  constructor(config: Config, cacheDirectory: string) {
    this.config = config;
    this.rest = new RESTClient(config);
    this.discovery = new CachedDiscoveryClient(
      new MemCacheClient(new DiscoveryClient(this.rest)),
      discoveryCacheDirectory(config.server, cacheDirectory),
      { ttlMs: cacheTtlMs },
    );
    this.mapper = new RESTMapper(this.discovery);
    this.namespace =
      config.namespace === undefined || config.namespace === '' ? 'default' : config.namespace;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.rest[Symbol.asyncDispose]();
  }
}

/** Finds the server that the flags mean. Nothing is asked yet. */
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

/** Where kubectl keeps what it knows: `$KUBECACHEDIR`, or `~/.kube/cache`. */
export function cacheDirectoryOf({ env, homeDirectory }: CommandContext): string {
  const { KUBECACHEDIR: given = '' } = env;
  return given === '' ? join(homeDirectory, '.kube', 'cache') : given;
}
