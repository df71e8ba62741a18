import type { RunOptions } from './reflector-options.ts';
import type { ReflectorStore } from './store.ts';

/**
 * Works off what a queue hands out. `isInInitialList` is true for what belongs to the first list.
 * Until it returns, or the promise it returns settles, the queue hands out nothing else.
 */
export type ProcessFunc<Item> = (item: Item, isInInitialList: boolean) => Promise<void> | void;

/**
 * What stands between a reflector, which writes, and a controller, which takes. There is one
 * consumer: asking for an item while another is processed throws `CACHE_QUEUE_BUSY`.
 */
export interface Queue<T extends object, Item> extends ReflectorStore<T>, Disposable {
  /** How many items wait. */
  readonly size: number;
  readonly isClosed: boolean;
  /**
   * True once everything of the first list was processed; true at once if the first write was no
   * list. Never becomes false again.
   */
  readonly hasSynced: boolean;
  /** Resolves when {@link Queue.hasSynced} becomes true, which is never if the queue dies before. */
  readonly synced: Promise<void>;
  /**
   * Processes the first item at once, and does nothing if there is none. It works synchronously if
   * `process` does, and then returns undefined. What `process` throws is thrown on; the item counts
   * as processed, except after a {@link RequeueError}.
   */
  take(process: ProcessFunc<Item>): Promise<void> | undefined;
  /**
   * Waits for an item and processes it. Rejects with `CACHE_QUEUE_CLOSED` once the queue is closed
   * and empty, and with the reason of the signal on abort.
   */
  pop(process: ProcessFunc<Item>, options?: RunOptions): Promise<void>;
  /** Resolves when an item waits, with true, or when none will ever come, with false. */
  ready(options?: RunOptions): Promise<boolean>;
  /** Resolves when fewer than `limit` items wait: for a writer that must not run ahead for ever. */
  below(limit: number, options?: RunOptions): Promise<void>;
  /** Takes no more writes. What waits can still be taken. */
  close(): void;
}
