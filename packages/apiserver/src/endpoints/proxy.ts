import { newBadRequest } from 'client-ts/meta';

import type { ApiResponse } from '../http.ts';
import type { ResourceExchange } from './exchange.ts';
import { plainFailure } from './failures.ts';

/** `proxy` of pods, services and nodes: there is nothing to connect to. */
export function proxy(exchange: ResourceExchange): ApiResponse {
  const { info, served } = exchange;
  served.registry.get(info.namespace, info.name);
  if (info.resource === 'services') {
    throw plainFailure(
      503,
      'ServiceUnavailable',
      `no endpoints available for service "${info.name}"`,
    );
  }
  throw newBadRequest('address not allowed');
}
