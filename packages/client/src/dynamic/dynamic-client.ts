import { itemKindOf } from '../codec/lazy/lazy-fields.ts';
import type { Logger } from '../lib/logger.ts';
import type { GroupVersionResource, ResourceDescriptor } from '../meta/resource.ts';
import type {
  CanCreate,
  CanDelete,
  CanDeleteCollection,
  CanGet,
  CanList,
  CanPatch,
  CanUpdate,
  CanWatch,
  CanWatchAll,
  HasStatus,
} from '../rest/client-methods.ts';
import { GenericClient, untypedDescriptor } from '../rest/generic-client.ts';
import type { ResourceList, Stored } from '../rest/object-types.ts';
import type { ListOptions } from '../rest/options.ts';
import { type ConnectionOptions, RESTClient } from '../rest/rest-client.ts';
import { checkResource, invalidRequest } from '../rest/rest-error.ts';
import type { Config } from '../transport/config.ts';
import type { Unstructured } from './unstructured.ts';

/**
 * All verbs for the objects of one resource; the server refuses those it does not have. Objects may
 * leave out `apiVersion` and `kind` if the resource was given as a descriptor.
 */
export interface DynamicResourceClient
  extends
    CanGet<Unstructured>,
    CanList<Unstructured>,
    CanWatch<Unstructured>,
    CanWatchAll<Unstructured>,
    CanCreate<Unstructured>,
    CanUpdate<Unstructured>,
    CanPatch<Unstructured, string>,
    CanDelete<Unstructured>,
    CanDeleteCollection<Unstructured>,
    HasStatus<Unstructured> {}

/** Cluster-scoped objects, or lists over all namespaces; {@link namespace} leads into one. */
export interface NamespaceableResourceClient extends DynamicResourceClient {
  /** An empty namespace, the default, means all namespaces. */
  namespace(namespace?: string): DynamicResourceClient;
}

/** Options of a {@link DynamicClient}. */
export type DynamicClientOptions = Omit<ConnectionOptions, 'codec'>;

/**
 * A client for any resource, built-in or custom, that need not be known at compile time. Objects are
 * plain JSON, on the wire too, so that no field of a newer server is lost.
 *
 * ```ts
 * await using dynamic = new DynamicClient(await loadConfig());
 * const widgets = dynamic.resource({ group: 'example.com', version: 'v1', resource: 'widgets' });
 * await widgets.namespace('default').create({ metadata: { name: 'one' }, spec: { size: 3 } });
 * ```
 */
export class DynamicClient implements AsyncDisposable {
  /** Sends the requests of this client. */
  readonly rest: RESTClient;
  readonly #owned: RESTClient | undefined;

  /** Opens connections for a config, or shares those of a `RESTClient`. */
  constructor(config: Config | RESTClient, options: DynamicClientOptions = {}) {
    const { rest, owned } = RESTClient.from(config, { ...options, codec: 'json' });
    this.rest = rest;
    this.#owned = owned;
  }

  /**
   * Returns the client of a resource. From a descriptor, such as a `RESTMapper` returns, objects get
   * their kind, and a namespace for a cluster-scoped resource is refused.
   */
  resource(resource: GroupVersionResource | ResourceDescriptor): NamespaceableResourceClient {
    return new UnstructuredClient(this.rest, resource);
  }

  /** The namespace of the kubeconfig's context or of the pod, `default` if there is none. */
  get namespace(): string {
    return this.rest.namespace;
  }

  /** The logger of this client and of everything made with it. */
  get logger(): Logger {
    return this.rest.logger;
  }

  /** Closes the connections, unless they belong to a `RESTClient` that was passed in. */
  async close(): Promise<void> {
    await this.#owned?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

class UnstructuredClient
  extends GenericClient<Unstructured>
  implements NamespaceableResourceClient
{
  readonly #rest: RESTClient;
  readonly #resource: GroupVersionResource | ResourceDescriptor;

  constructor(
    rest: RESTClient,
    resource: GroupVersionResource | ResourceDescriptor,
    namespace?: string,
  ) {
    super(rest, describe(resource, namespace), namespace);
    this.#rest = rest;
    this.#resource = resource;
  }

  override namespace(namespace = ''): UnstructuredClient {
    if (namespace === '') return new UnstructuredClient(this.#rest, this.#resource);
    const { scope, resource } = this.descriptor;
    if (isDescriptor(this.#resource) && scope === 'Cluster') {
      throw invalidRequest(`${resource} are cluster-scoped: leave out the namespace ${namespace}`);
    }
    return new UnstructuredClient(this.#rest, this.#resource, namespace);
  }

  /** Servers leave out the kind of the items of a list; unstructured objects need it. */
  override async list(options: ListOptions = {}): Promise<ResourceList<Stored<Unstructured>>> {
    const list = await super.list(options);
    const itemKind = itemKindOf(list);
    if (itemKind === undefined || (options.readOnly ?? false) !== false) return list;
    const items = list.items.map((item) =>
      item.kind === undefined ? { ...itemKind, ...item } : item,
    );
    return { ...list, items };
  }
}

function describe(
  resource: GroupVersionResource | ResourceDescriptor,
  namespace: string | undefined,
): ResourceDescriptor<Unstructured> {
  checkResource(resource);
  return isDescriptor(resource)
    ? (resource as ResourceDescriptor<Unstructured>)
    : untypedDescriptor(resource, namespace);
}

function isDescriptor(
  resource: GroupVersionResource | ResourceDescriptor,
): resource is ResourceDescriptor {
  return 'scope' in resource;
}
