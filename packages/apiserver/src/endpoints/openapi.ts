import { createHash } from 'node:crypto';

import type { Clock, JsonObject } from 'client-ts/internal';

import { Fragment, memoize, typesOf } from '../discovery/openapi/document-parts.ts';
import { type DocumentSource, DocumentSources } from '../discovery/openapi/document-sources.ts';
import { jsonV2, pathItem, protobufV2 } from '../discovery/openapi/document-v2.ts';
import { documentV3, protobufV3 } from '../discovery/openapi/document-v3.ts';
import type { ApiPath } from '../discovery/openapi/operation.ts';
import { pathItemV2, schemaV2 } from '../discovery/openapi/protobuf/fields-v2.ts';
import { reachableTypes, typeV2 } from '../discovery/openapi/types.ts';
import type { ApiResponse } from '../http.ts';
import type { Catalog } from '../registry/catalog.ts';
import { type Core, type Exchange, header } from './exchange.ts';
import { pageNotFound } from './failures.ts';
import { parseAccept } from './negotiation.ts';

const NO_CACHE = 'no-cache, private';
const A_YEAR_MS = 365 * 24 * 3600 * 1000;

const known = new WeakMap<Catalog, OpenApiDocuments>();

/** Serves `/openapi/v2`, `/openapi/v3` and the documents in its index, for any method. */
export async function openApiRoute(exchange: Exchange): Promise<ApiResponse> {
  const { core, info } = exchange;
  const documents = documentsOf(core);
  if (info.path === '/openapi/v2') return respondV2(exchange, await documents.v2());
  if (info.path === '/openapi/v3') return index(exchange, await documents.index());
  const [, path] = /^\/openapi\/v3\/(.*)$/.exec(info.path) ?? [];
  return path === undefined ? pageNotFound() : respondV3(exchange, path, documents.v3(path));
}

function documentsOf({ catalog, clock, pause }: Core): OpenApiDocuments {
  let documents = known.get(catalog);
  if (documents === undefined) {
    known.set(catalog, (documents = new OpenApiDocuments({ catalog, clock, pause })));
  }
  return documents;
}

function index({ core }: Exchange, hashes: ReadonlyMap<string, string>): ApiResponse {
  const paths = Object.fromEntries(
    Array.from(hashes, ([path, hash]) => [
      path,
      { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` },
    ]),
  );
  return {
    status: 200,
    headers: {
      'cache-control': NO_CACHE,
      'content-type': 'text/plain; charset=utf-8',
      'last-modified': httpDate(core.clock.now()),
    },
    body: Buffer.from(JSON.stringify({ paths })),
    compressible: false,
  };
}

async function respondV2(exchange: Exchange, document: OpenApiDocument): Promise<ApiResponse> {
  const { hash } = document;
  const always = { 'cache-control': NO_CACHE, vary: ['Accept-Encoding', 'Accept'] };
  const encoding = chooseEncoding(exchange, 'v2');
  if (encoding === undefined) return { status: 406, headers: always };
  const headers = { ...always, etag: `"${hash}"` };
  if (isUnchanged(exchange, document)) return { status: 304, headers };
  return { status: 200, ...(await content(document, encoding, headers)) };
}

async function respondV3(
  exchange: Exchange,
  path: string,
  document: OpenApiDocument | undefined,
): Promise<ApiResponse> {
  if (document === undefined) return { status: 404, headers: { 'cache-control': NO_CACHE } };
  const { core, info } = exchange;
  const { hash } = document;
  const always = { 'cache-control': NO_CACHE, vary: 'Accept' };
  const encoding = chooseEncoding(exchange, 'v3');
  if (encoding === undefined) return { status: 406, headers: always };
  const headers = { ...always, etag: `"${hash}"` };
  const wanted = info.query.get('hash');
  if (wanted !== null && wanted !== hash) {
    const location = `/openapi/v3/${path}?hash=${hash}`;
    return { status: 301, headers: { ...headers, 'content-type': encoding.type, location } };
  }
  if (isUnchanged(exchange, document)) return { status: 304, headers };
  // The hash in the URL identifies the content, so the response never becomes stale.
  const immutable = {
    'cache-control': 'public, immutable',
    expires: httpDate(core.clock.now() + A_YEAR_MS),
  };
  const answer = await content(document, encoding, {
    ...headers,
    ...(wanted !== null && immutable),
  });
  return { status: 200, ...answer, compressible: false };
}

interface DocumentEncoding {
  readonly isProtobuf: boolean;
  readonly type: string;
}

/** Returns JSON, or protobuf in either spelling; undefined if the client accepts neither. */
function chooseEncoding({ request }: Exchange, version: 'v2' | 'v3'): DocumentEncoding | undefined {
  const accept = header(request.headers, 'accept');
  const protobuf = `com.github.proto-openapi.spec.${version}.v1.0+protobuf`;
  const oldName = protobuf.replace('.v1.0', '@v1.0');
  for (const { type, subtype } of parseAccept(accept === '' ? '*/*' : accept)) {
    if (type !== 'application' && type !== '*') continue;
    if (subtype === 'json' || subtype === '*') return { isProtobuf: false, type: JSON_TYPE };
    const isProtobuf = subtype === protobuf || subtype === oldName;
    if (isProtobuf) return { isProtobuf, type: `application/${protobuf}` };
  }
  return undefined;
}

const JSON_TYPE = 'application/json';

async function content(
  { json, protobuf, modified }: OpenApiDocument,
  { isProtobuf, type }: DocumentEncoding,
  headers: ApiResponse['headers'],
): Promise<Pick<ApiResponse, 'body' | 'headers'>> {
  const body = isProtobuf ? await protobuf() : json;
  return {
    headers: {
      ...headers,
      'content-type': type,
      'content-length': String(body.length),
      'last-modified': httpDate(modified),
    },
    body,
  };
}

/** True if the client already has this document. With an ETag, the date is ignored. */
function isUnchanged({ request }: Exchange, { hash, modified }: OpenApiDocument): boolean {
  const has = header(request.headers, 'if-none-match');
  if (has !== '') return has.split(',').some((tag) => ['*', `"${hash}"`].includes(tag.trim()));
  const since = Date.parse(header(request.headers, 'if-modified-since'));
  return Math.floor(modified / 1000) * 1000 <= since;
}

function httpDate(time: number): string {
  return new Date(time).toUTCString();
}

/** A document, cached until its resources change. */
export interface OpenApiDocument {
  readonly json: Uint8Array;
  /** The document as protobuf, encoded on first use. */
  readonly protobuf: () => Promise<Uint8Array>;
  /** The hash of the JSON; it identifies the content in both encodings. */
  readonly hash: string;
  /** When it was built, in milliseconds since the epoch. */
  readonly modified: number;
}

export interface OpenApiDocumentsOptions {
  readonly catalog: Catalog;
  readonly clock: Clock;
  /** Yields to other work, because describing a whole API takes longer than one turn should. */
  readonly pause: () => Promise<void>;
}

/** How many paths or types of the v2 document are serialized per turn. */
const FRAGMENTS_PER_TURN = 100;

/** The OpenAPI documents of one server, built on first use. */
class OpenApiDocuments {
  readonly #options: OpenApiDocumentsOptions;
  readonly #sources: DocumentSources;
  readonly #v3 = new Map<string, { source: DocumentSource; document: OpenApiDocument }>();
  #v2: { readonly generation: number; readonly document: Promise<OpenApiDocument> } | undefined;
  readonly #pathFragment = memoize(
    (path: ApiPath) => new Fragment(path.path, pathItem(path), pathItemV2),
  );
  readonly #typeFragments = new WeakMap<JsonObject, Fragment>();

  constructor(options: OpenApiDocumentsOptions) {
    this.#options = options;
    this.#sources = new DocumentSources(options.catalog);
  }

  /** Returns the v3 document at a path of the index; undefined if there is none. */
  v3(path: string): OpenApiDocument | undefined {
    const source = this.#sources.find(path);
    return source && this.#documentOf(source);
  }

  /** Returns the hash of every v3 document, by path in the index. */
  async index(): Promise<ReadonlyMap<string, string>> {
    const hashes = new Map<string, string>();
    for (const source of this.#sources.all()) {
      if (!this.#isKnown(source)) await this.#options.pause();
      hashes.set(source.path, this.#documentOf(source).hash);
    }
    return hashes;
  }

  /** Returns the v2 document, the whole API in one. Concurrent requests share one build. */
  v2(): Promise<OpenApiDocument> {
    const { generation } = this.#options.catalog;
    if (this.#v2?.generation !== generation) {
      const made = { generation, document: this.#makeV2() };
      this.#v2 = made;
      // A failed build is retried by the next request.
      made.document.catch(() => {
        if (this.#v2 === made) this.#v2 = undefined;
      });
    }
    return this.#v2.document;
  }

  #isKnown({ path, resources }: DocumentSource): boolean {
    const known = this.#v3.get(path)?.source.resources;
    return (
      known?.length === resources.length &&
      known.every((resource, index) => resource === resources[index])
    );
  }

  #documentOf(source: DocumentSource): OpenApiDocument {
    const known = this.#v3.get(source.path);
    if (known !== undefined && this.#isKnown(source)) return known.document;
    const types = this.#sources.types(source.resources, 3);
    const paths = this.#sources.paths(source);
    const whole = documentV3(paths, source.groupVersion, types, this.#options.catalog.model);
    const json = Buffer.from(JSON.stringify(whole));
    // Parsed again if protobuf is requested; keeping the objects would take far more memory.
    const document = this.#document(json, async () => protobufV3(JSON.parse(json.toString())));
    this.#v3.set(source.path, { source, document });
    return document;
  }

  async #makeV2(): Promise<OpenApiDocument> {
    // Read before the first pause: the document describes one state of the API.
    const sources = this.#sources.all();
    const { catalog, pause } = this.#options;
    const paths: Fragment[] = [];
    const roots = new Set<string>();
    for (const source of sources) {
      await pause();
      const own = this.#sources.paths(source);
      paths.push(...own.map(this.#pathFragment));
      for (const type of typesOf(own)) roots.add(type);
    }
    const types = this.#sources.types(
      sources.flatMap(({ resources }) => resources),
      2,
    );
    const definitions: Fragment[] = [];
    for (const [name, type] of reachableTypes(roots, types)) {
      if (definitions.length % FRAGMENTS_PER_TURN === 0) await pause();
      definitions.push(this.#typeFragment(name, type));
    }
    await pause();
    paths.sort((left, right) => (left.name < right.name ? -1 : 1));
    const whole = { model: catalog.model, paths, definitions };
    return this.#document(jsonV2(whole), async () => {
      // Fragments cache their text, so joining them is cheap.
      for (const [index, fragment] of [...paths, ...definitions].entries()) {
        if (index % FRAGMENTS_PER_TURN === 0) await pause();
        fragment.protobuf();
      }
      return protobufV2(whole);
    });
  }

  #typeFragment(name: string, type: JsonObject): Fragment {
    let fragment = this.#typeFragments.get(type);
    if (fragment === undefined) {
      fragment = new Fragment(name, typeV2(type), schemaV2);
      this.#typeFragments.set(type, fragment);
    }
    return fragment;
  }

  #document(json: Uint8Array, protobuf: () => Promise<Uint8Array>): OpenApiDocument {
    let encoded: Promise<Uint8Array> | undefined;
    return {
      json,
      protobuf: () => (encoded ??= protobuf()),
      hash: hashOf(json),
      modified: this.#options.clock.now(),
    };
  }
}

/** Returns the hash for ETags and URLs of OpenAPI documents. */
export function hashOf(content: string | Uint8Array): string {
  return createHash('sha512').update(content).digest('hex').toUpperCase();
}
