import type { Middleware } from '../transport/config.ts';
import { ControllerError } from './controller-error.ts';

/**
 * Lets writes pass only while this process leads. It is asked immediately before each attempt to send
 * a request, and compares the clock with the lease: a process that was paused for longer than its
 * lease continues before any timer fires. Reads always pass. A request that has passed may still be
 * in flight when the lease expires.
 */
export class WriteFence {
  readonly #lease: string;
  readonly #isLeader: () => boolean;

  constructor(lease: string, isLeader: () => boolean) {
    this.#lease = lease;
    this.#isLeader = isLeader;
  }

  /** For `attemptMiddleware` of a config. */
  readonly middleware: Middleware = (request, next) => {
    const { method, path } = request;
    if (method === 'GET' || method === 'HEAD' || this.#isLeader()) return next(request);
    const [resource] = path.split('?');
    const message = `${method} ${resource} was not sent: this process does not hold the lease ${this.#lease}`;
    return Promise.reject(new ControllerError('CONTROLLER_NOT_LEADING', message));
  };
}
