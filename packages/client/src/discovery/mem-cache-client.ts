import { retryOf } from '../lib/errors.ts';
import { mapConcurrent } from '../lib/map-concurrent.ts';
import { SingleFlight } from '../lib/single-flight.ts';
import type { APIResourceList } from '../meta/types.ts';
import { DiscoveryError } from './discovery-error.ts';
import {
  type CachedDiscoveryInterface,
  Discovery,
  type DiscoveryInterface,
  type ServerResources,
} from './discovery-interface.ts';
import type { APIGroup, DiscoveryOptions, VersionInfo } from './documents.ts';
import { CachedOpenAPIV3, type OpenAPIV3 } from './openapi.ts';

/** The client or cache that is cached. */
export type DiscoveryDelegate = DiscoveryInterface & Partial<CachedDiscoveryInterface>;

/** How many failed group-versions are read again concurrently. */
const CONCURRENCY = 10;

/**
 * Caches discovery in memory until {@link MemCacheClient.invalidate}. Concurrent calls share one
 * read.
 *
 * A group-version that failed for a transient reason (a connection error, a 429 or a 5xx) is read
 * again on demand; one that the server refused or reported as stale stays failed. The version of
 * the server is not cached.
 */
export class MemCacheClient extends Discovery implements CachedDiscoveryInterface {
  readonly #delegate: DiscoveryDelegate;
  readonly #openapi: CachedOpenAPIV3;
  readonly #reading = new SingleFlight<ServerResources>();
  #known: ServerResources | undefined;
  #invalidations = 0;

  constructor(delegate: DiscoveryDelegate) {
    super();
    this.#delegate = delegate;
    this.#openapi = new CachedOpenAPIV3(delegate.openAPIV3());
  }

  async serverGroups(options: DiscoveryOptions = {}): Promise<readonly APIGroup[]> {
    const { groups } = this.#known ?? (await this.serverResources(options));
    return groups;
  }

  async serverResources({ signal }: DiscoveryOptions = {}): Promise<ServerResources> {
    const known = this.#known;
    if (known !== undefined && passing(known).length === 0) return known;
    return this.#reading.run((whileWanted) => this.#read(known, whileWanted), signal);
  }

  /**
   * Rejects with `DISCOVERY_UNKNOWN_GROUP_VERSION` for a group-version that is not in the cache.
   */
  async resourcesForGroupVersion(
    groupVersion: string,
    options: DiscoveryOptions = {},
  ): Promise<APIResourceList> {
    const known = this.#known ?? (await this.serverResources(options));
    const found = listIn(known, groupVersion);
    if (found !== undefined) return found;
    const failure = known.failures.get(groupVersion);
    if (failure === undefined) {
      throw new DiscoveryError(
        'DISCOVERY_UNKNOWN_GROUP_VERSION',
        `the discovery cache does not know ${groupVersion}`,
      );
    }
    if (retryOf(failure) === 'never') throw failure;
    const again = await this.serverResources(options);
    const list = listIn(again, groupVersion);
    if (list !== undefined) return list;
    throw again.failures.get(groupVersion) ?? failure;
  }

  async serverVersion(options: DiscoveryOptions = {}): Promise<VersionInfo> {
    return this.#delegate.serverVersion(options);
  }

  openAPIV3(): OpenAPIV3 {
    return this.#openapi;
  }

  invalidate(): void {
    this.#invalidations += 1;
    this.#known = undefined;
    this.#reading.forget();
    this.#openapi.invalidate();
    this.#delegate.invalidate?.();
  }

  async #read(known: ServerResources | undefined, signal: AbortSignal): Promise<ServerResources> {
    const invalidations = this.#invalidations;
    const found =
      known === undefined
        ? await this.#delegate.serverResources({ signal })
        : await this.#askAgain(known, signal);
    // A read that started before an invalidation is not cached.
    if (invalidations === this.#invalidations) this.#known = found;
    return found;
  }

  async #askAgain(known: ServerResources, signal: AbortSignal): Promise<ServerResources> {
    const lists = new Map(known.resources.map((list) => [list.groupVersion, list]));
    const failures = new Map(known.failures);
    await mapConcurrent(
      passing(known),
      { limit: CONCURRENCY, signal },
      async (groupVersion, whileNeeded) => {
        try {
          const options = { signal: whileNeeded };
          lists.set(
            groupVersion,
            await this.#delegate.resourcesForGroupVersion(groupVersion, options),
          );
          failures.delete(groupVersion);
        } catch (error) {
          failures.set(groupVersion, error as Error);
        }
      },
    );
    const { groups } = known;
    const ordered = groups.flatMap(({ versions }) =>
      versions.flatMap(({ groupVersion }) => lists.get(groupVersion) ?? []),
    );
    return { groups, resources: ordered, failures };
  }
}

function listIn({ resources }: ServerResources, groupVersion: string): APIResourceList | undefined {
  return resources.find((list) => list.groupVersion === groupVersion);
}

/** The group-versions that may succeed on another read. */
function passing({ failures }: ServerResources): string[] {
  return [...failures]
    .filter(([, error]) => retryOf(error) !== 'never')
    .map(([groupVersion]) => groupVersion);
}
