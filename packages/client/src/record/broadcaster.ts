import { guardCallback } from '../lib/callback.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { errorLogger, type LoggerOption, loggerOf } from '../lib/logger.ts';
import { checkNumber, checkNumbers } from '../lib/option-error.ts';
import { type Random, systemRandom } from '../lib/random.ts';
import { anySignal, onAbort } from '../lib/signal.ts';
import { type EventCounters, type EventStatistics, newEventCounters } from './event-statistics.ts';
import {
  type EventConsumer,
  type EventWatcher,
  EventWatcherRun,
  type Pace,
} from './event-watcher.ts';
import { RecordError } from './record-error.ts';

/** How a broadcaster works, of either API. */
export interface BroadcasterOptions extends LoggerOption {
  /** How many events may wait for each watcher; more are dropped and counted. Default 1000. */
  readonly maxQueuedEvents?: number;
  /** How often the writing of an event is tried. Default 12. */
  readonly maxTries?: number;
  /** How long to wait between tries, in milliseconds. Default 10,000. */
  readonly retryDelayMs?: number;
  /**
   * Called with events that are lost, and why. What it throws is logged, and changes nothing else.
   * Default: a warning in the log for each.
   */
  readonly onError?: (error: RecordError) => void;
  /** Stops everything at once when it aborts. To have the last events written, shut down first. */
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  readonly random?: Random;
}

/** How long a shutdown may take. */
export interface ShutdownOptions {
  /** In milliseconds. Default 10,000. */
  readonly timeout?: number;
  /** Ends it at once. */
  readonly signal?: AbortSignal;
}

/** Takes events from recorders and hands them to sinks, logs and handlers, each at its own pace. */
export abstract class Broadcaster<E> implements AsyncDisposable {
  protected readonly clock: Clock;
  protected readonly random: Random;
  protected readonly maxTries: number;
  protected readonly retryDelayMs: number;
  protected readonly counters: EventCounters = newEventCounters();
  protected readonly onError: (error: RecordError) => void;
  readonly #maxQueuedEvents: number;
  readonly #watchers = new Set<EventWatcherRun<E>>();
  readonly #tie: Disposable;
  #isShutDown = false;
  #isOverflowing = false;

  constructor(options: BroadcasterOptions = {}) {
    checkNumbers(options, {
      maxQueuedEvents: 'count',
      maxTries: 'count',
      retryDelayMs: 'duration',
    });
    this.clock = options.clock ?? systemClock;
    this.random = options.random ?? systemRandom;
    this.maxTries = options.maxTries ?? 12;
    this.retryDelayMs = options.retryDelayMs ?? 10_000;
    const logger = loggerOf(options.logger);
    const { onError = errorLogger(logger) } = options;
    this.onError = guardCallback('onError of the broadcaster', onError, logger);
    this.#maxQueuedEvents = options.maxQueuedEvents ?? 1000;
    const { signal } = options;
    this.#tie = onAbort(signal, () => void this.shutdown(signal === undefined ? {} : { signal }));
  }

  /** What became of the events so far. */
  get statistics(): EventStatistics {
    let pending = 0;
    for (const watcher of this.#watchers) pending += watcher.pending;
    return { ...this.counters, pending };
  }

  /**
   * Calls a function with every event that is recorded from now on, one after another, as it was
   * recorded: nothing is put together or left out. What it throws is reported, and the next event
   * comes all the same.
   */
  startEventWatcher(handler: (event: E) => Promise<void> | void): EventWatcher {
    return this.startConsumer(() => ({ handle: handler }));
  }

  /**
   * Takes no more events, tries once to write each of those that wait, and resolves when that is
   * done or the time is over. Afterwards nothing of the broadcaster is left: no request, no timer.
   * Within a handler of events it does not wait for the call that it is made in.
   */
  async shutdown({ timeout = 10_000, signal }: ShutdownOptions = {}): Promise<void> {
    checkNumber('timeout', timeout, 'duration');
    this.#isShutDown = true;
    this.#tie?.[Symbol.dispose]();
    const late = new AbortController();
    using _timer = this.clock.schedule(timeout, () => late.abort());
    using deadline = anySignal([late.signal, signal]);
    await Promise.all([...this.#watchers].map((watcher) => watcher.drain(deadline.signal)));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.shutdown();
  }

  protected startConsumer(consumerFor: (pace: Pace) => EventConsumer<E>): EventWatcher {
    const watcher = new EventWatcherRun<E>({
      capacity: this.#maxQueuedEvents,
      clock: this.clock,
      consumerFor,
      onHandlerError: (cause) => {
        const message = 'a handler of events failed';
        this.onError(new RecordError('RECORD_HANDLER_FAILED', message, { cause }));
      },
      onStuck: (afterMs) => {
        const message = `a handler of events did not finish within ${afterMs} ms after it was stopped`;
        this.onError(new RecordError('RECORD_HANDLER_STUCK', message));
      },
      onDropped: (count) => {
        this.counters.dropped += count;
        const message = `${count} events that waited were dropped`;
        this.onError(new RecordError('RECORD_SHUT_DOWN', message));
      },
      onEnd: (ended) => this.#watchers.delete(ended),
    });
    this.#watchers.add(watcher);
    return watcher;
  }

  /** Hands an event to all watchers. Never waits, never throws. */
  protected publish(event: E): void {
    this.counters.recorded += 1;
    if (this.#isShutDown) {
      this.counters.dropped += 1;
      const message = 'an event was recorded after the shutdown';
      this.onError(new RecordError('RECORD_SHUT_DOWN', message));
      return;
    }
    let dropped = 0;
    for (const watcher of this.#watchers) if (!watcher.offer(event)) dropped += 1;
    this.counters.dropped += dropped;
    // Once for each time that it gets too much: who is flooded must not be flooded with that, too.
    if (dropped > 0 && !this.#isOverflowing) {
      const message = `${this.#maxQueuedEvents} events wait: new ones are dropped`;
      this.onError(new RecordError('RECORD_OVERFLOW', message));
    }
    this.#isOverflowing = dropped > 0;
  }
}
