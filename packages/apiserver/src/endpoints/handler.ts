import { ApiError, newInternalError, newRequestEntityTooLarge, type Status } from 'client-ts/meta';
import type { Authenticator } from '../auth/authenticate.ts';
import type { Authorizer } from '../auth/authorize.ts';
import { type ApiRequest, type ApiResponse, BodyTooLargeError, type Handler } from '../http.ts';
import { createObject, updateObject } from './write.ts';
import { deleteCollection, deleteObject } from './delete.ts';
import { type Core, type Exchange, respond, type ResourceExchange, wishesOf } from './exchange.ts';
import { compress } from './compression.ts';
import { methodNotAllowed, pageNotFound, resourceNotFound } from './failures.ts';
import { negotiateError } from './negotiation.ts';
import { bind } from './pod-subresources.ts';
import { nonResourceRoute } from './non-resource.ts';
import { patchObject } from './patch.ts';
import { getObject, listOrWatch } from './read.ts';
import { parseRequestInfo } from './request-info.ts';
import { createReview, isReview } from './reviews.ts';
import { handleSubresource } from './subresources.ts';
import { checkTimeout } from './timeout.ts';

export interface HandlerOptions {
  readonly core: Core;
  readonly authenticate: Authenticator;
  readonly authorize: Authorizer;
  /** Told of faults of the server itself, which the client only sees as a 500. */
  readonly onError: (error: unknown) => void;
}

/** The whole API behind one function: request in, answer out. */
export function createHandler({ core, authenticate, authorize, onError }: HandlerOptions): Handler {
  return async (request) => {
    const warnings: string[] = [];
    let progress: 'new' | 'known' | 'admitted' = 'new';
    try {
      const info = parseRequestInfo(request.method, request.url);
      const user = authenticate(request, info);
      progress = 'known';
      const exchange: Exchange = { core, request, info, user, warnings };
      checkTimeout(info.query.get('timeout'));
      authorize(exchange);
      progress = 'admitted';
      return await compress(request, await route(exchange));
    } catch (error) {
      const response = failure(request, warnings, error, onError);
      if (!isRefusal(progress, response.status)) return response;
      return { ...response, headers: { ...response.headers, 'x-content-type-options': 'nosniff' } };
    }
  };
}

/**
 * The filters that refuse access or impersonation mark their answers as nothing to be sniffed at;
 * the API itself does not.
 */
function isRefusal(progress: 'admitted' | 'known' | 'new', status: number): boolean {
  return progress === 'new'
    ? status === 400 || status === 403
    : progress === 'known' && status === 403;
}

async function route(exchange: Exchange): Promise<ApiResponse> {
  const { info, core } = exchange;
  if (!info.isResourceRequest) return await nonResourceRoute(exchange);
  if (info.problem !== undefined) throw newInternalError(info.problem);
  const { group, version, resource } = info;
  if (!core.catalog.hasGroup(group)) return pageNotFound();
  const served = core.catalog.served(group, version, resource);
  if (served === undefined) {
    if (core.catalog.isCustomGroup(group)) return pageNotFound();
    throw resourceNotFound();
  }
  return await routeResource({ ...exchange, served });
}

async function routeResource(exchange: ResourceExchange): Promise<ApiResponse> {
  const { info, served, request } = exchange;
  const { scope, verbs } = served.info;
  const hasName = info.parts.length > 1 && info.parts[1] !== '';
  const inNamespace = info.namespace !== '' && info.resource !== 'namespaces';
  if (inNamespace && scope === 'Cluster') {
    if (served.info.crd !== undefined) return pageNotFound();
    throw resourceNotFound();
  }
  // Across all namespaces there are only collections to read.
  const needsNamespace = scope === 'Namespaced' && !inNamespace;
  if (needsNamespace && hasName && info.verb !== 'watch') throw resourceNotFound();

  const deprecation = served.deprecation ?? DEPRECATED.get(`${info.group}/${info.resource}`);
  if (deprecation !== undefined) exchange.warnings.push(deprecation);
  if (info.subresource !== '') return await handleSubresource(exchange);
  const verb = needsNamespace && !READS.has(info.verb) ? '' : verbOf(exchange, hasName);
  if (!verbs.includes(verb) || request.method === 'HEAD') throw methodNotAllowed();
  switch (verb) {
    case 'get':
      return await getObject(exchange);
    case 'list':
    case 'watch':
      return await listOrWatch(exchange);
    case 'create':
      if (isReview(exchange)) return await createReview(exchange);
      if (info.resource === 'bindings') return await bind(exchange);
      return await createObject(exchange);
    case 'update':
      return await updateObject(exchange);
    case 'patch':
      return await patchObject(exchange);
    case 'delete':
      return await deleteObject(exchange);
    case 'deletecollection':
      return await deleteCollection(exchange);
    default:
      throw methodNotAllowed();
  }
}

/** Resources that every request is warned about. */
const DEPRECATED: ReadonlyMap<string, string> = new Map([
  ['/componentstatuses', 'v1 ComponentStatus is deprecated in v1.19+'],
  ['/endpoints', 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice'],
]);

const READS = new Set(['list', 'watch']);

/** The verb, if the method fits the path: no PUT on a collection, no POST on an object. */
function verbOf({ info }: ResourceExchange, hasName: boolean): string {
  const needsName = info.verb === 'update' || info.verb === 'patch';
  if (needsName && !hasName) return '';
  if (info.verb === 'create' && hasName) return '';
  return info.verb;
}

function failure(
  request: ApiRequest,
  warnings: string[],
  error: unknown,
  onError: (error: unknown) => void,
): ApiResponse {
  const status = statusOf(error, onError);
  const representation = negotiateError(wishesOf(request));
  const {
    status: code,
    headers,
    body,
  } = respond({ warnings }, status.code ?? 500, status, representation);
  const retryAfter = status.details?.retryAfterSeconds ?? 0;
  return {
    status: code,
    headers: {
      ...headers,
      ...(retryAfter > 0 && { 'retry-after': String(retryAfter) }),
    },
    ...(request.method !== 'HEAD' && body !== undefined && { body }),
  };
}

function statusOf(error: unknown, onError: (error: unknown) => void): Status {
  if (error instanceof ApiError) return error.status;
  if (error instanceof BodyTooLargeError) {
    return newRequestEntityTooLarge(`limit is ${error.limit}`).status;
  }
  onError(error);
  return newInternalError(error instanceof Error ? error.message : String(error)).status;
}
