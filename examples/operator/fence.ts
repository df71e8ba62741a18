import type { LeaderElector } from 'client-ts/leaderelection';
import { type Config, createTransport, type Transport } from 'client-ts/transport';

/**
 * Returns a config whose clients write only while this process leads. A process that was paused for
 * longer than its lease continues in the middle of its work before any timer fires, so each write is
 * checked against the clock immediately before it is sent. Reads are always allowed.
 *
 * A request that has passed the check may still be in flight when the process is paused; `npm run
 * chaos` shows such requests. To make even those harmless, use deterministic names, which the server
 * accepts once, or a resourceVersion.
 */
export function fenced(
  config: Config,
  elector: Pick<LeaderElector, 'isLeader'>,
  leading: AbortSignal,
): { readonly config: Config } & AsyncDisposable {
  // Without retries: the outer transport retries, and each retry is checked again.
  const inner = createTransport({ ...config, maxRetries: 0 });
  const transport: Transport = {
    request: (request) =>
      request.method === 'GET' || elector.isLeader
        ? inner.request(request)
        : Promise.reject(leading.reason as Error),
    [Symbol.asyncDispose]: async () => undefined,
  };
  return {
    config: { server: config.server, transport },
    [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
  };
}
