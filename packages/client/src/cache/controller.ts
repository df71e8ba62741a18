import { guardCallback } from '../lib/callback.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { loggerOf } from '../lib/logger.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { checkNumbers } from '../lib/option-error.ts';
import { abortable, anySignal } from '../lib/signal.ts';
import type { QueueDelta } from './delta.ts';
import type { CachedObject } from './list-watch.ts';
import type { ProcessFunc, Queue } from './queue.ts';
import { Reflector } from './reflector.ts';
import type { ReflectorOptions, RunOptions } from './reflector-options.ts';
import type { ReflectorStatus } from './reflector-status.ts';

/** How a {@link Controller} is made. */
export interface ControllerOptions<T extends CachedObject> {
  readonly queue: Queue<T, readonly QueueDelta<T>[]>;
  readonly process: ProcessFunc<readonly QueueDelta<T>[]>;
  readonly reflector: Omit<ReflectorOptions<T>, 'store' | 'waitForRoom'>;
  /** The reflector stops reading while so many items wait. Default 2000. */
  readonly maxQueued?: number | undefined;
  /** Asked before each item: a promise makes the controller wait for it. */
  readonly waitForRoom?: () => Promise<void> | undefined;
  /** Called after each item. */
  readonly onProcessed?: (() => void) | undefined;
  /** Called with what `process` throws; the next item comes all the same. */
  readonly onProcessError?: ((error: unknown) => void) | undefined;
}

/** After this long without a pause the loop lets others have their turn. */
const sliceMs = 10;

/**
 * Drives a reflector and a queue: what the one puts in, `process` gets, one after another, in slices
 * that leave the program its turns. If `process` cannot keep up, reading from the server stops.
 */
export class Controller<T extends CachedObject> {
  readonly #options: ControllerOptions<T>;
  readonly #clock: Clock;
  readonly #reflector: Reflector<T>;
  readonly #stop = new AbortController();

  constructor(options: ControllerOptions<T>) {
    const { queue, maxQueued = 2000, reflector } = options;
    checkNumbers(options, { maxQueued: 'count' });
    const logger = loggerOf(reflector.logger);
    this.#options = {
      ...options,
      onProcessed: guardCallback('onProcessed of a controller', options.onProcessed, logger),
      onProcessError: guardCallback(
        'onProcessError of a controller',
        options.onProcessError,
        logger,
      ),
    };
    this.#clock = reflector.clock ?? systemClock;
    this.#reflector = new Reflector<T>({
      ...reflector,
      store: queue,
      waitForRoom: () =>
        queue.size < maxQueued ? undefined : queue.below(maxQueued, { signal: this.#stop.signal }),
    });
  }

  /** True once the first list has been processed. */
  get hasSynced(): boolean {
    return this.#options.queue.hasSynced;
  }

  get synced(): Promise<void> {
    return this.#options.queue.synced;
  }

  /** How far the reflector has come; what waits in the queue has not been processed yet. */
  get lastSyncResourceVersion(): string {
    return this.#reflector.lastSyncResourceVersion;
  }

  get status(): ReflectorStatus {
    return this.#reflector.status;
  }

  /** Resolves when the signal has aborted and everything has come to rest. Can be called once. */
  async run({ signal }: RunOptions = {}): Promise<void> {
    using until = anySignal([signal, this.#stop.signal]);
    const parts = [this.#reflector.run({ signal: until.signal }), this.#processLoop(until.signal)];
    // If one of them fails the other must not go on alone.
    const results = await Promise.allSettled(
      parts.map((part) => part.finally(() => this.#stop.abort())),
    );
    this.#options.queue.close();
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  async #processLoop(signal: AbortSignal): Promise<void> {
    const { queue, process, waitForRoom, onProcessed, onProcessError } = this.#options;
    try {
      while (await queue.ready({ signal })) {
        let sliceEnd = this.#clock.monotonic() + sliceMs;
        while (queue.size > 0 && !signal.aborted) {
          const room = waitForRoom?.();
          if (room !== undefined) {
            await abortable(room, signal);
            continue;
          }
          try {
            const pending = queue.take(process);
            if (pending !== undefined) await pending;
          } catch (error) {
            onProcessError?.(error);
          }
          onProcessed?.();
          if (this.#clock.monotonic() >= sliceEnd) {
            await nextTurn();
            sliceEnd = this.#clock.monotonic() + sliceMs;
          }
        }
        if (signal.aborted) return;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}
