import type { Config } from 'client-ts';
import { systemClock } from 'client-ts/wait';

/**
 * Returns a config whose creations carry, behind the name of their field manager, the time at which
 * this attempt was sent. It is stamped where the fence decides, below the retries, so that a log of the
 * server shows which requests were sent while the process held its lease.
 */
export function stamped(config: Config): Config {
  const { attemptMiddleware = [] } = config;
  return {
    ...config,
    attemptMiddleware: [
      ...attemptMiddleware,
      (request, next) => {
        if (request.method !== 'POST') return next(request);
        const path = request.path.replace(
          /([?&]fieldManager=[^&]*)/,
          (_, manager: string) => `${manager}%40${systemClock.now()}`,
        );
        return next({ ...request, path });
      },
    ],
  };
}

/** Returns the process that sent a creation, and when; undefined if it carries no time. */
export function readStamp(manager: string): {
  readonly writer: string;
  readonly sentAt: number | undefined;
} {
  const [name = '', sentAt] = manager.replace('web-set-operator-', '').split('@');
  return { writer: name, sentAt: sentAt === undefined ? undefined : Number(sentAt) };
}
