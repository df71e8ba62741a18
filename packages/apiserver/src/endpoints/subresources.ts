import { newNotFound } from 'client-ts/meta';
import type { ApiResponse } from '../http.ts';
import { viewOf } from '../registry/served-resource.ts';
import type { ResourceExchange } from './exchange.ts';
import { methodNotAllowed, resourceNotFound } from './failures.ts';
import { patchObject } from './patch.ts';
import { bind, evict, log, proxy, stream } from './pod-subresources.ts';
import { negotiateFor, respondWithObject } from './respond.ts';
import { scale } from './scale.ts';
import { createToken } from './token.ts';
import { updateObject } from './write.ts';

type SubresourceHandler = (exchange: ResourceExchange) => ApiResponse | Promise<ApiResponse>;

/** What the subresources of the API do, by their names; which verbs they have is in the model. */
const HANDLERS: ReadonlyMap<string, SubresourceHandler> = new Map<string, SubresourceHandler>([
  ['approval', partOf],
  ['attach', stream],
  ['binding', bind],
  ['ephemeralcontainers', partOf],
  ['eviction', evict],
  ['exec', stream],
  ['finalize', partOf],
  ['log', log],
  ['portforward', stream],
  ['proxy', proxy],
  ['resize', partOf],
  ['scale', scale],
  ['status', partOf],
  ['token', createToken],
]);

/** A request to something below an object: `/status`, `/scale`, `/binding` … */
export async function handleSubresource(exchange: ResourceExchange): Promise<ApiResponse> {
  const { info, served, request } = exchange;
  const subresource = served.info.subresources.find(({ name }) => name === info.subresource);
  const handle = HANDLERS.get(info.subresource);
  if (subresource === undefined || handle === undefined) {
    // A real server looks for an object with such an odd name.
    if (served.info.crd !== undefined) throw newNotFound(served.info, info.name);
    throw resourceNotFound();
  }
  const isCustom = served.info.crd !== undefined;
  const isRightMethod = isCustom || request.method !== 'HEAD';
  const isAllowed = subresource.verbs.includes(info.verb) && isRightMethod;
  // What lies behind a proxy decides about methods itself.
  if (!isAllowed && info.subresource !== 'proxy') throw methodNotAllowed();
  return await handle(exchange);
}

/** Endpoints that show the whole object and update a part of it. */
async function partOf(exchange: ResourceExchange): Promise<ApiResponse> {
  const { info, served } = exchange;
  const part = info.subresource;
  switch (info.verb) {
    case 'update':
      return await updateObject(exchange, { part });
    case 'patch':
      return await patchObject(exchange, { part });
    default: {
      const representation = negotiateFor(exchange);
      const { value } = served.registry.get(info.namespace, info.name);
      return respondWithObject(exchange, 200, viewOf(served, value), representation);
    }
  }
}
