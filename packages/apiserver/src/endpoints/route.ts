import { newBadRequest, newMethodNotSupported } from 'client-ts/meta';

import type { ApiResponse } from '../http.ts';
import { deleteCollection, deleteObject } from './delete.ts';
import type { Exchange, ResourceExchange } from './exchange.ts';
import { methodNotAllowed, pageNotFound, resourceNotFound, unreadableRequest } from './failures.ts';
import { isMetricsRequest, metrics } from './metrics.ts';
import { nonResourceRoute } from './non-resource.ts';
import { patchObject } from './patch.ts';
import { bind } from './pod-subresources.ts';
import { getObject, listOrWatch } from './read.ts';
import { createReview, isReview } from './reviews.ts';
import { handleSubresource } from './subresources.ts';
import { createObject, updateObject } from './write.ts';

/** Routes a request to its handler. */
export async function route(exchange: Exchange): Promise<ApiResponse> {
  const { info, core } = exchange;
  if (!info.isResourceRequest) return await nonResourceRoute(exchange);
  if (info.problem !== undefined) return unreadableRequest(info);
  if (isMetricsRequest(exchange)) return metrics(exchange);
  const { group, version, resource } = info;
  const served = core.catalog.served(group, version, resource);
  if (served === undefined) {
    if (core.catalog.isCustomGroup(group)) return pageNotFound();
    throw resourceNotFound();
  }
  const found: ResourceExchange = { ...exchange, served };
  const { deprecation = DEPRECATED.get(`${group}/${resource}`) } = served;
  return served.info.crd === undefined
    ? await routeBuiltIn(found, deprecation)
    : await routeCustom(found, deprecation);
}

/** Deprecated resources, with the warning of every response. */
const DEPRECATED: ReadonlyMap<string, string> = new Map([
  ['/componentstatuses', 'v1 ComponentStatus is deprecated in v1.19+'],
  ['/endpoints', 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice'],
]);

/** Verbs for collections; the others are for single objects. */
const COLLECTION_VERBS = ['create', 'deletecollection', 'list', 'watch'];
const OBJECT_VERBS = ['delete', 'get', 'patch', 'update'];

/** Built-in resources: every path supports exactly its own methods. */
async function routeBuiltIn(
  exchange: ResourceExchange,
  deprecation: string | undefined,
): Promise<ApiResponse> {
  const { info, served, request, warnings } = exchange;
  const { scope, verbs } = served.info;
  const isOldWatch = info.verb === 'watch' && hasName(exchange);
  const needsNamespace = scope === 'Namespaced' && !isInNamespace(exchange);
  if (isInNamespace(exchange) && scope === 'Cluster') throw resourceNotFound();
  // Without a namespace, namespaced resources can only be read as collections.
  if (needsNamespace && hasName(exchange) && !isOldWatch) throw resourceNotFound();
  const ownVerbs = hasName(exchange) && !isOldWatch ? OBJECT_VERBS : COLLECTION_VERBS;
  const isPath = info.subresource !== '' || ownVerbs.some((verb) => verbs.includes(verb));
  if (!isPath) throw resourceNotFound();

  const warn = (): void => void (deprecation !== undefined && warnings.push(deprecation));
  if (info.subresource !== '') {
    warn();
    return await handleSubresource(exchange);
  }
  const reachable = needsNamespace ? ['list', 'watch'] : ownVerbs;
  const isAllowed = reachable.includes(info.verb) && verbs.includes(info.verb);
  const isRightMethod =
    request.method !== 'HEAD' && (info.verb !== 'watch' || request.method === 'GET');
  if (!isAllowed || !isRightMethod) throw methodNotAllowed();
  warn();
  return await dispatch(exchange);
}

/** Custom resources: one handler checks the verb, and is less strict about the path. */
async function routeCustom(
  exchange: ResourceExchange,
  deprecation: string | undefined,
): Promise<ApiResponse> {
  const { info, served, warnings } = exchange;
  const { scope, verbs } = served.info;
  const isRead = info.verb === 'list' || info.verb === 'watch';
  if (isInNamespace(exchange) && scope === 'Cluster') return pageNotFound();
  if (scope === 'Namespaced' && !isInNamespace(exchange) && !isRead) return pageNotFound();
  if (deprecation !== undefined) warnings.push(deprecation);
  if (info.subresource !== '') return await handleSubresource(exchange);
  if (!verbs.includes(info.verb)) throw newMethodNotSupported(served.info, info.verb);
  const needsName = info.verb === 'update' || info.verb === 'patch';
  if (needsName && !hasName(exchange)) throw newBadRequest('name must be provided');
  return await dispatch(exchange);
}

async function dispatch(exchange: ResourceExchange): Promise<ApiResponse> {
  switch (exchange.info.verb) {
    case 'get':
      return await getObject(exchange);
    case 'list':
    case 'watch':
      return await listOrWatch(exchange);
    case 'create':
      if (isReview(exchange)) return await createReview(exchange);
      if (exchange.info.resource === 'bindings') return await bind(exchange);
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

function isInNamespace({ info }: ResourceExchange): boolean {
  return info.namespace !== '' && info.resource !== 'namespaces';
}

function hasName({ info }: ResourceExchange): boolean {
  return (info.parts[1] ?? '') !== '';
}
