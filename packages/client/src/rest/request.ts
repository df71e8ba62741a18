import type { ReadOnlyCodecs } from '../codec/lazy/read-only-codec.ts';
import type { GroupVersionResource } from '../meta/resource.ts';
import type { KubernetesObject } from '../meta/types.ts';
import type { Upgrade } from '../transport/transport.ts';
import {
  type CodecName,
  type Engine,
  exchange,
  open,
  pathOf,
  type RequestSpec,
  upgraded,
  withRequest,
} from './engine.ts';
import { sendObserved } from './observed-write.ts';
import {
  checkSegment,
  joinPath,
  parameterPairs,
  type QueryParameters,
  type ParameterValue,
  type Target,
} from './path.ts';
import {
  checkObject,
  checkOptions,
  checkResource,
  checkText,
  checkWhole,
  invalidRequest,
} from './rest-error.ts';
import type { Result } from './result.ts';
import { Stream } from './stream.ts';
import {
  type AnyWatchEvent,
  type BookmarkEvent,
  type ObjectEvent,
  watchStream,
  type WatchStreamOptions,
} from './watch.ts';

/** Options of sending a request. */
export interface SendOptions {
  /** Aborting frees the connection immediately; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** What a request is about; see {@link Request.target}. */
export interface RequestTarget {
  readonly resource: GroupVersionResource;
  /** The empty string means all namespaces; undefined that the resource has none. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/**
 * Builds one request, as in client-go. Every method returns a new request and leaves the old one
 * unchanged, so that a partial request can be reused. An invalid argument throws immediately.
 *
 * ```ts
 * const list = await client.get().namespace('default').resource('pods').into<PodList>();
 * ```
 */
export class Request {
  readonly #engine: Engine;
  readonly #spec: RequestSpec;

  constructor(engine: Engine, spec: RequestSpec) {
    this.#engine = engine;
    this.#spec = spec;
  }

  /** The path, without host and query: `/api/v1/namespaces/default/pods`. */
  get path(): string {
    return pathOf(this.#spec);
  }

  /** The empty string means all namespaces; with a name or for a creation it is refused. */
  namespace(namespace: string): Request {
    if (namespace !== '') checkSegment('namespace', namespace);
    return this.#aim('namespace', namespace);
  }

  /** The plural (`pods`) of the client's group-version, or any other resource. */
  resource(resource: GroupVersionResource | string): Request {
    if (typeof resource === 'string') {
      return this.#aim('resource', checkSegment('resource', resource));
    }
    checkResource(resource);
    const { group, version } = resource;
    return this.#with({ groupVersion: { group, version } }).resource(resource.resource);
  }

  /** Upper case, dots and colons are kept; a name that would change the path is refused. */
  name(name: string): Request {
    return this.#aim('name', checkSegment('name', name));
  }

  /** {@link Request.resource}, `namespace`, `name` and `subresource` in one step. */
  target(target: RequestTarget): Request {
    checkObject(target, 'the target');
    const { resource, namespace, name, subresource } = target;
    checkResource(resource);
    const { group, version, resource: plural } = resource;
    if (Object.keys(this.#spec.target).length > 0) {
      throw invalidRequest('the target is already set');
    }
    checkSegment('resource', plural);
    if (namespace !== undefined && namespace !== '') checkSegment('namespace', namespace);
    if (name !== undefined) checkSegment('name', name);
    const subresources =
      subresource === undefined ? undefined : [checkSegment('subresource', subresource)];
    return this.#with({
      groupVersion: { group, version },
      target: { namespace, resource: plural, name, subresources },
    });
  }

  /** `status`, or several levels: `proxy`, `healthz`. */
  subresource(...subresources: readonly string[]): Request {
    for (const subresource of subresources) checkSegment('subresource', subresource);
    return this.#aim('subresources', subresources);
  }

  /** Replaces the path of the group-version. Parts may contain slashes. */
  absPath(...parts: readonly string[]): Request {
    return this.#with({ base: joinPath(...parts) });
  }

  /** A path with its query, as a server sent it: `/openapi/v3/api/v1?hash=1A2B`. */
  requestUri(uri: string): Request {
    checkText(uri, 'request URI');
    const { pathname, search } = new URL(uri, 'http://server');
    if (!uri.startsWith('/') || uri.startsWith('//')) {
      throw invalidRequest(`the request URI ${uri} must begin with one slash`);
    }
    const pairs = [...new URL(search, 'http://server').searchParams];
    return this.#with({ base: pathname, parameters: [...this.#spec.parameters, ...pairs] });
  }

  /** The end of the path, after everything else: the path within a proxied service. */
  suffix(...parts: readonly string[]): Request {
    return this.#with({ suffix: (this.#spec.suffix ?? '') + joinPath(...parts) });
  }

  /** Adds a query parameter; one that is already set is sent twice. */
  param(name: string, value: ParameterValue): Request {
    return this.params({ [name]: value });
  }

  /** Adds query parameters; those that are undefined are left out. */
  params(parameters: QueryParameters): Request {
    const pairs = parameterPairs(parameters);
    if (pairs.length === 0) return this;
    return this.#with({ parameters: [...this.#spec.parameters, ...pairs] });
  }

  /** Sets a header. `accept` and `content-type` are filled in unless they are set here. */
  header(name: string, value: string): Request {
    checkText(name, 'name of the header');
    checkText(value, 'value of the header');
    return this.#with({ headers: { ...this.#spec.headers, [name.toLowerCase()]: value } });
  }

  /**
   * An object is encoded with the client's codec, or as JSON if a content type is given. Bytes are
   * sent unchanged, with the content type of JSON by default. Throws `REST_OBJECT_PROJECTED` for an
   * object of a cache that keeps only some fields, and for copies of one.
   */
  body(body: object, contentType: string | undefined = this.#spec.contentType): Request {
    checkObject(body, 'the body');
    checkWhole(body);
    return this.#with({ body, ...(contentType !== undefined && { contentType }) });
  }

  /**
   * Sets the timeout of the whole request in milliseconds. It is sent to the server too; watches
   * and streams, which have no end, only send it.
   */
  timeout(timeoutMs: number): Request {
    if (!(timeoutMs > 0)) throw invalidRequest(`the timeout ${timeoutMs} is not positive`);
    return this.#with({ timeoutMs });
  }

  /** Limits the response, in bytes after decompression. Default: that of the config. */
  maxResponseBytes(bytes: number): Request {
    if (!(bytes > 0)) throw invalidRequest(`maxResponseBytes ${bytes} is not positive`);
    return this.#with({ maxResponseBytes: bytes });
  }

  /** Prefers this encoding in the response to that of the client. */
  prefer(answerCodec: CodecName): Request {
    return this.#with({ answerCodec });
  }

  /** Sends the request. Rejects with an `ApiError` if the server refuses it. */
  async do(options: SendOptions = {}): Promise<Result> {
    return await this.#do(options);
  }

  /** Sends the request and decodes the response. `T` is not checked. */
  async into<T extends object>(options: SendOptions = {}): Promise<T> {
    const result = await this.#do(options);
    return result.into<T>();
  }

  /** As {@link into}, for a list whose items shall be read-only; see `ReadOnlyCodec`. */
  async intoReadOnly<T extends object>(
    options: SendOptions = {},
    codecs?: ReadOnlyCodecs,
  ): Promise<T> {
    const result = await this.do(options);
    return await result.intoReadOnly<T>(codecs);
  }

  /** Sends the request and returns the bytes of the response. */
  async raw(options: SendOptions = {}): Promise<Uint8Array> {
    const result = await this.do(options);
    return result.raw();
  }

  /** Returns the bytes of the response as they arrive: logs, and everything without an end. */
  stream(options: SendOptions = {}): Stream<Uint8Array> {
    checkOptions(options);
    const { signal } = options;
    const [engine, spec] = [this.#engine, this.#spec];
    return new Stream(async (whileWanted) => (await open(engine, spec, whileWanted)).body, {
      signal,
      translateError: (error) => withRequest(engine, spec, error),
    });
  }

  /**
   * Sends the request on a connection of its own and lets `upgrade` change its protocol. Resolves
   * when the server has accepted the upgrade; the connection then belongs to `upgrade`.
   */
  async upgrade(upgrade: Upgrade, options: SendOptions = {}): Promise<void> {
    checkOptions(options);
    await upgraded(this.#engine, this.#spec, upgrade, options.signal);
  }

  /**
   * Watches the object or collection. ERROR events are thrown as `ApiError`, unless `errorEvents` is
   * set; bookmarks are sent only with the parameter `allowWatchBookmarks`.
   */
  watch<T extends KubernetesObject>(
    options: WatchStreamOptions & { readonly errorEvents: true },
  ): Stream<AnyWatchEvent<T>>;
  watch<T extends KubernetesObject>(
    options?: WatchStreamOptions,
  ): Stream<BookmarkEvent | ObjectEvent<T>>;
  watch<T extends KubernetesObject>(options: WatchStreamOptions = {}): Stream<AnyWatchEvent<T>> {
    checkOptions(options);
    const parameters: RequestSpec['parameters'] = [...this.#spec.parameters, ['watch', 'true']];
    return watchStream(this.#engine, { ...this.#spec, parameters }, options);
  }

  #do(options: SendOptions): Promise<Result> {
    checkOptions(options);
    const { signal } = options;
    const { onWrite, logger } = this.#engine;
    const send = (): Promise<Result> => exchange(this.#engine, this.#spec, signal);
    return onWrite === undefined
      ? send()
      : sendObserved({ onWrite, logger }, this.#spec, signal, send);
  }

  #aim<K extends keyof Target>(part: K, value: NonNullable<Target[K]>): Request {
    const { target } = this.#spec;
    if (target[part] !== undefined) {
      throw invalidRequest(`${part} is already set to ${String(target[part])}`);
    }
    return this.#with({ target: { ...target, [part]: value } });
  }

  #with(change: Partial<RequestSpec>): Request {
    return new Request(this.#engine, { ...this.#spec, ...change });
  }
}
