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

/** Where a {@link RESTMapper} learns what there is. Caches have `invalidate` too. */
export interface MapperSource {
  serverResources(options?: DiscoveryOptions): Promise<ServerResources>;
  invalidate?(): void;
}

/** How often a {@link RESTMapper} looks again. */
export interface RESTMapperOptions {
  /** So many misses may make it look again at once. Default 5. */
  readonly burst?: number;
  /** After those, a miss makes it look again at most this often. Default every 10 seconds. */
  readonly intervalMs?: number;
  readonly clock?: Clock;
}

/** What was read at one time. */
interface Reading {
  readonly table: ResourceTable;
  /** Readings are counted as they begin. */
  readonly number: number;
  /** False if it may come from a cache, which may be old. */
  readonly isLive: boolean;
}

/** A resource by name, a kind, or a word as kubectl takes it: `deploy`, `Deployment.v1.apps`. */
export type Mappable = PartialKind | PartialResource | string;

/**
 * Finds the resource that somebody means by a name or a kind, and what there is to know about it.
 *
 * What the server serves is read once and kept. A name that is not there makes the mapper look
 * again, so definitions that were installed meanwhile are found; it does so a few times at once and
 * then only now and then, so names that do not exist cost the server next to nothing. What is there
 * is not checked again: a definition that was removed stays known until {@link RESTMapper.reset}.
 *
 * ```ts
 * const mapper = new RESTMapper(new DiscoveryClient(config));
 * const descriptor = await mapper.mapping('deploy');
 * await mapper.kindFor({ resource: 'widgets', group: 'example.com' });
 * ```
 */
export class RESTMapper {
  readonly #source: MapperSource;
  readonly #looks: TokenBucket;
  readonly #reading = new SingleFlight<Reading>();
  #known: Reading | undefined;
  /** How many readings have begun. */
  #begun = 0;
  #resets = 0;

  constructor(source: MapperSource, options: RESTMapperOptions = {}) {
    const { burst = 5, intervalMs = 10_000, clock = systemClock } = options;
    this.#source = source;
    this.#looks = new TokenBucket({ clock, qps: 1000 / intervalMs, burst });
  }

  /**
   * The resource that is meant, as a descriptor for the generic and the dynamic client. Throws a
   * {@link NoMatchError} or, if several can be meant, an `AmbiguousMatchError` with all of them.
   */
  async mapping(wanted: Mappable, options: DiscoveryOptions = {}): Promise<ResourceDescriptor> {
    const found = chooseOne(nameOf(wanted), await this.mappings(wanted, options));
    // `mappings` never gives an empty list.
    return found as ResourceDescriptor;
  }

  /** Everything that can be meant, in order of priority. Throws a {@link NoMatchError} for nothing. */
  async mappings(wanted: Mappable, options: DiscoveryOptions = {}): Promise<ResourceDescriptor[]> {
    const { found, table } = await this.#find((each) => findIn(each, wanted), options);
    if (found.length > 0) return found;
    throw new NoMatchError(nameOf(wanted), concerning(wanted, table.failures));
  }

  /** The kind of a resource. Throws as {@link RESTMapper.mapping} does. */
  async kindFor(
    resource: PartialResource | string,
    options: DiscoveryOptions = {},
  ): Promise<GroupVersionKind> {
    return kindOf(await this.mapping(resource, options));
  }

  /** Every kind that a name of a resource can stand for, in order of priority. */
  async kindsFor(
    resource: PartialResource | string,
    options: DiscoveryOptions = {},
  ): Promise<GroupVersionKind[]> {
    return (await this.mappings(resource, options)).map(kindOf);
  }

  /** The resource in full, in its preferred version unless one is given. */
  async resourceFor(
    wanted: Mappable,
    options: DiscoveryOptions = {},
  ): Promise<GroupVersionResource> {
    return resourceOf(await this.mapping(wanted, options));
  }

  /** Every resource that a name or kind can stand for, in order of priority. */
  async resourcesFor(
    wanted: Mappable,
    options: DiscoveryOptions = {},
  ): Promise<GroupVersionResource[]> {
    return (await this.mappings(wanted, options)).map(resourceOf);
  }

  /** The members of a category such as `all`; none if there is no such category. */
  async expandCategory(category: string, options: DiscoveryOptions = {}): Promise<GroupResource[]> {
    const { found } = await this.#find((table) => table.findCategory(category), options);
    return found;
  }

  /** Forgets everything; the next question is answered from what the server says then. */
  reset(): void {
    this.#resets += 1;
    this.#known = undefined;
    this.#reading.forget();
    this.#source.invalidate?.();
  }

  /** Looks until something is found, or it is certain that the server does not have it now. */
  async #find<T>(
    find: (table: ResourceTable) => T[],
    { signal }: DiscoveryOptions,
  ): Promise<{ readonly found: T[]; readonly table: ResourceTable }> {
    const asked = this.#begun;
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
      known = await this.#reading.run((whileWanted) => this.#lookAgain(old, whileWanted), signal);
      if (known === old) break;
      found = find(known.table);
    }
    return { found, table: known.table };
  }

  async #lookAgain(old: Reading, signal: AbortSignal): Promise<Reading> {
    if (this.#looks.take() > 0) {
      this.#looks.giveBack();
      return old;
    }
    this.#source.invalidate?.();
    return await this.#read(true, signal);
  }

  async #read(isLive: boolean, signal: AbortSignal): Promise<Reading> {
    const resets = this.#resets;
    // Who asks in the same breath asks before it begins, and is content with it.
    await Promise.resolve();
    this.#begun += 1;
    const number = this.#begun;
    const table = new ResourceTable(await this.#source.serverResources({ signal }));
    const reading = { table, number, isLive };
    if (resets === this.#resets) this.#known = reading;
    return reading;
  }
}

function findIn(table: ResourceTable, wanted: Mappable): ResourceDescriptor[] {
  if (typeof wanted !== 'string') {
    return 'kind' in wanted ? table.findKinds(wanted) : table.findResources(wanted);
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
    ? nameOfKind(wanted)
    : `resource ${JSON.stringify(nameOfResource(wanted))}`;
}

/** The failures that can be the reason why something was not found. */
function concerning(
  wanted: Mappable,
  failures: ReadonlyMap<string, Error>,
): ReadonlyMap<string, Error> {
  const group = typeof wanted === 'string' ? undefined : wanted.group;
  if (group === undefined) return failures;
  const isConcerned = (failed: string): boolean =>
    failed === group || (group !== '' && failed.startsWith(group));
  return new Map(
    [...failures].filter(([groupVersion]) => isConcerned(parseApiVersion(groupVersion).group)),
  );
}

function kindOf({ group, version, kind }: ResourceDescriptor): GroupVersionKind {
  return { group, version, kind };
}

function resourceOf({ group, version, resource }: ResourceDescriptor): GroupVersionResource {
  return { group, version, resource };
}
