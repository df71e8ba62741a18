import type { Middleware } from '../config.ts';
import type { TransportRequest, TransportResponse } from '../transport.ts';

/** Sends a request on. */
export type Next = (request: TransportRequest) => Promise<TransportResponse>;

/** Puts layers around `innermost`; the first is the outermost. */
export function compose(layers: readonly Middleware[], innermost: Next): Next {
  return layers.reduceRight<Next>((next, layer) => (request) => layer(request, next), innermost);
}
