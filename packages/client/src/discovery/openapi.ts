import { parseJsonBytes } from '../codec/json-text.ts';
import { isJsonObject, type JsonObject } from '../lib/json.ts';
import { SingleFlight } from '../lib/single-flight.ts';
import type { RESTClient } from '../rest/rest-client.ts';
import { DiscoveryError } from './discovery-error.ts';
import type { DiscoveryOptions } from './documents.ts';

/** An entry of the OpenAPI v3 index. */
export interface OpenAPIV3Path {
  /**
   * `api/v1`, `apis/apps/v1`; also `version`, `openid/v1/jwks` and others that are not API groups.
   */
  readonly path: string;
  /** Path and query of the document. They change whenever the document does. */
  readonly serverRelativeURL: string;
  /** Changes whenever the document does; undefined if the server does not send it. */
  readonly hash?: string;
}

/** The OpenAPI v3 documents of a server: an index, and one document for each group-version. */
export interface OpenAPIV3 {
  /** Returns the index, by path. */
  paths(options?: DiscoveryOptions): Promise<ReadonlyMap<string, OpenAPIV3Path>>;
  /** Returns the document of an index entry. */
  document(place: OpenAPIV3Path, options?: DiscoveryOptions): Promise<JsonObject>;
  /** Returns the document of a group-version: `v1`, `apps/v1`. */
  documentFor(groupVersion: string, options?: DiscoveryOptions): Promise<JsonObject>;
}

const ROOT = '/openapi/v3';

/** Returns the index by path. A path prefix of a proxy is removed. */
export function parseOpenAPIV3Index(document: unknown): Map<string, OpenAPIV3Path> {
  const paths = isJsonObject(document) ? document['paths'] : undefined;
  if (!isJsonObject(paths)) {
    throw new DiscoveryError('DISCOVERY_DOCUMENT_INVALID', 'the OpenAPI v3 index has no paths');
  }
  const index = new Map<string, OpenAPIV3Path>();
  for (const [path, entry] of Object.entries(paths)) {
    const url = isJsonObject(entry) ? entry['serverRelativeURL'] : undefined;
    if (typeof url !== 'string') continue;
    const serverRelativeURL = url.slice(Math.max(0, url.indexOf(ROOT)));
    const hash = new URL(serverRelativeURL, 'http://server').searchParams.get('hash');
    index.set(path, { path, serverRelativeURL, ...(hash !== null && { hash }) });
  }
  return index;
}

abstract class Documents implements OpenAPIV3 {
  abstract paths(options?: DiscoveryOptions): Promise<ReadonlyMap<string, OpenAPIV3Path>>;
  abstract document(place: OpenAPIV3Path, options?: DiscoveryOptions): Promise<JsonObject>;

  async documentFor(groupVersion: string, options: DiscoveryOptions = {}): Promise<JsonObject> {
    const paths = await this.paths(options);
    const place = paths.get(`${groupVersion.includes('/') ? 'apis' : 'api'}/${groupVersion}`);
    if (place !== undefined) return this.document(place, options);
    throw new DiscoveryError(
      'DISCOVERY_UNKNOWN_GROUP_VERSION',
      `the server has no OpenAPI v3 document for ${groupVersion}`,
    );
  }
}

/** Reads documents without a cache. */
export class OpenAPIV3Client extends Documents {
  readonly #rest: RESTClient;
  readonly #timeoutMs: number;

  constructor(rest: RESTClient, timeoutMs: number) {
    super();
    this.#rest = rest;
    this.#timeoutMs = timeoutMs;
  }

  async paths(options: DiscoveryOptions = {}): Promise<ReadonlyMap<string, OpenAPIV3Path>> {
    const request = this.#rest.get().absPath(ROOT).timeout(this.#timeoutMs);
    // The index is JSON, although servers do not send a content type.
    return parseOpenAPIV3Index(parseJsonBytes(await request.raw(options), 'the OpenAPI v3 index'));
  }

  async document(
    { serverRelativeURL }: OpenAPIV3Path,
    options: DiscoveryOptions = {},
  ): Promise<JsonObject> {
    const request = this.#rest.get().requestUri(serverRelativeURL).timeout(this.#timeoutMs);
    return request.into<JsonObject>(options);
  }
}

/**
 * Caches the index until {@link CachedOpenAPIV3.invalidate}, and documents by hash, so that one
 * that has not changed is not read again.
 */
export class CachedOpenAPIV3 extends Documents {
  readonly #delegate: OpenAPIV3;
  readonly #reading = new SingleFlight<ReadonlyMap<string, OpenAPIV3Path>>();
  readonly #documents = new Map<string, JsonObject>();
  #index: ReadonlyMap<string, OpenAPIV3Path> | undefined;

  constructor(delegate: OpenAPIV3) {
    super();
    this.#delegate = delegate;
  }

  async paths({ signal }: DiscoveryOptions = {}): Promise<ReadonlyMap<string, OpenAPIV3Path>> {
    return this.#index ?? this.#reading.run((whileWanted) => this.#read(whileWanted), signal);
  }

  async document(place: OpenAPIV3Path, options: DiscoveryOptions = {}): Promise<JsonObject> {
    const { serverRelativeURL, hash } = place;
    const kept = this.#documents.get(serverRelativeURL);
    if (kept !== undefined) return kept;
    const document = await this.#delegate.document(place, options);
    // Without a hash, changes could not be detected.
    if (hash !== undefined) this.#documents.set(serverRelativeURL, document);
    return document;
  }

  /** Makes the next call read the index again. */
  invalidate(): void {
    this.#index = undefined;
    this.#reading.forget();
  }

  async #read(signal: AbortSignal): Promise<ReadonlyMap<string, OpenAPIV3Path>> {
    const index = await this.#delegate.paths({ signal });
    this.#index = index;
    const current = new Set([...index.values()].map(({ serverRelativeURL }) => serverRelativeURL));
    for (const url of this.#documents.keys()) if (!current.has(url)) this.#documents.delete(url);
    return index;
  }
}
