import { guardCallback } from '../lib/callback.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { loggerOf } from '../lib/logger.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { abortable } from '../lib/signal.ts';
import type { QueueDelta } from './delta-queue.ts';
import type { CachedObject } from './list-watch.ts';
import type { PopProcessFunc, Queue } from './queue.ts';
import { Reflector, type ReflectorOptions, type RunOptions } from './reflector.ts';
import type { ReflectorStatus } from './reflector-machine.ts';

/** Options of {@link Controller}. */
export interface ControllerOptions<T extends CachedObject> {
  readonly queue: Queue<T, readonly QueueDelta<T>[]>;
  readonly process: PopProcessFunc<readonly QueueDelta<T>[]>;
  readonly reflector: Omit<ReflectorOptions<T>, 'afterWrite' | 'store'>;
  /**
   * Called before each item, which is processed when the returned promise has resolved. Must neither
   * throw nor reject.
   */
  readonly waitForRoom?: (() => Promise<void> | undefined) | undefined;
  /** Called after each item, and after a write that added none. */
  readonly onProcessed?: (() => void) | undefined;
  /** Called with the errors of `process`. The next item is processed nevertheless. */
  readonly onProcessError?: ((error: unknown) => void) | undefined;
}

/** After this long without a pause the controller yields to the event loop. */
const sliceMs = 10;
/** After this long without an item other tasks have mostly had a turn, and a new slice begins. */
const pauseMs = 1;
/**
 * Unless the reflector has waited for the server, the time may also have been spent on reading the next item. So after this
 * many such pauses the controller yields once.
 */
const mostPauses = 4;

/**
 * Connects a reflector, a queue and a process function. The queue is drained in the turn in which it
 * was filled: after each write of the reflector, `process` is called for every item. Only if `process`
 * returns a promise, `waitForRoom` does, or 10 ms have passed, draining goes on in a later turn; the
 * reflector then waits, and reads no more from the server. So the queue holds no more than one write
 * and one resync, and a slow consumer slows down the stream, not the memory.
 */
export class Controller<T extends CachedObject> {
  readonly #options: ControllerOptions<T>;
  readonly #clock: Clock;
  readonly #reflector: Reflector<T>;
  #signal: AbortSignal | undefined;
  /** The rest of a drain that could not be finished in one turn. */
  #draining: Promise<void> | undefined;
  /** When an item was last processed. */
  #activeAt = -Infinity;
  #sliceEnd = 0;
  /** How many slices have begun with a pause since the controller yielded. */
  #pauses = 0;

  constructor(options: ControllerOptions<T>) {
    const { queue, reflector, onProcessed, onProcessError } = options;
    const logger = loggerOf(reflector.logger);
    this.#options = {
      ...options,
      onProcessed: guardCallback('onProcessed of a controller', onProcessed, logger),
      onProcessError: guardCallback('onProcessError of a controller', onProcessError, logger),
    };
    this.#clock = reflector.clock ?? systemClock;
    this.#reflector = new Reflector<T>({
      ...reflector,
      store: queue,
      afterWrite: (hasWaited) => this.#drain(hasWaited),
    });
  }

  /** True once the first list has been processed. */
  get hasSynced(): boolean {
    return this.#options.queue.hasSynced;
  }

  /** Resolves when the first list has been processed; rejects if the controller stops before. */
  get synced(): Promise<void> {
    return this.#options.queue.synced;
  }

  /** The version the reflector has read up to; items in the queue are not processed yet. */
  get lastSyncResourceVersion(): string {
    return this.#reflector.lastSyncResourceVersion;
  }

  get status(): ReflectorStatus {
    return this.#reflector.status;
  }

  /** Resolves when the signal has aborted and everything has stopped. Can be called once. */
  async run(options: RunOptions = {}): Promise<void> {
    this.#signal = options.signal;
    try {
      await this.#reflector.run(options);
    } finally {
      this.#options.queue.close();
      await this.#draining;
    }
  }

  /** Processes what is in the queue, and returns a promise if that takes longer than this turn. */
  #drain(hasWaited: boolean): Promise<void> | undefined {
    if (this.#draining !== undefined) return this.#draining;
    if (this.#options.queue.size === 0) this.#options.onProcessed?.();
    const pending = this.#processItems(hasWaited);
    if (pending === undefined) return undefined;
    this.#draining = this.#drainLater(pending);
    return this.#draining;
  }

  async #drainLater(first: Promise<void>): Promise<void> {
    let pending: Promise<void> | undefined = first;
    try {
      while (pending !== undefined) {
        await pending;
        pending = this.#signal?.aborted === true ? undefined : this.#processItems(false);
      }
    } finally {
      // Not one microtask later: a write in between would be left in the queue.
      this.#draining = undefined;
    }
  }

  /** Processes items until the queue is empty, or returns a promise of when to continue. */
  #processItems(hasWaited: boolean): Promise<void> | undefined {
    const { queue, process, waitForRoom, onProcessed } = this.#options;
    // A slice spans the drains of one turn.
    const now = this.#clock.monotonic();
    const hasPaused = now - this.#activeAt >= pauseMs;
    if (hasPaused && (hasWaited || this.#pauses < mostPauses)) {
      this.#pauses = hasWaited ? 0 : this.#pauses + 1;
      this.#sliceEnd = now + sliceMs;
    }
    while (queue.size > 0) {
      const room = waitForRoom?.();
      // A stop ends the wait.
      if (room !== undefined) return abortable(room, this.#signal).catch(() => undefined);
      try {
        const pending = queue.tryPop(process);
        if (pending !== undefined) return this.#finish(pending);
      } catch (error) {
        this.#options.onProcessError?.(error);
      }
      onProcessed?.();
      this.#activeAt = this.#clock.monotonic();
      if (this.#activeAt >= this.#sliceEnd) return this.#nextSlice();
    }
    return undefined;
  }

  async #finish(pending: Promise<void>): Promise<void> {
    const { onProcessed, onProcessError } = this.#options;
    try {
      await pending;
    } catch (error) {
      onProcessError?.(error);
    }
    onProcessed?.();
  }

  async #nextSlice(): Promise<void> {
    await nextTurn();
    this.#pauses = 0;
    this.#activeAt = -Infinity;
  }
}
