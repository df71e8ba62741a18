import { PriorityQueue, type PriorityQueueOptions } from '../../workqueue/priority-queue.ts';

/** Options of {@link GuardedQueue}. */
export interface GuardedQueueOptions extends PriorityQueueOptions<string> {
  /** Returns how long a key has to wait before a worker gets it. */
  readonly waitMs: (key: string) => number;
}

/**
 * A queue whose workers get a key that is slowed down only when its time has come. Until then it stays
 * in the queue, with its priority, and occupies no worker.
 */
export class GuardedQueue extends PriorityQueue<string> {
  readonly #waitMs: (key: string) => number;

  constructor({ waitMs, ...options }: GuardedQueueOptions) {
    super(options);
    this.#waitMs = waitMs;
  }

  /** Workers that wait in `get` are served by it, too. */
  override tryGet(): IteratorResult<string, undefined> | undefined {
    for (;;) {
      const next = super.tryGet();
      if (next === undefined || next.done === true || !this.#postpones(next.value)) return next;
    }
  }

  /** Puts a key that is slowed down back, to wait; false if a worker may have it. */
  #postpones(key: string): boolean {
    const waitMs = this.#waitMs(key);
    if (waitMs <= 0) return false;
    this.addAfter(key, waitMs);
    this.done(key);
    return true;
  }
}
