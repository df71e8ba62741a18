import { guardCallback } from '../lib/callback.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { loggerOf } from '../lib/logger.ts';
import { isJsonObject } from '../lib/json.ts';
import { mapConcurrent } from '../lib/map-concurrent.ts';
import { type Random, systemRandom } from '../lib/random.ts';
import type { APIResourceList } from '../meta/types.ts';
import type { Config } from '../transport/config.ts';
import { discoveryCacheDirectory } from './cache-directory.ts';
import { CacheFiles } from './cache-files.ts';
import { DiscoveryClient, type DiscoveryClientOptions } from './discovery-client.ts';
import { type CachedDiscoveryInterface, Discovery } from './discovery-interface.ts';
import type { DiscoveryOptions } from './discovery-options.ts';
import {
  type APIGroup,
  parseApiGroupList,
  parseApiResourceList,
  type VersionInfo,
} from './documents.ts';
import { type DiscoveryDelegate, MemCacheClient } from './mem-cache-client.ts';
import type { OpenAPIV3 } from './openapi.ts';
import type { ServerResources } from './server-resources.ts';

/** How long and where a {@link CachedDiscoveryClient} keeps what it knows. */
export interface DiskCacheOptions {
  /** How old a file may be, in milliseconds. Default ten minutes; kubectl itself takes six hours. */
  readonly ttl?: number;
  /**
   * Told when a file could not be written, for instance because the disk is full or read-only. The
   * cache then does its work without. Default: nobody is told.
   */
  readonly onError?: (error: unknown) => void;
  readonly clock?: Clock;
  readonly random?: Random;
}

/** For {@link CachedDiscoveryClient.forConfig}. */
export interface DiskCacheForConfigOptions extends DiskCacheOptions, DiscoveryClientOptions {
  /** Default `$KUBECACHEDIR`, or `~/.kube/cache`, as with kubectl. */
  readonly cacheDirectory?: string;
}

const DEFAULT_TTL_MS = 10 * 60_000;

/** How many files are written or read at the same time. */
const CONCURRENCY = 8;

const GROUPS = 'servergroups.json';

/**
 * Keeps what a server says about its resources in files, in the form and places that kubectl uses:
 * the two share them, and short programs need not ask at all.
 *
 * Whatever is wrong with a file, the server is asked instead. What is incomplete is not kept, so no
 * later process takes it for everything. After {@link CachedDiscoveryClient.invalidate} only files
 * count that this object has written since.
 *
 * ```ts
 * await using discovery = CachedDiscoveryClient.forConfig(await loadConfig());
 * ```
 */
export class CachedDiscoveryClient
  extends Discovery
  implements CachedDiscoveryInterface, AsyncDisposable
{
  readonly #delegate: DiscoveryDelegate;
  #files: CacheFiles;
  readonly #onError: (error: unknown) => void;
  #owned: AsyncDisposable | undefined;

  /** A cache in a directory of its own, which must be for this server only. */
  constructor(delegate: DiscoveryDelegate, directory: string, options: DiskCacheOptions = {}) {
    super();
    const { ttl = DEFAULT_TTL_MS, clock = systemClock, random = systemRandom } = options;
    this.#delegate = delegate;
    this.#files = new CacheFiles({ directory, ttl, clock, random });
    const logger = loggerOf(undefined);
    this.#onError = guardCallback('onError of the discovery cache', options.onError, logger);
  }

  /** A cache where kubectl looks for it, over a client that is closed with it. */
  static forConfig(config: Config, options: DiskCacheForConfigOptions = {}): CachedDiscoveryClient {
    const client = new DiscoveryClient(config, options);
    const directory = discoveryCacheDirectory(config.server, options.cacheDirectory);
    const cache = new CachedDiscoveryClient(new MemCacheClient(client), directory, options);
    cache.#owned = client;
    return cache;
  }

  async serverGroups(options: DiscoveryOptions = {}): Promise<readonly APIGroup[]> {
    const files = this.#files;
    const known = await readGroups(files);
    if (known !== undefined) return known;
    const found = await this.#delegate.serverResources(options);
    await this.#keepGroups(files, found);
    return found.groups;
  }

  async serverResources(options: DiscoveryOptions = {}): Promise<ServerResources> {
    const files = this.#files;
    const groups = await readGroups(files);
    if (groups !== undefined) return this.#resourcesOf(groups, options);
    const found = await this.#delegate.serverResources(options);
    const { signal } = options;
    await mapConcurrent(found.resources, { limit: CONCURRENCY, signal }, (list) =>
      this.#keepList(files, list),
    );
    // Last: whoever finds the groups finds the rest.
    await this.#keepGroups(files, found);
    return found;
  }

  async resourcesForGroupVersion(
    groupVersion: string,
    options: DiscoveryOptions = {},
  ): Promise<APIResourceList> {
    const files = this.#files;
    const known = await readList(files, groupVersion);
    if (known !== undefined) return known;
    const list = await this.#delegate.resourcesForGroupVersion(groupVersion, options);
    await this.#keepList(files, list);
    return list;
  }

  async serverVersion(options: DiscoveryOptions = {}): Promise<VersionInfo> {
    return this.#delegate.serverVersion(options);
  }

  openAPIV3(): OpenAPIV3 {
    return this.#delegate.openAPIV3();
  }

  invalidate(): void {
    this.#files = this.#files.renew();
    this.#delegate.invalidate?.();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned?.[Symbol.asyncDispose]();
  }

  async #resourcesOf(
    groups: readonly APIGroup[],
    { signal }: DiscoveryOptions,
  ): Promise<ServerResources> {
    const versions = groups.flatMap((group) => group.versions);
    const failures = new Map<string, Error>();
    const lists = await mapConcurrent(
      versions,
      { limit: CONCURRENCY, signal },
      async ({ groupVersion }, whileNeeded) => {
        try {
          return [await this.resourcesForGroupVersion(groupVersion, { signal: whileNeeded })];
        } catch (error) {
          failures.set(groupVersion, error as Error);
          return [];
        }
      },
    );
    return { groups, resources: lists.flat(), failures };
  }

  async #keepGroups(files: CacheFiles, { groups, failures }: ServerResources): Promise<void> {
    if (groups.length === 0 || failures.size > 0) return;
    await this.#write(files, GROUPS, { kind: 'APIGroupList', apiVersion: 'v1', groups });
  }

  async #keepList(files: CacheFiles, list: APIResourceList): Promise<void> {
    const name = fileOf(list.groupVersion);
    if (name !== undefined && list.resources.length > 0) await this.#write(files, name, list);
  }

  async #write(files: CacheFiles, name: string, document: object): Promise<void> {
    try {
      await files.write(name, document);
    } catch (error) {
      this.#onError(error);
    }
  }
}

async function readGroups(files: CacheFiles): Promise<readonly APIGroup[] | undefined> {
  const document = await files.read(GROUPS);
  const groups = attempt(() => parseApiGroupList(document));
  return groups?.length === 0 ? undefined : groups;
}

async function readList(
  files: CacheFiles,
  groupVersion: string,
): Promise<APIResourceList | undefined> {
  const name = fileOf(groupVersion);
  const document = name === undefined ? undefined : await files.read(name);
  if (!isJsonObject(document) || document['groupVersion'] !== groupVersion) return undefined;
  const list = attempt(() => parseApiResourceList(document, groupVersion));
  return list?.resources.length === 0 ? undefined : list;
}

/** `apps/v1/serverresources.json`; undefined for a name that would lead out of the directory. */
function fileOf(groupVersion: string): string | undefined {
  const isPlain = /^(?:[\w-][\w.-]*\/)?[\w-][\w.-]*$/.test(groupVersion);
  return isPlain ? `${groupVersion}/serverresources.json` : undefined;
}

/** Undefined for a document that is none: the file was damaged, or is from another program. */
function attempt<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}
