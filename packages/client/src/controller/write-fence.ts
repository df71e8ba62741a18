import type { Middleware } from '../transport/config.ts';
import { ControllerError } from './controller-error.ts';

/**
 * Lets writes pass only while this process holds the lease that protects them. It is asked immediately
 * before each attempt to send a request, and compares the clock with the lease: a process that was
 * paused for longer than its lease continues before any timer fires. Reads always pass. A request that
 * has passed may still be in flight when the lease expires.
 */
export class WriteFence {
  readonly #missing: () => string | undefined;

  /** `missing` returns the lease that this process does not hold; undefined if a write may pass. */
  constructor(missing: () => string | undefined) {
    this.#missing = missing;
  }

  /** For `attemptMiddleware` of a config. */
  readonly middleware: Middleware = (request, next) => {
    const { method, path } = request;
    const missing = method === 'GET' || method === 'HEAD' ? undefined : this.#missing();
    if (missing === undefined) return next(request);
    const [resource] = path.split('?');
    const message = `${method} ${resource} was not sent: this process does not hold the lease ${missing}`;
    return Promise.reject(new ControllerError('CONTROLLER_NOT_LEADING', message));
  };
}
