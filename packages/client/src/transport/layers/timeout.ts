import type { Clock } from '../../lib/clock.ts';
import { withDeadline } from '../../lib/deadline.ts';
import type { Middleware } from '../config.ts';
import { pathWithoutQuery } from '../diagnostics.ts';
import { TransportError } from '../transport-error.ts';
import { observeBody } from './body.ts';

export interface TimeoutOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Host and port, for errors. */
  readonly server: string;
}

/**
 * Fails a request with `TRANSPORT_TIMEOUT` if its response has not arrived completely within the
 * time limit, retries included. Streams have no such limit.
 */
export function timeout({ clock, timeoutMs, server }: TimeoutOptions): Middleware {
  return async (request, next) => {
    if (request.stream === true) return next(request);
    const limited = withDeadline(request.signal, {
      clock,
      timeoutMs,
      reason: () => {
        const message = `no complete answer within the timeout of ${timeoutMs / 1000} s`;
        return new TransportError('TRANSPORT_TIMEOUT', message, { mayHaveBeenHandled: true });
      },
    });
    const over = (): void => limited[Symbol.dispose]();
    const path = pathWithoutQuery(request.path);
    const translate = (error: unknown): unknown =>
      error instanceof TransportError
        ? error.withRequest({ verb: request.method, path, server })
        : error;
    try {
      const response = await next({ ...request, signal: limited.signal });
      return observeBody(response, { over, translate });
    } catch (error) {
      over();
      throw translate(error);
    }
  };
}
