import { MEDIA_TYPES } from '../codec/media-types.ts';
import { mapConcurrent } from '../lib/map-concurrent.ts';
import { apiErrorOf } from '../meta/api-error.ts';
import { isNotFound } from '../meta/error-guards.ts';
import type { APIResourceList } from '../meta/types.ts';
import { checkOptions, checkText } from '../rest/rest-error.ts';
import { RESTClient } from '../rest/rest-client.ts';
import type { Result } from '../rest/result.ts';
import type { Config } from '../transport/config.ts';
import {
  ACCEPT_AGGREGATED,
  ACCEPT_NO_PEER,
  type DiscoveredGroups,
  isAggregated,
  joinDiscovered,
  splitGroupsAndResources,
} from './aggregated.ts';
import { Discovery, type ServerResources } from './discovery-interface.ts';
import {
  type APIGroup,
  type DiscoveryOptions,
  parseApiGroupList,
  parseApiResourceList,
  parseApiVersions,
  parseVersionInfo,
  type VersionInfo,
} from './documents.ts';
import { type OpenAPIV3, OpenAPIV3Client } from './openapi.ts';

/** Options of a {@link DiscoveryClient}. */
export interface DiscoveryClientOptions {
  /** The time limit of each request. Default: that of the config, or 32 seconds. */
  readonly timeoutMs?: number | undefined;
  /** Reads every group-version separately, without aggregated discovery. Default false. */
  readonly legacy?: boolean | undefined;
  /** Reads only what the answering server serves itself, without its peers. Default false. */
  readonly noPeer?: boolean | undefined;
  /** How many group-versions are read concurrently, if separately. Default 10. */
  readonly concurrency?: number | undefined;
}

/** client-go's default, which is easy to recognise in logs. */
const DEFAULT_TIMEOUT_MS = 32_000;

const DEFAULT_CONCURRENCY = 10;

/** A cached answer, which the server can confirm by its ETag. */
interface Remembered {
  readonly etag: string;
  readonly discovered: DiscoveredGroups;
}

/**
 * Reads the API groups and resources of a server, without a cache. Use `MemCacheClient` or
 * `CachedDiscoveryClient` to read them often.
 *
 * Servers since 1.26 return everything in two responses (aggregated discovery); older ones need a
 * request for each group-version. Failures of single group-versions are returned beside the rest.
 *
 * ```ts
 * await using discovery = new DiscoveryClient(await loadConfig());
 * const { resources, failures } = await discovery.serverResources();
 * ```
 */
export class DiscoveryClient extends Discovery implements AsyncDisposable {
  /** Sends the requests of this client. */
  readonly rest: RESTClient;
  readonly #owned: RESTClient | undefined;
  readonly #timeoutMs: number;
  readonly #accept: string;
  readonly #concurrency: number;
  readonly #remembered = new Map<string, Remembered>();

  /** Connects with a config, or uses the connections of a `RESTClient`. */
  constructor(config: Config | RESTClient, options: DiscoveryClientOptions = {}) {
    super();
    checkOptions(options);
    const isBorrowed = config instanceof RESTClient;
    this.rest = isBorrowed ? config : new RESTClient(config);
    this.#owned = isBorrowed ? undefined : this.rest;
    const configured = isBorrowed ? undefined : config.timeoutMs;
    this.#timeoutMs = options.timeoutMs ?? configured ?? DEFAULT_TIMEOUT_MS;
    this.#accept = acceptOf(options);
    this.#concurrency = options.concurrency ?? DEFAULT_CONCURRENCY;
  }

  async serverGroups(options: DiscoveryOptions = {}): Promise<readonly APIGroup[]> {
    const { groups } = await this.#discover(options);
    return groups;
  }

  async serverResources(options: DiscoveryOptions = {}): Promise<ServerResources> {
    const first = await this.#serverResources(options);
    if (first.isConsistent || first.found.failures.size === 0) return first.found;
    // A group may have been removed after the groups were read; the next read does not list it.
    const second = await this.#serverResources(options);
    return second.found;
  }

  async resourcesForGroupVersion(
    groupVersion: string,
    options: DiscoveryOptions = {},
  ): Promise<APIResourceList> {
    checkText(groupVersion, 'group-version');
    const root = groupVersion.includes('/') ? '/apis' : '/api';
    const request = this.rest.get().absPath(root, groupVersion).timeout(this.#timeoutMs);
    return parseApiResourceList(await request.into(options), groupVersion);
  }

  async serverVersion(options: DiscoveryOptions = {}): Promise<VersionInfo> {
    const request = this.rest.get().absPath('/version').timeout(this.#timeoutMs);
    return parseVersionInfo(await request.into(options));
  }

  openAPIV3(): OpenAPIV3 {
    return new OpenAPIV3Client(this.rest, this.#timeoutMs);
  }

  /** Releases the connections that this client made from a config. Those of others stay open. */
  async close(): Promise<void> {
    await this.#owned?.[Symbol.asyncDispose]();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #serverResources(
    options: DiscoveryOptions,
  ): Promise<{ readonly found: ServerResources; readonly isConsistent: boolean }> {
    const { groups, resources, failures } = await this.#discover(options);
    const isConsistent = resources !== undefined;
    const known = isConsistent
      ? { resources, failures }
      : await this.#askEach(groups, failures, options);
    const lists = groups
      .flatMap(({ versions }) => versions)
      .flatMap(({ groupVersion }) => known.resources.get(groupVersion) ?? []);
    return { found: { groups, resources: lists, failures: known.failures }, isConsistent };
  }

  async #discover(options: DiscoveryOptions): Promise<DiscoveredGroups> {
    checkOptions(options);
    const { signal } = options;
    const halves = await mapConcurrent(
      ['/api', '/apis'] as const,
      { limit: 2, signal },
      (path, whileNeeded) => this.#readHalf(path, whileNeeded),
    );
    return joinDiscovered(halves);
  }

  async #readHalf(path: '/api' | '/apis', signal: AbortSignal): Promise<DiscoveredGroups> {
    const known = this.#remembered.get(path);
    const plain = this.rest.get().absPath(path).timeout(this.#timeoutMs);
    const request = plain.header('accept', this.#accept);
    try {
      const result = await (known === undefined
        ? request.do({ signal })
        : request.header('if-none-match', known.etag).do({ signal }));
      const discovered = read(path, result);
      const etag = result.header('etag');
      // Only aggregated documents have a reliable ETag.
      if (etag === undefined || discovered.resources === undefined) this.#remembered.delete(path);
      else this.#remembered.set(path, { etag, discovered });
      return discovered;
    } catch (error) {
      if (known !== undefined && apiErrorOf(error)?.statusCode === 304) return known.discovered;
      // An aggregated API server has no core group.
      if (path === '/api' && isNotFound(error)) return nothing;
      throw error;
    }
  }

  async #askEach(
    groups: readonly APIGroup[],
    known: ReadonlyMap<string, Error>,
    { signal }: DiscoveryOptions,
  ): Promise<Required<Omit<DiscoveredGroups, 'groups'>>> {
    const groupVersions = groups.flatMap(({ versions }) =>
      versions.map(({ groupVersion }) => groupVersion),
    );
    const answers = await mapConcurrent(
      groupVersions,
      { limit: this.#concurrency, signal },
      async (groupVersion, whileNeeded) => {
        try {
          return await this.resourcesForGroupVersion(groupVersion, { signal: whileNeeded });
        } catch (error) {
          return asError(error);
        }
      },
    );
    const resources = new Map<string, APIResourceList>();
    const failures = new Map(known);
    for (const [index, groupVersion] of groupVersions.entries()) {
      const answer = answers[index];
      if (answer instanceof Error) failures.set(groupVersion, answer);
      else if (answer !== undefined) resources.set(groupVersion, answer);
    }
    return { resources, failures };
  }
}

const nothing: DiscoveredGroups = { groups: [], resources: new Map(), failures: new Map() };

function read(path: '/api' | '/apis', result: Result): DiscoveredGroups {
  if (isAggregated(result.contentType ?? '')) return splitGroupsAndResources(result.into());
  const parse = path === '/api' ? parseApiVersions : parseApiGroupList;
  return { groups: parse(result.into()), failures: new Map() };
}

function acceptOf({ legacy = false, noPeer = false }: DiscoveryClientOptions): string {
  if (legacy) return MEDIA_TYPES.json;
  return noPeer ? ACCEPT_NO_PEER : ACCEPT_AGGREGATED;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error), { cause: error });
}
