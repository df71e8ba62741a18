import { ClientError, defineErrors } from '../lib/errors.ts';

/**
 * Thrown by a process function that could not do its work but may be able to later: the item goes
 * back into the queue, and the taker gets `cause`.
 */
export class RequeueError extends ClientError {
  constructor(cause: unknown) {
    super('CACHE_REQUEUE', 'the item goes back into the queue', { cause });
  }

  static {
    defineErrors(this, 'RequeueError', 'CACHE', { CACHE_REQUEUE: { retry: 'later' } });
  }
}
