import type { RESTMapper } from '../discovery/rest-mapper.ts';
import {
  groupKindName,
  type GroupVersionKind,
  parseApiVersion,
  type ResourceDescriptor,
} from '../meta/resource.ts';
import type { RESTClient } from '../rest/rest-client.ts';
import { ControllerError } from './controller-error.ts';

/** What an object says about its kind. */
interface Typed {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
}

/**
 * Finds the resource of an object by its kind: among the resources of the controllers, then by
 * discovery.
 */
export class KindRegistry implements AsyncDisposable {
  readonly #rest: RESTClient;
  readonly #known = new Map<string, ResourceDescriptor>();
  #mapper: Promise<RESTMapper> | undefined;

  constructor(rest: RESTClient) {
    this.#rest = rest;
  }

  add(resource: ResourceDescriptor): void {
    this.#known.set(keyOf(resource), resource);
  }

  /** Throws a `CONTROLLER_KIND_UNKNOWN` error for an object without a kind. */
  async find(
    { apiVersion, kind }: Typed,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<ResourceDescriptor> {
    if (apiVersion === undefined || kind === undefined) {
      const missing = kind === undefined ? 'kind' : 'apiVersion';
      throw new ControllerError('CONTROLLER_KIND_UNKNOWN', `the object has no ${missing}`);
    }
    const wanted = { ...parseApiVersion(apiVersion), kind };
    const known = this.#known.get(keyOf(wanted));
    if (known !== undefined) return known;
    this.#mapper ??= this.#load();
    const mapper = await this.#mapper;
    const found = await mapper.mapping(wanted, { signal });
    this.add(found);
    return found;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const mapper = await this.#mapper;
    await mapper?.close();
  }

  /** Loaded when it is needed: most controllers write only what they watch. */
  async #load(): Promise<RESTMapper> {
    const { RESTMapper: Mapper } = await import('../discovery/rest-mapper.ts');
    return new Mapper(this.#rest);
  }
}

function keyOf(of: GroupVersionKind): string {
  return `${of.version} ${groupKindName(of)}`;
}
