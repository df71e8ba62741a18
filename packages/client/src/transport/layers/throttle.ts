import { type Clock, sleep } from '../../lib/clock.ts';
import { anySignal } from '../../lib/signal.ts';
import { TokenBucket } from '../../lib/token-bucket.ts';
import type { Middleware } from '../config.ts';
import { pathWithoutQuery, publish } from '../diagnostics.ts';
import { TransportError } from '../transport-error.ts';

export interface ThrottleOptions {
  readonly clock: Clock;
  readonly qps: number;
  readonly burst: number;
  /** Aborts when the transport closes. */
  readonly closing: AbortSignal;
}

/**
 * Limits requests to `qps` per second, after a burst. Streams are not limited. A wait is published
 * on the diagnostics channel, and named in the error if the request times out meanwhile, because
 * the delay is the client's own.
 */
export function throttle({ clock, qps, burst, closing }: ThrottleOptions): Middleware {
  const bucket = new TokenBucket({ clock, qps, burst });
  return async (request, next) => {
    if (request.stream === true) return next(request);
    const waitMs = bucket.take();
    if (waitMs > 0) {
      const { method, id } = request;
      const path = pathWithoutQuery(request.path);
      if (request.trace !== undefined) request.trace.throttledMs += waitMs;
      publish('client-ts:request:throttled', () => ({
        ...(id !== undefined && { id }),
        method,
        path,
        waitMs,
        qps,
        burst,
      }));
      using either = anySignal([request.signal, closing]);
      try {
        await sleep(clock, waitMs, { signal: either.signal });
      } catch (error) {
        bucket.giveBack();
        throw ownDoing(error, waitMs, qps);
      }
    }
    return next(request);
  };
}

function ownDoing(error: unknown, waitMs: number, qps: number): unknown {
  if (!(error instanceof TransportError) || error.code !== 'TRANSPORT_TIMEOUT') return error;
  const limit = `the client's own limit of ${qps} requests per second`;
  return new TransportError('TRANSPORT_TIMEOUT', `${error.message}: delayed by ${limit}`, {
    cause: error,
    hint: `Raise qps and burst; the delay would have been ${Math.ceil(waitMs)} ms.`,
  });
}
