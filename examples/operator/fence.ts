import type { LeaderElector } from 'client-ts/leaderelection';
import { type Config, createTransport, type Transport } from 'client-ts/transport';

/**
 * A config whose clients write only while this process leads. A process that was paused for longer
 * than its lease goes on where it was, in the middle of its work, before any timer tells it how late
 * it is; so each request is checked against the clock, last thing before it goes out. Reading is
 * always allowed.
 *
 * What is left is a request that has passed the check and is on its way when the process is paused:
 * `npm run chaos` meets one now and then. Whatever must not happen twice even then needs a name that a
 * server takes only once, or a version that it checks.
 */
export function fenced(
  config: Config,
  elector: Pick<LeaderElector, 'isLeader'>,
  leading: AbortSignal,
): { readonly config: Config } & AsyncDisposable {
  // Without retries: those are made outside of the fence, and pass it again.
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
