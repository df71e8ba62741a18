import type { ApiResponse } from '../http.ts';
import type { Catalog } from '../registry/catalog.ts';
import { parseAccept } from './accept.ts';
import { type Core, type Exchange, header } from './exchange.ts';
import { pageNotFound } from './failures.ts';

import { type OpenApiDocument, OpenApiDocuments } from './openapi-documents.ts';

const NO_CACHE = 'no-cache, private';
const A_YEAR_MS = 365 * 24 * 3600 * 1000;

const known = new WeakMap<Catalog, OpenApiDocuments>();

/** `/openapi/v2`, `/openapi/v3` and the documents that it lists. They answer to any method. */
export async function openApiRoute(exchange: Exchange): Promise<ApiResponse> {
  const { core, info } = exchange;
  const documents = documentsOf(core);
  if (info.path === '/openapi/v2') return documentV2(exchange, await documents.v2());
  if (info.path === '/openapi/v3') return index(exchange, await documents.index());
  const [, path] = /^\/openapi\/v3\/(.*)$/.exec(info.path) ?? [];
  return path === undefined ? pageNotFound() : documentV3(exchange, path, documents.v3(path));
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

async function documentV2(exchange: Exchange, document: OpenApiDocument): Promise<ApiResponse> {
  const { hash } = document;
  const always = { 'cache-control': NO_CACHE, vary: ['Accept-Encoding', 'Accept'] };
  const encoding = chooseEncoding(exchange, 'v2');
  if (encoding === undefined) return { status: 406, headers: always };
  const headers = { ...always, etag: `"${hash}"` };
  if (isUnchanged(exchange, document)) return { status: 304, headers };
  return { status: 200, ...(await content(document, encoding, headers)) };
}

async function documentV3(
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
  // The hash in the address stands for the content, so the answer may be kept for ever.
  const forEver = {
    'cache-control': 'public, immutable',
    expires: httpDate(core.clock.now() + A_YEAR_MS),
  };
  const answer = await content(document, encoding, { ...headers, ...(wanted !== null && forEver) });
  return { status: 200, ...answer, compressible: false };
}

interface DocumentEncoding {
  readonly isProtobuf: boolean;
  readonly type: string;
}

/** JSON, or protobuf in either spelling of its name; undefined if the client takes neither. */
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

/** The client has this document already. If it names what it has, its date does not count. */
function isUnchanged({ request }: Exchange, { hash, modified }: OpenApiDocument): boolean {
  const has = header(request.headers, 'if-none-match');
  if (has !== '') return has.split(',').some((tag) => ['*', `"${hash}"`].includes(tag.trim()));
  const since = Date.parse(header(request.headers, 'if-modified-since'));
  return Math.floor(modified / 1000) * 1000 <= since;
}

function httpDate(time: number): string {
  return new Date(time).toUTCString();
}
