import type { GroupVersionResource } from '../meta/resource.ts';
import type { KubernetesObject } from '../meta/types.ts';
import { checkObject, checkOptions, checkResource, checkText } from './arguments.ts';
import { describeRequest, type Engine, exchange, open, withRequest } from './engine.ts';
import {
  checkSegment,
  joinPath,
  parameterPairs,
  type QueryParameters,
  type ParameterValue,
  type Target,
} from './path.ts';
import { type CodecName, pathOf, type RequestSpec } from './request-spec.ts';
import { invalidRequest } from './rest-error.ts';
import { Result } from './result.ts';
import { Stream } from './stream.ts';
import {
  type AnyWatchEvent,
  type BookmarkEvent,
  type ObjectEvent,
  watchStream,
  type WatchStreamOptions,
} from './watch.ts';

/** What every request can be given when it is sent. */
export interface SendOptions {
  /** Aborting frees the connection at once; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * One request in the making, as in client-go. Every step gives a new request and leaves the old one
 * as it is, so a half-made one can be kept and used again. A step that makes no sense throws at
 * once, where the mistake is.
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

  /** The empty string means all namespaces, and is refused with a name or a creation. */
  namespace(namespace: string): Request {
    if (namespace !== '') checkSegment('namespace', namespace);
    return this.#aim('namespace', namespace);
  }

  /** The plural: `pods`, of the client's group-version; or a resource of any other. */
  resource(resource: GroupVersionResource | string): Request {
    if (typeof resource === 'string') {
      return this.#aim('resource', checkSegment('resource', resource));
    }
    checkResource(resource);
    const { group, version } = resource;
    return this.#with({ groupVersion: { group, version } }).resource(resource.resource);
  }

  /** Sent as it is: upper case, dots and colons stay; what would change the path is refused. */
  name(name: string): Request {
    return this.#aim('name', checkSegment('name', name));
  }

  /** `status`, or several levels: `proxy`, `healthz`. */
  subresource(...subresources: readonly string[]): Request {
    for (const subresource of subresources) checkSegment('subresource', subresource);
    return this.#aim('subresources', subresources);
  }

  /** A path of its own instead of that of the group-version. Parts may hold slashes. */
  absPath(...parts: readonly string[]): Request {
    return this.#with({ base: joinPath(...parts) });
  }

  /** Path and query as a server gave them: `/openapi/v3/api/v1?hash=1A2B`. */
  requestUri(uri: string): Request {
    checkText(uri, 'request URI');
    const { pathname, search } = new URL(uri, 'http://server');
    if (!uri.startsWith('/') || uri.startsWith('//')) {
      throw invalidRequest(`the request URI ${uri} must begin with one slash`);
    }
    const pairs = [...new URL(search, 'http://server').searchParams];
    return this.#with({ base: pathname, parameters: [...this.#spec.parameters, ...pairs] });
  }

  /** What comes after everything else in the path: the place within a proxied service. */
  suffix(...parts: readonly string[]): Request {
    return this.#with({ below: (this.#spec.below ?? '') + joinPath(...parts) });
  }

  /** Adds a query parameter; one that is there already is sent twice. */
  param(name: string, value: ParameterValue): Request {
    return this.params({ [name]: value });
  }

  /** Adds query parameters; those that are undefined are left out. */
  params(parameters: QueryParameters): Request {
    return this.#with({ parameters: [...this.#spec.parameters, ...parameterPairs(parameters)] });
  }

  /** Sets a header. `accept` and `content-type` are filled in unless they are set here. */
  header(name: string, value: string): Request {
    checkText(name, 'name of the header');
    checkText(value, 'value of the header');
    return this.#with({ headers: { ...this.#spec.headers, [name.toLowerCase()]: value } });
  }

  /**
   * An object is encoded as the client does it, or as JSON if a content type is given; bytes are
   * sent as they are, as JSON unless a content type says otherwise.
   */
  body(body: object, contentType: string | undefined = this.#spec.contentType): Request {
    checkObject(body, 'the body');
    return this.#with({ body, ...(contentType !== undefined && { contentType }) });
  }

  /**
   * How long the whole request may take, in milliseconds. The server is told too. For watches and
   * streams only the server is told: they have no end of their own.
   */
  timeout(milliseconds: number): Request {
    if (!(milliseconds > 0)) throw invalidRequest(`the timeout ${milliseconds} is not positive`);
    return this.#with({ timeout: milliseconds });
  }

  /** How long the whole answer may be, in bytes after decompression. Default: as the config says. */
  maxResponseBytes(bytes: number): Request {
    if (!(bytes > 0)) throw invalidRequest(`maxResponseBytes ${bytes} is not positive`);
    return this.#with({ maxResponseBytes: bytes });
  }

  /** The encoding to prefer in the answer, if it shall not be that of the client. */
  prefer(answerCodec: CodecName): Request {
    return this.#with({ answerCodec });
  }

  /** Sends the request. Rejects with an `ApiError` if the server refuses it. */
  async do(options: SendOptions = {}): Promise<Result> {
    checkOptions(options);
    const { signal } = options;
    const answer = await exchange(this.#engine, this.#spec, signal);
    return new Result(answer, describeRequest(this.#engine, this.#spec));
  }

  /** Sends the request and decodes the answer. `T` is not checked. */
  async into<T extends object>(options: SendOptions = {}): Promise<T> {
    const result = await this.do(options);
    return result.into<T>();
  }

  /** {@link into} for a list whose items shall be read-only, see `ReadOnlyCodec`. */
  async intoReadOnly<T extends object>(options: SendOptions = {}): Promise<T> {
    const result = await this.do(options);
    return await result.intoReadOnly<T>();
  }

  /** Sends the request and gives the bytes of the answer. */
  async raw(options: SendOptions = {}): Promise<Uint8Array> {
    const result = await this.do(options);
    return result.raw();
  }

  /** The bytes of the answer as they arrive: logs, and everything without an end. */
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
   * Watches what the request is about. ERROR events are thrown as `ApiError`, unless `errorEvents`
   * is set; bookmarks come only if the parameter `allowWatchBookmarks` asks for them.
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

  #aim<K extends keyof Target>(part: K, value: NonNullable<Target[K]>): Request {
    const { target } = this.#spec;
    if (target[part] !== undefined) {
      throw invalidRequest(`${part} is set already, to ${String(target[part])}`);
    }
    return this.#with({ target: { ...target, [part]: value } });
  }

  #with(change: Partial<RequestSpec>): Request {
    return new Request(this.#engine, { ...this.#spec, ...change });
  }
}
