import type { TokenRequest, TokenRequestSpec } from '../api/authentication/v1.ts';
import type { Scale } from '../api/autoscaling/v1.ts';
import type { Binding } from '../api/core/v1.ts';
import type { Eviction } from '../api/policy/v1.ts';
import { MEDIA_TYPES } from '../codec/media-types.ts';
import type { Logger } from '../lib/logger.ts';
import { hasProtobuf } from '../codec/protobuf.ts';
import { nameOf } from '../meta/object.ts';
import {
  apiVersionOf,
  type GroupVersionKind,
  type GroupVersionResource,
  type ResourceDescriptor,
} from '../meta/resource.ts';
import type { DeleteOptions, KubernetesObject, Status } from '../meta/types.ts';
import type { EventsOf, PatchBody, ProxyOptions } from './client-methods.ts';
import type { ApplyConfiguration, ResourceList, Stored } from './object-types.ts';
import {
  type ApplyOptions,
  type CallOptions,
  deletionBody,
  type DeletionOptions,
  type GetOptions,
  type ListAllOptions,
  type ListOptions,
  listParameters,
  type PatchOptions,
  type PatchType,
  type SelectorOptions,
  type WatchAllOptions,
  type WatchOptions,
  writeParameters,
  type WriteOptions,
} from './options.ts';
import { PagedList } from './pager.ts';
import type { Request } from './request.ts';
import type { RESTClient } from './rest-client.ts';
import {
  checkObject,
  checkOptions,
  checkResource,
  checkText,
  invalidRequest,
} from './rest-error.ts';
import { emptyList, emptyWatch, refuseSelectingNothing, selectsNothing } from './select-nothing.ts';
import type { Stream } from './stream.ts';
import { watchAll } from './watch-all.ts';
import type { WatchAllEvent } from './watch.ts';

/**
 * Implements every verb and subresource of the API, for any resource. `ResourceClient` is its type
 * for one resource and has only the verbs and subresources of that resource.
 */
export class GenericClient<T extends KubernetesObject> {
  readonly descriptor: ResourceDescriptor<T>;
  readonly #rest: RESTClient;
  readonly #namespace: string | undefined;

  constructor(rest: RESTClient, descriptor: ResourceDescriptor<T>, namespace?: string) {
    checkResource(descriptor);
    this.#rest = rest;
    this.descriptor = descriptor;
    this.#namespace = namespace;
  }

  /** The logger of this client and of everything made with it. */
  get logger(): Logger {
    return this.#rest.logger;
  }

  /** Host and port of the server; empty if they are not known. */
  get server(): string {
    return this.#rest.server;
  }

  /** The namespace of its requests; empty for all namespaces and for cluster-scoped resources. */
  get namespaceName(): string {
    return this.#namespace ?? '';
  }

  namespace(namespace: string): GenericClient<T> {
    return new GenericClient(this.#rest, this.descriptor, namespace);
  }

  async get(name: string, options: GetOptions = {}): Promise<Stored<T>> {
    checkOptions(options);
    const { resourceVersion } = options;
    return await send(this.#object(this.#rest.get(), name).params({ resourceVersion }), options);
  }

  async list(options: ListOptions = {}): Promise<ResourceList<Stored<T>>> {
    checkOptions(options);
    if (selectsNothing(options)) return emptyList(this.descriptor, options);
    const request = this.#read(options).params(listParameters(options));
    return withItems(await send<ResourceList<Stored<T>>>(request, options));
  }

  listAll(options: ListAllOptions = {}): PagedList<Stored<T>> {
    checkOptions(options);
    return new PagedList((page) => this.list(page), options);
  }

  watch<const O extends WatchOptions = Pick<WatchOptions, 'signal'>>(
    options?: O,
  ): Stream<EventsOf<T, O>> {
    if (options !== undefined) checkOptions(options);
    const { signal, errorEvents, maxFrameBytes, ...parameters }: WatchOptions = options ?? {};
    if (options !== undefined && selectsNothing(options)) {
      return emptyWatch(options, this.#rest.clock) as Stream<unknown> as Stream<EventsOf<T, O>>;
    }
    const { readOnly = false } = parameters;
    const request = this.#read(parameters).params(listParameters(parameters));
    const events = request.watch<Stored<T>>({ signal, readOnly, errorEvents, maxFrameBytes });
    return events as Stream<unknown> as Stream<EventsOf<T, O>>;
  }

  watchAll(options: WatchAllOptions = {}): Stream<WatchAllEvent<Stored<T>>> {
    checkOptions(options);
    return watchAll<T>(this, { clock: this.#rest.clock, ...options });
  }

  async create(object: T, options: WriteOptions = {}): Promise<Stored<T>> {
    return await this.#write(this.#collection(this.#rest.post()), object, options);
  }

  async update(object: T, options: WriteOptions = {}): Promise<Stored<T>> {
    return await this.#replace(object, options);
  }

  async patch<P extends PatchType>(
    name: string,
    patch: PatchBody<T, P>,
    options: PatchOptions<P, string>,
  ): Promise<Stored<T>> {
    checkPatch(patch, options);
    const { type, subresource } = options;
    const request = this.#object(this.#rest.patch(type), name, subresource);
    const body = type === 'apply' ? this.#typed(patch) : patch;
    return await send(request.params(writeParameters(options)).body(body), options);
  }

  async apply(object: ApplyConfiguration<T>, options: ApplyOptions): Promise<Stored<T>> {
    return await this.#apply(object, options);
  }

  async delete(name: string, options: DeletionOptions = {}): Promise<Status | Stored<T>> {
    checkOptions(options);
    const body = deletionBody(options);
    const request = this.#object(this.#rest.delete(), name);
    return await send(withBody(request, body), options);
  }

  async deleteCollection(
    options: DeletionOptions & SelectorOptions = {},
  ): Promise<ResourceList<Stored<T>> | Status> {
    checkOptions(options);
    refuseSelectingNothing(options);
    const body = deletionBody(options);
    const request = this.#collection(this.#rest.delete()).params(listParameters(options));
    const answer = await send<ResourceList<Stored<T>> | Status>(withBody(request, body), options);
    return 'items' in answer ? withItems(answer) : answer;
  }

  async getStatus(name: string, options: GetOptions = {}): Promise<Stored<T>> {
    checkOptions(options);
    const { resourceVersion } = options;
    const request = this.#object(this.#rest.get(), name, 'status');
    return await send(request.params({ resourceVersion }), options);
  }

  async patchStatus<P extends PatchType>(
    name: string,
    patch: PatchBody<T, P>,
    options: PatchOptions<P, never>,
  ): Promise<Stored<T>> {
    checkPatch(patch, options);
    return await this.patch(name, patch, { ...options, subresource: 'status' });
  }

  async updateStatus(object: T, options: WriteOptions = {}): Promise<Stored<T>> {
    return await this.#replace(object, options, 'status');
  }

  async applyStatus(object: ApplyConfiguration<T>, options: ApplyOptions): Promise<Stored<T>> {
    return await this.#apply(object, options, 'status');
  }

  async getScale(name: string, options: CallOptions = {}): Promise<Stored<Scale>> {
    return await send(this.#object(this.#rest.get(), name, 'scale'), options);
  }

  async updateScale(
    name: string,
    scale: Scale,
    options: WriteOptions = {},
  ): Promise<Stored<Scale>> {
    checkObject(scale, 'the scale');
    const request = this.#object(this.#rest.put(), name, 'scale');
    // Servers require name and namespace, although the path has them.
    const namespace = this.#namespace;
    const metadata = { name, ...(namespace !== undefined && { namespace }), ...scale.metadata };
    const named = { ...scale, metadata };
    return await this.#write(request, named, options, this.#subresourceKind('scale'));
  }

  async patchScale<P extends PatchType>(
    name: string,
    patch: PatchBody<Scale, P>,
    options: PatchOptions<P, never>,
  ): Promise<Stored<Scale>> {
    checkPatch(patch, options);
    const { type } = options;
    const body = type === 'apply' ? this.#typed(patch, this.#subresourceKind('scale')) : patch;
    const request = this.#object(this.#rest.patch(type), name, 'scale').body(body);
    return await send(request.params(writeParameters(options)), options);
  }

  async evict(name: string, options: DeletionOptions = {}): Promise<Status> {
    checkOptions(options);
    const deleteOptions = deletionBody(options);
    const eviction: Eviction = { metadata: { name }, ...(deleteOptions && { deleteOptions }) };
    return await this.#submit(name, 'eviction', eviction, options);
  }

  async bind(name: string, nodeName: string, options: WriteOptions = {}): Promise<Status> {
    checkText(nodeName, 'name of the node');
    const target = { apiVersion: 'v1', kind: 'Node', name: nodeName };
    const binding: Binding = { metadata: { name }, target };
    return await this.#submit(name, 'binding', binding, options);
  }

  async createToken(
    name: string,
    spec: Partial<TokenRequestSpec> = {},
    options: WriteOptions = {},
  ): Promise<TokenRequest> {
    return await this.#submit(name, 'token', { spec }, options);
  }

  async updateEphemeralContainers(object: T, options: WriteOptions = {}): Promise<Stored<T>> {
    return await this.#replace(object, options, 'ephemeralcontainers');
  }

  async updateResize(object: T, options: WriteOptions = {}): Promise<Stored<T>> {
    return await this.#replace(object, options, 'resize');
  }

  async finalize(object: T, options: WriteOptions = {}): Promise<Stored<T>> {
    return await this.#replace(object, options, 'finalize');
  }

  async updateApproval(object: T, options: WriteOptions = {}): Promise<Stored<T>> {
    return await this.#replace(object, options, 'approval');
  }

  proxy(name: string, options: ProxyOptions = {}): Request {
    checkText(name, 'name');
    checkOptions(options);
    const { scheme, port = '', path = '/', params = {}, method = 'GET' } = options;
    const place = scheme === undefined ? [name, port] : [scheme, name, port];
    const segment = place.length === 2 && port === '' ? name : place.join(':');
    return this.#object(this.#rest.verb(method), segment, 'proxy').suffix(path).params(params);
  }

  async #apply(
    object: ApplyConfiguration<T>,
    options: ApplyOptions,
    subresource?: string,
  ): Promise<Stored<T>> {
    checkObject(object, 'the applied object');
    const { fieldManager } = Object(options) as Partial<ApplyOptions>;
    if (typeof fieldManager !== 'string') {
      throw invalidRequest(
        'apply needs options with a fieldManager',
        "Pass { fieldManager: 'my-program' }: it owns the fields that are applied.",
      );
    }
    if ((object as KubernetesObject).metadata?.managedFields !== undefined) {
      throw invalidRequest(
        'metadata.managedFields must not be set in an applied object',
        'Use extractApplied for the fields that were applied before, or leave the field out.',
      );
    }
    const request = this.#object(this.#rest.patch('apply'), this.#nameIn(object), subresource);
    return await this.#write(request, object, options);
  }

  async #replace(object: T, options: WriteOptions, subresource?: string): Promise<Stored<T>> {
    const request = this.#object(this.#rest.put(), this.#nameIn(object), subresource);
    return await this.#write(request, object, options);
  }

  async #submit<R extends object>(
    name: string,
    subresource: string,
    object: object,
    options: WriteOptions,
  ): Promise<R> {
    const request = this.#object(this.#rest.post(), name, subresource);
    return await this.#write(request, object, options, this.#subresourceKind(subresource));
  }

  async #write<R extends object>(
    request: Request,
    object: object,
    options: WriteOptions & { readonly force?: boolean | undefined },
    kind: GroupVersionKind = this.descriptor,
  ): Promise<R> {
    checkOptions(options);
    const withParams = request.params(writeParameters(options));
    return await send(withParams.body(this.#typed(object, kind)), options);
  }

  #nameIn(object: object): string {
    checkObject(object, 'the object');
    const name = nameOf(object);
    if (name !== '') return name;
    throw invalidRequest(`metadata.name is empty in an object for ${this.descriptor.resource}`);
  }

  /** Fills in `apiVersion` and `kind`, which typed objects may leave out and servers require. */
  #typed(object: object, kind: GroupVersionKind = this.descriptor): object {
    checkObject(object, 'the object');
    if (kind.kind === '') return object;
    const { apiVersion, kind: own, ...rest } = object as KubernetesObject;
    return { apiVersion: apiVersion ?? apiVersionOf(kind), kind: own ?? kind.kind, ...rest };
  }

  #subresourceKind(name: string): GroupVersionKind {
    const known = this.descriptor.subresources.find((subresource) => subresource.name === name);
    return known?.kind ?? this.descriptor;
  }

  #collection(request: Request, name?: string, subresource?: string): Request {
    const { descriptor: resource } = this;
    const namespace = resource.scope === 'Namespaced' ? (this.#namespace ?? '') : undefined;
    const target = request.target({ resource, namespace, name, subresource });
    // Aggregated servers send protobuf for kinds of which only they have the messages.
    return hasProtobuf(resource) ? target : target.prefer('json');
  }

  /**
   * Read-only objects are requested as protobuf wherever possible, whatever the client prefers: it
   * takes the least memory and is the cheapest to split.
   */
  #read({ readOnly = false }: Pick<ListOptions, 'readOnly'>): Request {
    const request = this.#collection(this.#rest.get());
    return readOnly !== false && hasProtobuf(this.descriptor)
      ? request.prefer('protobuf')
      : request;
  }

  #object(request: Request, name: string, subresource?: string): Request {
    checkText(name, 'name');
    return this.#collection(request, name, subresource);
  }
}

function checkPatch(patch: unknown, options: unknown): void {
  checkObject(patch, 'the patch');
  if (options !== undefined) return checkOptions(options);
  throw invalidRequest(
    'a patch needs options with its type',
    "Pass { type: 'merge' }, or 'json', 'strategic' or 'apply'.",
  );
}

/** As JSON: not every server reads another encoding here. */
function withBody(request: Request, body: DeleteOptions | undefined): Request {
  return body === undefined ? request : request.body(body, MEDIA_TYPES.json);
}

/** Called by async functions only: what it throws rejects their promises. */
function send<R extends object>(
  request: Request,
  options: CallOptions & Pick<ListOptions, 'readOnly'>,
): Promise<R> {
  checkOptions(options);
  const { timeoutMs, signal, readOnly = false } = options;
  const inTime = timeoutMs === undefined ? request : request.timeout(timeoutMs);
  if (readOnly === false) return inTime.into<R>({ signal });
  return inTime.intoReadOnly<R>({ signal }, readOnly === true ? undefined : readOnly);
}

/** Go marshals an empty slice as null, which some aggregated servers send. */
function withItems<L extends ResourceList<unknown>>(list: L): L {
  return (list.items as unknown) === null ? { ...list, items: [] } : list;
}

/**
 * Returns a descriptor for a resource of which only group, version and plural are known. Its kind is
 * empty, and it is namespaced if there is a namespace.
 */
export function untypedDescriptor<T extends KubernetesObject>(
  { group, version, resource }: GroupVersionResource,
  namespace: string | undefined,
): ResourceDescriptor<T> {
  return {
    group,
    version,
    resource,
    kind: '',
    singular: '',
    scope: namespace === undefined ? 'Cluster' : 'Namespaced',
    verbs: [],
    subresources: [],
    shortNames: [],
    categories: [],
  };
}
