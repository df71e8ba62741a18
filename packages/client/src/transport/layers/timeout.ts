import type { Clock } from '../../lib/clock.ts';
import { anySignal } from '../../lib/signal.ts';
import type { Middleware } from '../config.ts';
import { TransportError } from '../transport-error.ts';
import { observeBody } from './body.ts';

export interface TimeoutOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
}

/**
 * Ends a request with the code `TIMEOUT` if it has not been answered, to the last byte and with all
 * its attempts, within the time. Streams have no such limit.
 */
export function timeout({ clock, timeoutMs }: TimeoutOptions): Middleware {
  return async (request, next) => {
    if (request.stream === true) return next(request);
    const controller = new AbortController();
    const timer = clock.schedule(
      timeoutMs,
      () => {
        const message = `${request.method} took longer than the timeout of ${timeoutMs / 1000} s`;
        const options = { mayHaveBeenHandled: true };
        controller.abort(new TransportError('TIMEOUT', message, options));
      },
      { background: true },
    );
    const either = anySignal([request.signal, controller.signal]);
    const over = (): void => {
      timer.cancel();
      either[Symbol.dispose]();
    };
    try {
      return observeBody(await next({ ...request, signal: either.signal }), { over });
    } catch (error) {
      over();
      throw error;
    }
  };
}
