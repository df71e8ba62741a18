import { MEDIA_TYPES } from '../codec/media-types.ts';
import type { Logger } from '../lib/logger.ts';
import type { GroupVersionResource } from '../meta/resource.ts';
import { isStatus } from '../meta/status.ts';
import type { Status } from '../meta/types.ts';
import { checkOptions, checkResource } from '../rest/rest-error.ts';
import type {
  CanDelete,
  CanDeleteCollection,
  CanGet,
  CanList,
  CanWatch,
  CanWatchAll,
  EventsOf,
  PatchBody,
} from '../rest/client-methods.ts';
import { GenericClient, untypedDescriptor } from '../rest/generic-client.ts';
import type { ResourceList, Stored } from '../rest/object-types.ts';
import type {
  DeletionOptions,
  GetOptions,
  ListAllOptions,
  ListOptions,
  PatchOptions,
  SelectorOptions,
  WatchAllOptions,
  WatchOptions,
} from '../rest/options.ts';
import { PagedList } from '../rest/pager.ts';
import type { PatchType } from '../rest/options.ts';
import type { CodecName } from '../rest/engine.ts';
import { type ConnectionOptions, RESTClient } from '../rest/rest-client.ts';
import type { Stream } from '../rest/stream.ts';
import type { AnyWatchEvent, WatchAllEvent } from '../rest/watch.ts';
import { watchAll } from '../rest/watch-all.ts';
import type { Config } from '../transport/config.ts';
import { bare, partialListOf, partialOf, type PartialObjectMetadata } from './partial-object.ts';

/** Applying needs the kind that the object really has: use the dynamic client. */
type MetadataPatchType = Exclude<PatchType, 'apply'>;

/** The verbs for objects of which only the metadata is read. */
export interface MetadataResourceClient
  extends
    CanGet<PartialObjectMetadata>,
    CanList<PartialObjectMetadata>,
    CanWatch<PartialObjectMetadata>,
    CanWatchAll<PartialObjectMetadata>,
    CanDelete<PartialObjectMetadata>,
    CanDeleteCollection<PartialObjectMetadata> {
  /** Patches labels, annotations, finalizers and other metadata. */
  patch<P extends MetadataPatchType>(
    name: string,
    patch: PatchBody<PartialObjectMetadata, P>,
    options: PatchOptions<P, string>,
  ): Promise<Stored<PartialObjectMetadata>>;
}

/** Cluster-scoped objects, or lists over all namespaces; {@link namespace} leads into one. */
export interface NamespaceableMetadataClient extends MetadataResourceClient {
  /** An empty namespace, the default, means all namespaces. */
  namespace(namespace?: string): MetadataResourceClient;
}

/**
 * Reads and changes only the metadata of objects of any resource. The server leaves out the rest,
 * which is most of an object: for garbage collectors, quotas, and programs that only count.
 *
 * ```ts
 * await using metadata = new MetadataClient(await loadConfig());
 * const pods = metadata.resource({ group: '', version: 'v1', resource: 'pods' });
 * for await (const { metadata: { name, labels } } of pods.listAll()) console.log(name, labels);
 * ```
 */
export class MetadataClient implements AsyncDisposable {
  /** Sends the requests of this client. */
  readonly rest: RESTClient;
  readonly #owned: RESTClient | undefined;

  /** Opens connections for a config, or shares those of a `RESTClient`. */
  constructor(config: Config | RESTClient, options: ConnectionOptions = {}) {
    const { rest, owned } = RESTClient.from(config, options);
    this.rest = rest;
    this.#owned = owned;
  }

  /** Returns the client of a resource; its kind need not be known. */
  resource(resource: GroupVersionResource): NamespaceableMetadataClient {
    return new PartialClient(this.rest, resource);
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

class PartialClient implements NamespaceableMetadataClient {
  readonly #rest: RESTClient;
  readonly #resource: GroupVersionResource;
  readonly #namespace: string | undefined;
  /** Clients with the `accept` header for one object, for a list, and without one. */
  readonly #object: GenericClient<PartialObjectMetadata>;
  readonly #list: GenericClient<PartialObjectMetadata>;
  readonly #plain: GenericClient<PartialObjectMetadata>;

  constructor(rest: RESTClient, resource: GroupVersionResource, namespace?: string) {
    checkResource(resource);
    this.#rest = rest;
    this.#resource = resource;
    this.#namespace = namespace;
    this.#object = this.#asking('PartialObjectMetadata', rest.codec);
    this.#list = this.#asking('PartialObjectMetadataList', rest.codec);
    this.#plain = this.#client(rest);
  }

  /** The namespace of its requests; empty if none was given. */
  get namespaceName(): string {
    return this.#namespace ?? '';
  }

  namespace(namespace = ''): MetadataResourceClient {
    return namespace === ''
      ? new PartialClient(this.#rest, this.#resource)
      : new PartialClient(this.#rest, this.#resource, namespace);
  }

  async get(name: string, options: GetOptions = {}): Promise<Stored<PartialObjectMetadata>> {
    return partialOf(await this.#object.get(name, options));
  }

  async list(options: ListOptions = {}): Promise<ResourceList<Stored<PartialObjectMetadata>>> {
    checkOptions(options);
    const client =
      (options.readOnly ?? false) !== false
        ? this.#asking('PartialObjectMetadataList', 'protobuf')
        : this.#list;
    return partialListOf(await client.list(options));
  }

  listAll(options: ListAllOptions = {}): PagedList<Stored<PartialObjectMetadata>> {
    checkOptions(options);
    return new PagedList((page) => this.list(page), options);
  }

  watch<const O extends WatchOptions>(options?: O): Stream<EventsOf<PartialObjectMetadata, O>> {
    if (options !== undefined) checkOptions(options);
    const client =
      (options?.readOnly ?? false) !== false
        ? this.#asking('PartialObjectMetadata', 'protobuf')
        : this.#object;
    const events = client.watch(options) as Stream<unknown> as Stream<PartialEvent>;
    return events.map(partialEvent) as Stream<unknown> as Stream<
      EventsOf<PartialObjectMetadata, O>
    >;
  }

  watchAll(options: WatchAllOptions = {}): Stream<WatchAllEvent<Stored<PartialObjectMetadata>>> {
    checkOptions(options);
    return watchAll<PartialObjectMetadata>(this, { clock: this.#rest.clock, ...options });
  }

  async patch<P extends MetadataPatchType>(
    name: string,
    patch: PatchBody<PartialObjectMetadata, P>,
    options: PatchOptions<P, string>,
  ): Promise<Stored<PartialObjectMetadata>> {
    return partialOf(await this.#object.patch(name, patch, options));
  }

  async delete(
    name: string,
    options: DeletionOptions = {},
  ): Promise<Status | Stored<PartialObjectMetadata>> {
    const answer = await this.#plain.delete(name, options);
    return isStatus(answer) ? answer : partialOf(answer);
  }

  async deleteCollection(
    options: DeletionOptions & SelectorOptions = {},
  ): Promise<ResourceList<Stored<PartialObjectMetadata>> | Status> {
    const answer = await this.#plain.deleteCollection(options);
    return 'items' in answer ? partialListOf(answer) : answer;
  }

  #asking(kind: string, codec: CodecName): GenericClient<PartialObjectMetadata> {
    return this.#client(this.#rest.with({ headers: { accept: acceptOf(kind, codec) } }));
  }

  #client(rest: RESTClient): GenericClient<PartialObjectMetadata> {
    const descriptor = untypedDescriptor<PartialObjectMetadata>(this.#resource, this.#namespace);
    return new GenericClient(rest, descriptor, this.#namespace);
  }
}

type PartialEvent = AnyWatchEvent<PartialObjectMetadata>;

function partialEvent(event: PartialEvent): PartialEvent {
  if (event.type === 'ERROR') return event;
  if (event.type === 'BOOKMARK') return { type: event.type, object: bare(event.object) };
  return { type: event.type, object: partialOf(event.object) };
}

/** Ends with plain JSON for servers before 1.15, which send the whole object. */
function acceptOf(kind: string, codec: CodecName): string {
  const types =
    codec === 'protobuf' ? [MEDIA_TYPES.protobuf, MEDIA_TYPES.json] : [MEDIA_TYPES.json];
  return [...types.map((type) => `${type};as=${kind};g=meta.k8s.io;v=v1`), MEDIA_TYPES.json].join(
    ',',
  );
}
