import { chmod, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { guardCallback } from '../lib/callback.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { type Environment, systemEnvironment } from '../lib/environment.ts';
import { isJsonObject } from '../lib/json.ts';
import { loggerOf } from '../lib/logger.ts';
import { mapConcurrent } from '../lib/map-concurrent.ts';
import { type Random, systemRandom } from '../lib/random.ts';
import type { APIResourceList } from '../meta/types.ts';
import type { Config } from '../transport/config.ts';
import { DiscoveryClient, type DiscoveryClientOptions } from './discovery-client.ts';
import {
  type CachedDiscoveryInterface,
  Discovery,
  type ServerResources,
} from './discovery-interface.ts';
import {
  type APIGroup,
  type DiscoveryOptions,
  parseApiGroupList,
  parseApiResourceList,
  type VersionInfo,
} from './documents.ts';
import { type DiscoveryDelegate, MemCacheClient } from './mem-cache-client.ts';
import type { OpenAPIV3 } from './openapi.ts';

/** How a {@link CachedDiscoveryClient} caches. */
export interface DiskCacheOptions {
  /** The maximum age of a file. Default ten minutes; kubectl uses six hours. */
  readonly ttlMs?: number | undefined;
  /**
   * Called when a file could not be written, for instance because the disk is full or read-only. The
   * cache then works without the file. Default: ignored.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

/** For {@link CachedDiscoveryClient.forConfig}. */
export interface DiskCacheForConfigOptions extends DiskCacheOptions, DiscoveryClientOptions {
  /** Default `$KUBECACHEDIR`, or `~/.kube/cache`, as with kubectl. */
  readonly cacheDirectory?: string | undefined;
}

const DEFAULT_TTL_MS = 10 * 60_000;

/** The maximum number of files that are written or read concurrently. */
const CONCURRENCY = 8;

const GROUPS = 'servergroups.json';

/**
 * Caches discovery in files, in kubectl's format and directory, so that both share the cache and
 * short-lived programs need no requests.
 *
 * A file that cannot be used is replaced from the server. Incomplete answers are not cached, so that
 * no other process takes them for complete. After {@link CachedDiscoveryClient.invalidate} only files
 * that this object has written since are read.
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

  /** Caches in a directory, which must be for this server only. */
  constructor(delegate: DiscoveryDelegate, directory: string, options: DiskCacheOptions = {}) {
    super();
    const { ttlMs = DEFAULT_TTL_MS, clock = systemClock, random = systemRandom } = options;
    this.#delegate = delegate;
    this.#files = new CacheFiles({ directory, ttlMs, clock, random });
    const logger = loggerOf(undefined);
    this.#onError = guardCallback('onError of the discovery cache', options.onError, logger);
  }

  /** Returns a cache in kubectl's directory, over a client that is closed with it. */
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
    // Last: a process that finds the groups also finds the rest.
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

  /** Releases the connections that this client made from a config. Those of others stay open. */
  async close(): Promise<void> {
    await this.#owned?.[Symbol.asyncDispose]();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
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

/** Returns `apps/v1/serverresources.json`; undefined for a name that would leave the directory. */
function fileOf(groupVersion: string): string | undefined {
  const isPlain = /^(?:[\w-][\w.-]*\/)?[\w-][\w.-]*$/.test(groupVersion);
  return isPlain ? `${groupVersion}/serverresources.json` : undefined;
}

/** Undefined for an invalid document: a damaged file, or one of another program. */
function attempt<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

/** Returns kubectl's cache directory: `$KUBECACHEDIR`, or `~/.kube/cache`. */
export function defaultCacheDirectory(env: Environment = systemEnvironment()): string {
  const { KUBECACHEDIR: given = '' } = env;
  return given === '' ? join(homedir(), '.kube', 'cache') : given;
}

/**
 * Returns kubectl's directory for the discovery documents of a server: `discovery/127.0.0.1_6443`
 * for `https://127.0.0.1:6443`. It is always below `cacheDirectory`. In theory two servers can
 * share a name.
 */
export function discoveryCacheDirectory(
  server: string,
  cacheDirectory: string = defaultCacheDirectory(),
): string {
  const host = server.replace('https://', '').replace('http://', '');
  const segments = host.replaceAll(/[^()\w/.]/g, '_').split('/');
  // kubectl keeps `..`, and so can be made to leave the directory.
  const safe = segments.map((part) => (/^\.+$/.test(part) ? part.replaceAll('.', '_') : part));
  return join(cacheDirectory, 'discovery', ...safe);
}

/** Options of {@link CacheFiles}. */
export interface CacheFilesOptions {
  readonly directory: string;
  /** The maximum age of a file. */
  readonly ttlMs: number;
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Pick<Random, 'uuid'>;
}

/** As in kubectl: the group may share the cache. */
const DIRECTORY_MODE = 0o750;
const FILE_MODE = 0o660;

/**
 * JSON documents in a directory that other processes use concurrently. Files are replaced
 * atomically. A file that is too old, unreadable or not JSON counts as missing.
 */
export class CacheFiles {
  readonly #options: CacheFilesOptions;
  /** The files that may be read; undefined for all. */
  readonly #trusted: Set<string> | undefined;
  #isRenewed = false;

  constructor(options: CacheFilesOptions, trusted?: Set<string>) {
    this.#options = options;
    this.#trusted = trusted;
  }

  /**
   * Returns the document in a file of the directory; undefined if there is none that can be used.
   */
  async read(name: string): Promise<unknown> {
    if (this.#trusted?.has(name) === false) return undefined;
    const { directory, ttlMs, clock } = this.#options;
    try {
      const file = await open(join(directory, name));
      try {
        const { mtimeMs } = await file.stat();
        if (clock.now() > mtimeMs + ttlMs) return undefined;
        return JSON.parse(await file.readFile('utf8'));
      } finally {
        await file.close();
      }
    } catch {
      // The document is read from the server and the file rewritten.
      return undefined;
    }
  }

  /** Writes a document; on failure it rejects and leaves no file behind. */
  async write(name: string, document: object): Promise<void> {
    if (this.#isRenewed) return;
    const { directory, random } = this.#options;
    const path = join(directory, name);
    const draft = join(dirname(path), `${basename(path)}.${random.uuid()}`);
    await mkdir(dirname(path), { recursive: true, mode: DIRECTORY_MODE });
    try {
      await writeFile(draft, `${JSON.stringify(document)}\n`, { flag: 'wx', mode: FILE_MODE });
      // The mode of a new file is subject to the umask.
      await chmod(draft, FILE_MODE);
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    this.#trusted?.add(name);
  }

  /**
   * Returns a cache of the same directory that reads only files written from now on. This one stops
   * writing, because its documents are older.
   */
  renew(): CacheFiles {
    this.#isRenewed = true;
    return new CacheFiles(this.#options, new Set());
  }
}
