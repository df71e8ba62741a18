import type { Clientset } from '../kubernetes/clientset.ts';
import type { Logger } from '../lib/logger.ts';
import type { KubernetesObject } from '../meta/types.ts';
import type { EventType } from '../record/event-recorder.ts';
import type { ReconcileContext } from '../workqueue/reconcile.ts';
import type { ManagerCache } from './manager-cache.ts';

/** The second argument of `reconcile` and `finalize`. Its functions may be taken out of it. */
export interface ControllerContext<T extends KubernetesObject> extends ReconcileContext {
  /** `namespace/name`, or `name` of a cluster-scoped object. */
  readonly key: string;
  /** Asks the server. Its writes are fenced by the lease and seen by the cache. */
  readonly client: Clientset;
  /** Reads from memory. */
  readonly cache: ManagerCache;
  /** Logs with the name of the controller and the key. */
  readonly log: Logger;
  /** Records an event about the object. Never waits and never throws. */
  readonly event: (type: EventType, reason: string, message: string) => void;
  /** Holds the object type for the compiler; never present at run time. */
  readonly object?: T;
}

/** Returns a logger that puts a prefix before each message. */
export function prefixedLogger(logger: Logger, prefix: string): Logger {
  return {
    debug: (message) => logger.debug(`${prefix}${message}`),
    info: (message) => logger.info(`${prefix}${message}`),
    warn: (message) => logger.warn(`${prefix}${message}`),
    error: (message) => logger.error(`${prefix}${message}`),
  };
}
