import { MEDIA_TYPES } from '../codec/media-types.ts';
import { descriptorOfPlace } from '../dynamic/place-descriptor.ts';
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
  EventsOf,
  PatchBody,
} from '../rest/client-methods.ts';
import { GenericClient } from '../rest/generic-client.ts';
import type { ResourceList, Stored } from '../rest/object-types.ts';
import type {
  DeletionOptions,
  GetOptions,
  ListAllOptions,
  ListOptions,
  PatchOptions,
  SelectorOptions,
  WatchOptions,
} from '../rest/options.ts';
import { PagedList } from '../rest/pager.ts';
import type { PatchType } from '../rest/options.ts';
import type { CodecName } from '../rest/engine.ts';
import { RESTClient } from '../rest/rest-client.ts';
import type { Stream } from '../rest/stream.ts';
import type { AnyWatchEvent } from '../rest/watch.ts';
import type { Config } from '../transport/config.ts';
import { bare, partialListOf, partialOf, type PartialObjectMetadata } from './partial-object.ts';

/** Applying needs the kind that the object really has: use the dynamic client. */
type MetadataPatchType = Exclude<PatchType, 'apply'>;

/** What can be done with objects of which only the metadata is known. */
export interface MetadataResourceClient
  extends
    CanGet<PartialObjectMetadata>,
    CanList<PartialObjectMetadata>,
    CanWatch<PartialObjectMetadata>,
    CanDelete<PartialObjectMetadata>,
    CanDeleteCollection<PartialObjectMetadata> {
  /** Changes labels, annotations, finalizers and the like. The content type follows from `type`. */
  patch<P extends MetadataPatchType>(
    name: string,
    patch: PatchBody<PartialObjectMetadata, P>,
    options: PatchOptions<P, string>,
  ): Promise<Stored<PartialObjectMetadata>>;
}

/** Objects outside of namespaces, or lists over all of them; {@link namespace} leads into one. */
export interface NamespaceableMetadataClient extends MetadataResourceClient {
  /** Without a name, or with an empty one: no namespace in particular. */
  namespace(namespace?: string): MetadataResourceClient;
}

/**
 * Reads and changes the metadata of any objects, and nothing else of them. The server leaves out the
 * rest, which is most of it: for garbage collectors, quotas, and everybody who only counts.
 *
 * ```ts
 * await using metadata = new MetadataClient(await loadConfig());
 * const pods = metadata.resource({ group: '', version: 'v1', resource: 'pods' });
 * for await (const { metadata: { name, labels } } of pods.listAll()) console.log(name, labels);
 * ```
 */
export class MetadataClient implements AsyncDisposable {
  readonly #rest: RESTClient;
  readonly #owned: RESTClient | undefined;

  /** A client that makes its own connections from a config, or uses those of a `RESTClient`. */
  constructor(config: Config | RESTClient) {
    const isBorrowed = config instanceof RESTClient;
    this.#rest = isBorrowed ? config : new RESTClient(config);
    this.#owned = isBorrowed ? undefined : this.#rest;
  }

  /** The client of a resource; its kind need not be known. */
  resource(resource: GroupVersionResource): NamespaceableMetadataClient {
    return new PartialClient(this.#rest, resource);
  }

  /** Where this client, and everything that is made with it, logs. */
  get logger(): Logger {
    return this.#rest.logger;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned?.[Symbol.asyncDispose]();
  }
}

class PartialClient implements NamespaceableMetadataClient {
  readonly #rest: RESTClient;
  readonly #resource: GroupVersionResource;
  readonly #namespace: string | undefined;
  /** Three ways of asking: for an object, for a list, and without saying what is wanted back. */
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
    const client = options.readOnly
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
    const client = options?.readOnly
      ? this.#asking('PartialObjectMetadata', 'protobuf')
      : this.#object;
    const events = client.watch(options) as Stream<unknown> as Stream<PartialEvent>;
    return events.map(partialEvent) as Stream<unknown> as Stream<
      EventsOf<PartialObjectMetadata, O>
    >;
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
    const descriptor = descriptorOfPlace<PartialObjectMetadata>(this.#resource, this.#namespace);
    return new GenericClient(rest, descriptor, this.#namespace);
  }
}

type PartialEvent = AnyWatchEvent<PartialObjectMetadata>;

function partialEvent(event: PartialEvent): PartialEvent {
  if (event.type === 'ERROR') return event;
  if (event.type === 'BOOKMARK') return { type: event.type, object: bare(event.object) };
  return { type: event.type, object: partialOf(event.object) };
}

/** The last is for servers before 1.15, which know no other: they send the whole object. */
function acceptOf(kind: string, codec: CodecName): string {
  const types =
    codec === 'protobuf' ? [MEDIA_TYPES.protobuf, MEDIA_TYPES.json] : [MEDIA_TYPES.json];
  return [...types.map((type) => `${type};as=${kind};g=meta.k8s.io;v=v1`), MEDIA_TYPES.json].join(
    ',',
  );
}
