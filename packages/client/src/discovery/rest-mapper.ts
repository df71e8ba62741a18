import { type Clock, systemClock } from '../lib/clock.ts';
import { SingleFlight } from '../lib/single-flight.ts';
import { TokenBucket } from '../lib/token-bucket.ts';
import {
  type GroupResource,
  type GroupVersionKind,
  type GroupVersionResource,
  parseApiVersion,
  type ResourceDescriptor,
} from '../meta/resource.ts';
import type { KubernetesObject } from '../meta/types.ts';
import { RESTClient } from '../rest/rest-client.ts';
import type { Config } from '../transport/config.ts';
import { DiscoveryClient } from './discovery-client.ts';
import { chooseOne, NoMatchError } from './mapping-error.ts';
import type { DiscoveryOptions } from './documents.ts';
import {
  nameOfKind,
  nameOfResource,
  parseResourceArgument,
  type PartialKind,
  type PartialResource,
  ResourceTable,
} from './resource-table.ts';
import type { ServerResources } from './discovery-interface.ts';

/** The part of a discovery client that a {@link RESTMapper} uses. Caches have `invalidate` too. */
export interface MapperSource {
  serverResources(options?: DiscoveryOptions): Promise<ServerResources>;
  invalidate?(): void;
}

/** How often a {@link RESTMapper} reads discovery again. */
export interface RESTMapperOptions {
  /** How many misses in a row may each read discovery again. Default 5. */
  readonly burst?: number | undefined;
  /** After those, the minimum interval between reads. Default 10 seconds. */
  readonly intervalMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** The result of one read of discovery. */
interface Reading {
  readonly table: ResourceTable;
  /** Reads are numbered in the order in which they start. */
  readonly number: number;
  /** False if it may come from a stale cache. */
  readonly isLive: boolean;
}

/**
 * A resource, a kind, an object with `apiVersion` and `kind`, or an argument as kubectl takes it:
 * `deploy`, `Deployment.v1.apps`.
 */
export type Mappable =
  | PartialKind
  | PartialResource
  | Required<Pick<KubernetesObject, 'apiVersion' | 'kind'>>
  | string;

/**
 * Maps names and kinds to resources, as descriptors for clients.
 *
 * Discovery is read once and cached. A miss reads it again, so that custom resource definitions that
 * were installed later are found; repeated misses are rate limited. Hits are not checked again: a
 * definition that was removed stays known until {@link RESTMapper.reset}.
 *
 * ```ts
 * await using mapper = new RESTMapper(await loadConfig());
 * const descriptor = await mapper.mapping('deploy');
 * await mapper.kindFor({ resource: 'widgets', group: 'example.com' });
 * await mapper.mapping({ apiVersion: 'apps/v1', kind: 'Deployment' });
 * ```
 */
export class RESTMapper implements AsyncDisposable {
  readonly #source: MapperSource;
  readonly #owned: DiscoveryClient | undefined;
  readonly #rereads: TokenBucket;
  readonly #reading = new SingleFlight<Reading>();
  #known: Reading | undefined;
  /** How many reads have started. */
  #started = 0;
  #resets = 0;

  /** A config or a `RESTClient` is read with a `DiscoveryClient`; a cache avoids requests. */
  constructor(source: Config | MapperSource | RESTClient, options: RESTMapperOptions = {}) {
    const { burst = 5, intervalMs = 10_000, clock = systemClock } = options;
    const isSource = !(source instanceof RESTClient) && 'serverResources' in source;
    this.#owned = isSource ? undefined : new DiscoveryClient(source);
    this.#source = isSource ? source : (this.#owned as DiscoveryClient);
    this.#rereads = new TokenBucket({ clock, qps: 1000 / intervalMs, burst });
  }

  /**
   * Returns the matching resource as a descriptor for clients. Throws a {@link NoMatchError} or, if
   * several match and none has precedence, an `AmbiguousMatchError` with all of them.
   */
  async mapping(wanted: Mappable, options: DiscoveryOptions = {}): Promise<ResourceDescriptor> {
    const found = chooseOne(nameOf(wanted), await this.mappings(wanted, options));
    // `mappings` never returns an empty list.
    return found as ResourceDescriptor;
  }

  /** Returns all matching resources, in order of priority. Throws a {@link NoMatchError} for none. */
  async mappings(wanted: Mappable, options: DiscoveryOptions = {}): Promise<ResourceDescriptor[]> {
    const { found, table } = await this.#find((each) => findIn(each, wanted), options);
    if (found.length > 0) return found;
    throw new NoMatchError(nameOf(wanted), concerning(wanted, table.failures));
  }

  /** Returns the kind of a resource. Throws as {@link RESTMapper.mapping} does. */
  async kindFor(
    resource: PartialResource | string,
    options: DiscoveryOptions = {},
  ): Promise<GroupVersionKind> {
    return kindOf(await this.mapping(resource, options));
  }

  /** Returns the kinds of all matching resources, in order of priority. */
  async kindsFor(
    resource: PartialResource | string,
    options: DiscoveryOptions = {},
  ): Promise<GroupVersionKind[]> {
    return (await this.mappings(resource, options)).map(kindOf);
  }

  /** Returns the full resource, in the preferred version unless one is named. */
  async resourceFor(
    wanted: Mappable,
    options: DiscoveryOptions = {},
  ): Promise<GroupVersionResource> {
    return resourceOf(await this.mapping(wanted, options));
  }

  /** Returns all matching resources, in order of priority. */
  async resourcesFor(
    wanted: Mappable,
    options: DiscoveryOptions = {},
  ): Promise<GroupVersionResource[]> {
    return (await this.mappings(wanted, options)).map(resourceOf);
  }

  /** Returns the members of a category such as `all`; none if there is no such category. */
  async expandCategory(category: string, options: DiscoveryOptions = {}): Promise<GroupResource[]> {
    const { found } = await this.#find((table) => table.findCategory(category), options);
    return found;
  }

  /** Clears the cache; the next call reads discovery again. */
  reset(): void {
    this.#resets += 1;
    this.#known = undefined;
    this.#reading.forget();
    this.#source.invalidate?.();
  }

  /** Releases the connections that the mapper made from a config. Those of others stay open. */
  async close(): Promise<void> {
    await this.#owned?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Reads until something is found, or a live read after the call has not found it. */
  async #find<T>(
    find: (table: ResourceTable) => T[],
    { signal }: DiscoveryOptions,
  ): Promise<{ readonly found: T[]; readonly table: ResourceTable }> {
    const asked = this.#started;
    const isCertain = ({ number, isLive }: Reading): boolean => isLive && number > asked;
    let known =
      this.#known ??
      (await this.#reading.run(
        (whileWanted) => this.#read(this.#source.invalidate === undefined, whileWanted),
        signal,
      ));
    let found = find(known.table);
    while (found.length === 0 && !isCertain(known)) {
      const old = known;
      known = await this.#reading.run((whileWanted) => this.#reread(old, whileWanted), signal);
      if (known === old) break;
      found = find(known.table);
    }
    return { found, table: known.table };
  }

  async #reread(old: Reading, signal: AbortSignal): Promise<Reading> {
    if (this.#rereads.take() > 0) {
      this.#rereads.giveBack();
      return old;
    }
    this.#source.invalidate?.();
    return await this.#read(true, signal);
  }

  async #read(isLive: boolean, signal: AbortSignal): Promise<Reading> {
    const resets = this.#resets;
    // Calls of the same turn count as earlier than the read and share it.
    await Promise.resolve();
    this.#started += 1;
    const number = this.#started;
    const table = new ResourceTable(await this.#source.serverResources({ signal }));
    const reading = { table, number, isLive };
    if (resets === this.#resets) this.#known = reading;
    return reading;
  }
}

function findIn(table: ResourceTable, wanted: Mappable): ResourceDescriptor[] {
  if (typeof wanted !== 'string') {
    return 'kind' in wanted ? table.findKinds(partialKind(wanted)) : table.findResources(wanted);
  }
  const { resources, kinds } = parseResourceArgument(wanted);
  for (const resource of resources) {
    const found = table.findResources(resource);
    if (found.length > 0) return found;
  }
  return kinds.map((kind) => table.findKinds(kind)).find((found) => found.length > 0) ?? [];
}

function nameOf(wanted: Mappable): string {
  if (typeof wanted === 'string') return JSON.stringify(wanted);
  return 'kind' in wanted
    ? nameOfKind(partialKind(wanted))
    : `resource ${JSON.stringify(nameOfResource(wanted))}`;
}

/** Returns the failures that may be the reason why something was not found. */
function concerning(
  wanted: Mappable,
  failures: ReadonlyMap<string, Error>,
): ReadonlyMap<string, Error> {
  if (typeof wanted === 'string') return failures;
  const { group } = 'kind' in wanted ? partialKind(wanted) : wanted;
  if (group === undefined) return failures;
  const isConcerned = (failed: string): boolean =>
    failed === group || (group !== '' && failed.startsWith(group));
  return new Map(
    [...failures].filter(([groupVersion]) => isConcerned(parseApiVersion(groupVersion).group)),
  );
}

function partialKind(wanted: Exclude<Mappable, PartialResource | string>): PartialKind {
  if (!('apiVersion' in wanted)) return wanted;
  return { ...parseApiVersion(wanted.apiVersion), kind: wanted.kind };
}

function kindOf({ group, version, kind }: ResourceDescriptor): GroupVersionKind {
  return { group, version, kind };
}

function resourceOf({ group, version, resource }: ResourceDescriptor): GroupVersionResource {
  return { group, version, resource };
}
