import { apiVersionOf } from 'client-ts/meta';

import {
  aggregatedDiscovery,
  apiGroup,
  apiGroupList,
  apiResourceList,
  apiVersions,
  type DiscoverySource,
  versionInfo,
} from '../discovery/documents.ts';
import { healthAnswer, healthPaths, isHealthEndpoint } from '../discovery/health.ts';
import type { ApiResponse } from '../http.ts';
import { encode } from './encoder.ts';
import { type Exchange, header, respond, preferencesOf } from './exchange.ts';
import { methodNotAllowed, pageNotFound, resourceNotFound } from './failures.ts';
import { withMetrics } from './metrics.ts';
import {
  checkMediaRanges,
  checkMediaTypes,
  type Encoding,
  MEDIA_TYPE,
  negotiate,
} from './negotiation.ts';
import { hashOf, openApiRoute } from './openapi.ts';

/** Routes everything that is not a resource: discovery, OpenAPI, version, health, metrics. */
export async function nonResourceRoute(exchange: Exchange): Promise<ApiResponse> {
  const { info } = exchange;
  const [first = '', ...rest] = info.path.split('/').filter((segment) => segment !== '');
  if (isHealthEndpoint(first)) return health(exchange, first, rest);
  if (info.path === '/metrics') return metricsPage(exchange);
  if (first === 'openapi') return await openApiRoute(exchange);
  if (first === '.well-known' || first === 'openid') return await openIdRoute(exchange);
  // An empty segment in the middle is a version or group that does not exist.
  if (/.\/\/./.test(info.path)) {
    if (first === 'api') throw resourceNotFound();
    return pageNotFound();
  }
  return documentAt(exchange, first, rest) ?? pageNotFound();
}

/** Returns the document at a path; undefined if there is none. */
function documentAt(
  exchange: Exchange,
  first: string,
  rest: readonly string[],
): ApiResponse | undefined {
  switch (first) {
    case '':
      return indentedJson(exchange, { paths: rootPaths(exchange) });
    case 'version':
      return version(exchange, rest);
    case 'api':
      return coreGroup(exchange, rest);
    case 'apis':
      return otherGroups(exchange, rest);
    default:
      return undefined;
  }
}

function version(exchange: Exchange, rest: readonly string[]): ApiResponse {
  if (rest.length > 0) throw resourceNotFound();
  requireGet(exchange);
  checkMediaRanges(preferencesOf(exchange.request), { encodings: ['json'] });
  return indentedJson(exchange, versionInfo(exchange.core.catalog.model.kubernetes));
}

function coreGroup(exchange: Exchange, rest: readonly string[]): ApiResponse {
  const source = discoverySource(exchange);
  const [name = ''] = rest;
  if (rest.length === 0) {
    requireGet(exchange);
    const address = header(exchange.request.headers, 'host');
    return discovery(exchange, 'api', apiVersions(source, address));
  }
  if (!exchange.core.catalog.hasGroupVersion('', name)) throw resourceNotFound();
  requireGet(exchange);
  return document(exchange, apiResourceList(source, { group: '', version: name }));
}

function otherGroups(exchange: Exchange, rest: readonly string[]): ApiResponse | undefined {
  const { catalog } = exchange.core;
  const source = discoverySource(exchange);
  const [group = '', name = ''] = rest;
  if (rest.length === 0) return discovery(exchange, 'apis', apiGroupList(source));
  const known = apiGroup(source, group);
  if (known === undefined) return undefined;
  if (rest.length === 1) return document(exchange, known, false);
  const isBuiltIn = !catalog.isCustomGroup(group);
  if (source.catalog.resources(group, name).length === 0 && !catalog.hasGroupVersion(group, name)) {
    if (isBuiltIn) throw resourceNotFound();
    return undefined;
  }
  if (isBuiltIn) requireGet(exchange);
  return document(exchange, apiResourceList(source, { group, version: name }), isBuiltIn);
}

/** For documents that only support GET. */
function requireGet({ request }: Exchange): void {
  if (request.method !== 'GET') throw methodNotAllowed();
}

const AGGREGATED = 'g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** `/api` and `/apis`: aggregated for clients that accept it anywhere in their Accept header. */
function discovery(exchange: Exchange, part: 'api' | 'apis', legacy: object): ApiResponse {
  const encoding = aggregatedEncoding(header(exchange.request.headers, 'accept'));
  if (encoding === undefined) return document(exchange, legacy, part === 'api');
  const whole = aggregatedDiscovery(discoverySource(exchange), part);
  const etag = `"${hashOf(JSON.stringify(whole))}"`;
  const headers = { 'cache-control': 'public', etag, vary: 'Accept' };
  if (header(exchange.request.headers, 'if-none-match') === etag) return { status: 304, headers };
  return {
    status: 200,
    headers: { ...headers, 'content-type': `${MEDIA_TYPE[encoding]};${AGGREGATED}` },
    body: encode(whole, { encoding, pretty: false }),
    compressible: false,
  };
}

function aggregatedEncoding(accept: string): Encoding | undefined {
  for (const clause of accept.split(',')) {
    const [type = '', ...parameters] = clause.split(';').map((part) => part.trim());
    const wanted = new Set(parameters);
    const isAggregated = AGGREGATED.split(';').every((parameter) => wanted.has(parameter));
    if (!isAggregated) continue;
    if (type === MEDIA_TYPE.json) return 'json';
    if (type === MEDIA_TYPE.protobuf) return 'protobuf';
  }
  return undefined;
}

/** Responds with a discovery document in the encoding that the client prefers. */
function document(exchange: Exchange, object: object, behindWebLayer = true): ApiResponse {
  const representation = negotiate(preferencesOf(exchange.request), { behindWebLayer });
  return respond(exchange, 200, object, representation);
}

/** For documents that are always indented JSON. */
function indentedJson(exchange: Exchange, object: object): ApiResponse {
  return respond(exchange, 200, object, { encoding: 'json', pretty: true });
}

function health(
  { info }: Exchange,
  endpoint: Parameters<typeof healthAnswer>[0],
  rest: readonly string[],
): ApiResponse {
  const answer = healthAnswer(endpoint, rest.join('/'), info.query);
  if (answer === undefined || info.path.endsWith('/')) return pageNotFound();
  return {
    status: answer.status,
    headers: {
      'cache-control': 'no-cache, private',
      'content-type': 'text/plain; charset=utf-8',
      ...(rest.length === 0 && { 'x-content-type-options': 'nosniff' }),
    },
    body: Buffer.from(answer.text),
  };
}

function metricsPage({ core }: Exchange): ApiResponse {
  return {
    status: 200,
    headers: {
      'cache-control': 'no-cache, private',
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    },
    body: Buffer.from(core.metrics.text()),
  };
}

function discoverySource({ core }: Exchange): DiscoverySource {
  const { catalog } = core;
  return {
    catalog: core.kubelet === undefined ? catalog : withMetrics(catalog),
    storageVersion: (info) =>
      info.verbs.includes('get') && info.verbs.includes('update')
        ? catalog.storageVersion(info)
        : undefined,
  };
}

function rootPaths(exchange: Exchange): string[] {
  const paths = [
    OPENID_CONFIGURATION,
    '/api',
    '/apis',
    '/apis/',
    ...healthPaths(),
    '/metrics',
    '/openapi/v2',
    '/openapi/v3',
    '/openapi/v3/',
    OPENID_KEYS,
    '/version',
  ];
  for (const { group, version } of exchange.core.catalog.groupVersions()) {
    if (group === '') paths.push(`/api/${version}`);
    else paths.push(`/apis/${group}`, `/apis/${apiVersionOf({ group, version })}`);
  }
  return [...new Set(paths)].sort();
}

/** The OpenID configuration, for verifying service account tokens. */
const OPENID_CONFIGURATION = '/.well-known/openid-configuration';
/** The public keys of service account tokens. */
const OPENID_KEYS = '/openid/v1/jwks';

/** Serves both; other paths are 404. */
async function openIdRoute(exchange: Exchange): Promise<ApiResponse> {
  const { info, request } = exchange;
  const path = info.path.replace(/\/$/, '');
  if (path !== OPENID_CONFIGURATION && path !== OPENID_KEYS) return pageNotFound();
  if (request.method !== 'GET') throw methodNotAllowed();
  return path === OPENID_KEYS ? await keys(exchange) : configuration(exchange);
}

/** Responds with the issuer of tokens and the location of its keys. */
function configuration(exchange: Exchange): ApiResponse {
  const { core, request } = exchange;
  const keysUrl = `https://${header(request.headers, 'host')}${OPENID_KEYS}`;
  return publish(
    exchange,
    'application/json',
    core.serviceAccountTokens.openIdConfiguration(keysUrl),
  );
}

async function keys(exchange: Exchange): Promise<ApiResponse> {
  const published = await exchange.core.serviceAccountTokens.publicKeys();
  return publish(exchange, 'application/jwk-set+json', published);
}

function publish({ request }: Exchange, type: string, document: object): ApiResponse {
  checkMediaTypes(header(request.headers, 'accept'), [type]);
  return {
    status: 200,
    headers: { 'cache-control': 'public, max-age=3600', 'content-type': type },
    body: Buffer.from(JSON.stringify(document)),
  };
}
