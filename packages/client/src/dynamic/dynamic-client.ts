import { itemKindOf } from '../codec/lazy/lazy-fields.ts';
import type { Logger } from '../lib/logger.ts';
import type { GroupVersionResource, ResourceDescriptor } from '../meta/resource.ts';
import { checkResource } from '../rest/rest-error.ts';
import type {
  CanCreate,
  CanDelete,
  CanDeleteCollection,
  CanGet,
  CanList,
  CanPatch,
  CanUpdate,
  CanWatch,
  HasStatus,
} from '../rest/client-methods.ts';
import { GenericClient } from '../rest/generic-client.ts';
import type { ResourceList, Stored } from '../rest/object-types.ts';
import type { ListOptions } from '../rest/options.ts';
import { RESTClient } from '../rest/rest-client.ts';
import { invalidRequest } from '../rest/rest-error.ts';
import type { Config } from '../transport/config.ts';
import { descriptorOfPlace } from './place-descriptor.ts';
import type { Unstructured } from './unstructured.ts';

/**
 * All verbs for objects of one resource, whatever the server then says to them. Objects need not
 * say their `apiVersion` and `kind` if the resource was given as a descriptor; otherwise only
 * built-in kinds may do without.
 */
export interface DynamicResourceClient
  extends
    CanGet<Unstructured>,
    CanList<Unstructured>,
    CanWatch<Unstructured>,
    CanCreate<Unstructured>,
    CanUpdate<Unstructured>,
    CanPatch<Unstructured, string>,
    CanDelete<Unstructured>,
    CanDeleteCollection<Unstructured>,
    HasStatus<Unstructured> {}

/** Objects outside of namespaces, or lists over all of them; {@link namespace} leads into one. */
export interface NamespaceableResourceClient extends DynamicResourceClient {
  /** Without a name, or with an empty one: no namespace in particular. */
  namespace(namespace?: string): DynamicResourceClient;
}

/**
 * A client for any resource, built-in or not, known only while the program runs. Objects are plain
 * JSON. Everything goes over the wire as JSON, so that nothing a newer server knows is lost.
 *
 * ```ts
 * await using dynamic = new DynamicClient(await loadConfig());
 * const widgets = dynamic.resource({ group: 'example.com', version: 'v1', resource: 'widgets' });
 * await widgets.namespace('default').create({ metadata: { name: 'one' }, spec: { size: 3 } });
 * ```
 */
export class DynamicClient implements AsyncDisposable {
  readonly #rest: RESTClient;
  readonly #owned: RESTClient | undefined;

  /** A client that makes its own connections from a config, or uses those of a `RESTClient`. */
  constructor(config: Config | RESTClient) {
    const isBorrowed = config instanceof RESTClient;
    const rest = isBorrowed ? config : new RESTClient(config);
    this.#owned = isBorrowed ? undefined : rest;
    this.#rest = rest.with({ codec: 'json' });
  }

  /**
   * The client of a resource. A descriptor, such as a `RESTMapper` finds, says more than a mere name:
   * objects get their kind from it, and a namespace too many or too few is noticed here.
   */
  resource(resource: GroupVersionResource | ResourceDescriptor): NamespaceableResourceClient {
    return new UnstructuredClient(this.#rest, resource);
  }

  /** Where this client, and everything that is made with it, logs. */
  get logger(): Logger {
    return this.#rest.logger;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned?.[Symbol.asyncDispose]();
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
      throw invalidRequest(`${resource} are not in namespaces: leave out ${namespace}`);
    }
    return new UnstructuredClient(this.#rest, this.#resource, namespace);
  }

  /** Servers leave out what the items of a list are; alone, each has to say it. */
  override async list(options: ListOptions = {}): Promise<ResourceList<Stored<Unstructured>>> {
    const list = await super.list(options);
    const itemKind = itemKindOf(list);
    if (itemKind === undefined || options.readOnly === true) return list;
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
    : descriptorOfPlace(resource, namespace);
}

function isDescriptor(
  resource: GroupVersionResource | ResourceDescriptor,
): resource is ResourceDescriptor {
  return 'scope' in resource;
}
