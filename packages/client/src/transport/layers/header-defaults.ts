import type { Middleware } from '../config.ts';
import type { TransportHeaders } from '../transport.ts';

/** Adds headers to every request; one that the request brings itself wins. */
export function headerDefaults(defaults: TransportHeaders): Middleware {
  return (request, next) => next({ ...request, headers: { ...defaults, ...request.headers } });
}
