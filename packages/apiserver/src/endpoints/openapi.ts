import { openApiDocument, openApiPath } from '../discovery/openapi.ts';
import type { ApiResponse } from '../http.ts';
import type { Catalog } from '../registry/catalog.ts';
import { loadModel } from '../schema/model.ts';
import { type Exchange, header } from './exchange.ts';
import { pageNotFound } from './failures.ts';
import { hashOf } from './hash.ts';

interface Documents {
  readonly generation: number;
  readonly byPath: Map<string, { readonly body: Buffer; readonly hash: string }>;
}

const documents = new WeakMap<Catalog, Documents>();

const NO_CACHE = 'no-cache, private';
const A_YEAR_MS = 365 * 24 * 3600 * 1000;

/** `/openapi/v3` and the documents that it lists. */
export function openApiRoute(exchange: Exchange, rest: readonly string[]): ApiResponse {
  const [version = '', ...path] = rest;
  if (version !== 'v3') return pageNotFound();
  return path.length === 0 ? index(exchange) : document(exchange, path.join('/'));
}

function index({ core }: Exchange): ApiResponse {
  const paths: Record<string, { serverRelativeURL: string }> = {};
  for (const groupVersion of core.catalog.groupVersions()) {
    const path = openApiPath(groupVersion);
    const hash = documentAt(core.catalog, path)?.hash ?? '';
    paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` };
  }
  return {
    status: 200,
    headers: { 'cache-control': NO_CACHE, 'content-type': 'text/plain; charset=utf-8' },
    body: Buffer.from(JSON.stringify({ paths })),
    compressible: false,
  };
}

function document({ core, info, request }: Exchange, path: string): ApiResponse {
  const found = documentAt(core.catalog, path);
  if (found === undefined) return { status: 404, headers: { 'cache-control': NO_CACHE } };
  const accept = header(request.headers, 'accept');
  const takesJson = accept === '' || /application\/json|\*\/\*|application\/\*/.test(accept);
  if (!takesJson) return { status: 406, headers: { 'cache-control': NO_CACHE, vary: 'Accept' } };
  const etag = `"${found.hash}"`;
  const wanted = info.query.get('hash');
  const headers = { 'content-type': 'application/json', etag, vary: 'Accept' };
  if (wanted !== null && wanted !== found.hash) {
    const location = `/openapi/v3/${path}?hash=${found.hash}`;
    return { status: 301, headers: { ...headers, 'cache-control': NO_CACHE, location } };
  }
  if (header(request.headers, 'if-none-match') === etag) {
    return { status: 304, headers: { 'cache-control': NO_CACHE, etag, vary: 'Accept' } };
  }
  // The hash in the address stands for the content, so the answer may be kept for ever.
  const expires = new Date(core.clock.now() + A_YEAR_MS).toUTCString();
  const caching =
    wanted === null
      ? { 'cache-control': NO_CACHE }
      : { 'cache-control': 'public, immutable', expires };
  return {
    status: 200,
    headers: { ...headers, ...caching },
    body: found.body,
    compressible: false,
  };
}

/** Documents are built when somebody asks for them, and again when a CRD changed. */
function documentAt(
  catalog: Catalog,
  path: string,
): { readonly body: Buffer; readonly hash: string } | undefined {
  let known = documents.get(catalog);
  if (known?.generation !== catalog.generation) {
    known = { generation: catalog.generation, byPath: new Map() };
    documents.set(catalog, known);
  }
  const built = known.byPath.get(path);
  if (built !== undefined) return built;
  const groupVersion = catalog.groupVersions().find((candidate) => openApiPath(candidate) === path);
  if (groupVersion === undefined) return undefined;
  const resources = catalog.resources(groupVersion.group, groupVersion.version);
  const body = Buffer.from(JSON.stringify(openApiDocument(groupVersion, resources, loadModel())));
  const fresh = { body, hash: hashOf(body) };
  known.byPath.set(path, fresh);
  return fresh;
}
