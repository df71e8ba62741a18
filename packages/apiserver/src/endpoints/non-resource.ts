import { apiVersionOf, newNotAcceptable } from 'client-ts/meta';
import {
  aggregatedDiscovery,
  apiGroup,
  apiGroupList,
  apiResourceList,
  apiVersions,
  type DiscoverySource,
} from '../discovery/documents.ts';
import { healthAnswer, isHealthEndpoint } from '../discovery/health.ts';
import { versionInfo } from '../discovery/version.ts';
import type { ApiResponse } from '../http.ts';
import { encode } from './encoder.ts';
import { type Exchange, header, respond } from './exchange.ts';
import { methodNotAllowed, pageNotFound, resourceNotFound } from './failures.ts';
import { hashOf } from './hash.ts';
import { type Encoding, MEDIA_TYPE, negotiate, type Representation } from './negotiation.ts';
import { openApiRoute } from './openapi.ts';

/** Everything that is no resource: discovery, OpenAPI, version, health. */
export async function nonResourceRoute(exchange: Exchange): Promise<ApiResponse> {
  const { info, request } = exchange;
  const segments = info.path.split('/').filter((segment) => segment !== '');
  const [first = '', ...rest] = segments;
  if (isHealthEndpoint(first)) return health(exchange, first, rest);
  if (first === 'openapi') return await openApiRoute(exchange, rest);
  // An empty segment in the middle is a version or group that nobody serves.
  if (/.\/\/./.test(info.path)) throw resourceNotFound();
  const answer = documentFor(exchange, first, rest);
  if (answer === undefined) return pageNotFound();
  if (request.method !== 'GET') throw methodNotAllowed();
  return answer();
}

type Answer = () => ApiResponse;

function documentFor(
  exchange: Exchange,
  first: string,
  rest: readonly string[],
): Answer | undefined {
  const { catalog } = exchange.core;
  const source = discoverySource(exchange);
  switch (first) {
    case '':
      return () => document(exchange, { paths: rootPaths(exchange) }, ['json']);
    case 'version':
      return rest.length === 0 ? () => document(exchange, versionInfo(), ['json']) : undefined;
    case 'api': {
      const [version = ''] = rest;
      if (rest.length === 0) {
        const address = header(exchange.request.headers, 'host');
        return () => discovery(exchange, 'api', apiVersions(source, address));
      }
      if (!catalog.hasGroupVersion('', version)) throw resourceNotFound();
      return () => document(exchange, apiResourceList(source, { group: '', version }));
    }
    case 'apis': {
      const [group = '', version = ''] = rest;
      if (rest.length === 0) return () => discovery(exchange, 'apis', apiGroupList(source));
      const known = apiGroup(source, group);
      if (known === undefined) return undefined;
      if (rest.length === 1) return () => document(exchange, known);
      if (!catalog.hasGroupVersion(group, version)) throw resourceNotFound();
      return () => document(exchange, apiResourceList(source, { group, version }));
    }
    default:
      return undefined;
  }
}

const AGGREGATED = 'g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** `/api` and `/apis`: aggregated for clients that can read it, wherever in Accept they say so. */
function discovery(exchange: Exchange, part: 'api' | 'apis', legacy: object): ApiResponse {
  const encoding = aggregatedEncoding(header(exchange.request.headers, 'accept'));
  if (encoding === undefined) return document(exchange, legacy);
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

/** A document of discovery in the encoding that the client likes. */
function document(
  exchange: Exchange,
  object: object,
  encodings: readonly Encoding[] = ['json', 'yaml', 'protobuf'],
): ApiResponse {
  const isPlain = encodings.length === 1;
  const { request, info } = exchange;
  let representation: Representation;
  try {
    representation = negotiate({
      accept: withoutProjections(header(request.headers, 'accept')),
      pretty: info.query.get('pretty'),
      userAgent: header(request.headers, 'user-agent'),
      encodings,
      refusesPlainly: isPlain,
    });
  } catch (error) {
    if (isPlain) throw error;
    throw newNotAcceptable(encodings.map((encoding) => MEDIA_TYPE[encoding]));
  }
  return respond(exchange, 200, object, representation);
}

/** Clauses for aggregated discovery do not count where there is none. */
function withoutProjections(accept: string): string {
  const clauses = accept.split(',').filter((clause) => !clause.includes('as='));
  return clauses.length === 0 ? 'none/none' : clauses.join(',');
}

function health(
  { info }: Exchange,
  endpoint: Parameters<typeof healthAnswer>[0],
  rest: readonly string[],
): ApiResponse {
  const answer = healthAnswer(endpoint, rest.join('/'), info.query);
  if (answer === undefined) return pageNotFound();
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

function discoverySource({ core }: Exchange): DiscoverySource {
  const { catalog } = core;
  return {
    catalog,
    storageVersion: (info) =>
      info.verbs.includes('get') && info.verbs.includes('update')
        ? catalog.storageVersion(info)
        : undefined,
  };
}

function rootPaths(exchange: Exchange): string[] {
  const paths = ['/api', '/apis', '/apis/', '/healthz', '/livez', '/openapi/v3', '/readyz', '/version'];
  for (const { group, version } of exchange.core.catalog.groupVersions()) {
    if (group === '') paths.push(`/api/${version}`);
    else paths.push(`/apis/${group}`, `/apis/${apiVersionOf({ group, version })}`);
  }
  return [...new Set(paths)].sort();
}
