import { CallTracker } from '../lib/call-tracker.ts';
import { guardCallback } from '../lib/callback.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { withDeadline } from '../lib/deadline.ts';
import { Deferred } from '../lib/deferred.ts';
import { errorLogger, type LoggerOption, loggerOf } from '../lib/logger.ts';
import { Mailbox } from '../lib/mailbox.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { checkNumber, checkNumbers } from '../lib/option-error.ts';
import { type Random, systemRandom } from '../lib/random.ts';
import { abortable, onAbort } from '../lib/signal.ts';
import { RecordError } from './record-error.ts';

/** Counts of events by outcome, summed over all watchers of a broadcaster. */
export interface EventStatistics {
  /** Recorded by recorders. */
  readonly recorded: number;
  /** Created or patched on the server. */
  readonly written: number;
  /** Dropped by the spam filter, or counted in a series. */
  readonly condensed: number;
  /** Rejected by the server. */
  readonly refused: number;
  /** Not written after the last retry, or at the shutdown. */
  readonly abandoned: number;
  /** Not queued, because the queue was full or the broadcaster was shut down. */
  readonly dropped: number;
  /** Waiting in queues. */
  readonly pending: number;
}

/** Mutable {@link EventStatistics}. */
export type EventCounters = {
  -readonly [Name in Exclude<keyof EventStatistics, 'pending'>]: number;
};

/** Returns counters at zero. */
export function newEventCounters(): EventCounters {
  return { recorded: 0, written: 0, condensed: 0, refused: 0, abandoned: 0, dropped: 0 };
}

/** Options of both broadcasters. */
export interface BroadcasterOptions extends LoggerOption {
  /** The maximum number of events queued per watcher; further ones are dropped. Default 1000. */
  readonly maxQueuedEvents?: number | undefined;
  /** The maximum number of attempts to write an event. Default 12. */
  readonly maxTries?: number | undefined;
  /** The delay between two attempts. Default 10,000. */
  readonly retryDelayMs?: number | undefined;
  /**
   * Called for each lost event. Errors it throws are logged. Default: logs a warning for each.
   */
  readonly onError?: ((error: RecordError) => void) | undefined;
  /** Stops the broadcaster immediately. To write the queued events first, call `shutdown`. */
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

/** Options of {@link Broadcaster.shutdown}. */
export interface ShutdownOptions {
  /** The time to write the queued events. Default 10,000. */
  readonly timeoutMs?: number | undefined;
  /** Ends the shutdown early. */
  readonly signal?: AbortSignal | undefined;
}

/** The signals of an {@link EventConsumer}. */
export interface ConsumerSignals {
  /** Aborts when a shutdown begins: do not wait before a retry. */
  readonly draining: AbortSignal;
  /** Aborts at the end: cancel everything. */
  readonly stop: AbortSignal;
}

/** Handles the events of a watcher one at a time. */
export interface EventConsumer<E> extends Partial<Disposable> {
  handle(event: E): Promise<void> | void;
  /** Called after the last event of a shutdown, to write what is still unwritten. */
  finish?(): Promise<void>;
}

/** A sink, log or handler of a broadcaster. */
export interface EventWatcher extends AsyncDisposable {
  /** The number of queued events, including the one being handled. */
  readonly pending: number;
  /**
   * Drops the queued events and resolves when the event being handled is done; after 10 s that is
   * reported and no longer waited for. Within the handler it does not wait.
   */
  close(): Promise<void>;
}

interface WatcherOptions<E> {
  readonly capacity: number;
  readonly clock: Pick<Clock, 'schedule'>;
  readonly consumerFor: (signals: ConsumerSignals) => EventConsumer<E>;
  readonly onHandlerError: (cause: unknown) => void;
  readonly onStuck: (afterMs: number) => void;
  readonly onDropped: (count: number) => void;
  readonly onEnd: (watcher: QueuedWatcher<E>) => void;
}

/** The time a watcher has to finish its current event after `close`. */
const CLOSE_TIMEOUT_MS = 10_000;

/** A consumer with its own queue, so that a slow one delays no other. */
class QueuedWatcher<E> implements EventWatcher {
  readonly #options: WatcherOptions<E>;
  readonly #queue: Mailbox<E>;
  readonly #draining = new AbortController();
  readonly #stop = new AbortController();
  readonly #consumer: EventConsumer<E>;
  readonly #ended: Promise<void>;
  readonly #calls = new CallTracker<'finish' | 'handle'>();
  #isHandling = false;

  constructor(options: WatcherOptions<E>) {
    this.#options = options;
    this.#queue = new Mailbox({ capacity: options.capacity });
    const signals = { draining: this.#draining.signal, stop: this.#stop.signal };
    this.#consumer = options.consumerFor(signals);
    this.#ended = this.#run();
  }

  get pending(): number {
    return this.#queue.size + (this.#isHandling ? 1 : 0);
  }

  /** Queues an event; returns false if the queue is full or closed. */
  offer(event: E): boolean {
    return this.#queue.offer(event);
  }

  async close(): Promise<void> {
    const { clock, onStuck } = this.#options;
    const isWithinHandler = this.#calls.isWithin;
    this.#halt();
    if (isWithinHandler) return;
    const late = new Deferred();
    using _timer = clock.schedule(CLOSE_TIMEOUT_MS, () => {
      onStuck(CLOSE_TIMEOUT_MS);
      late.resolve();
    });
    await Promise.race([this.#ended, late.promise]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Handles the queued events until the signal aborts, then drops the rest. */
  async drain(deadline: AbortSignal): Promise<void> {
    const isWithinHandler = this.#calls.isWithin;
    this.#queue.close();
    this.#draining.abort();
    if (isWithinHandler) return;
    using _tie = onAbort(deadline, () => this.#halt());
    // A handler that ignores signals may run forever; the shutdown does not wait for it.
    await abortable(this.#ended, deadline).catch(() => nextTurn());
  }

  #halt(): void {
    this.#draining.abort();
    this.#stop.abort();
    if (this.#queue.size > 0) this.#options.onDropped(this.#queue.size);
    this.#queue[Symbol.dispose]();
  }

  async #run(): Promise<void> {
    for await (const event of this.#queue) {
      this.#isHandling = true;
      await this.#guard('handle', () => this.#consumer.handle(event));
      this.#isHandling = false;
      if (this.#queue.size === 0) this.#calls[Symbol.dispose]();
    }
    if (!this.#stop.signal.aborted) {
      await this.#guard('finish', () => this.#consumer.finish?.());
    }
    this.#calls[Symbol.dispose]();
    this.#consumer[Symbol.dispose]?.();
    this.#options.onEnd(this);
  }

  async #guard(kind: 'finish' | 'handle', work: () => Promise<void> | void): Promise<void> {
    try {
      await this.#calls.call(kind, work, undefined);
    } catch (cause) {
      this.#options.onHandlerError(cause);
    }
    this.#calls.settled();
  }
}

/** Distributes events from recorders to sinks, logs and handlers, each with its own queue. */
export abstract class Broadcaster<E> implements AsyncDisposable {
  protected readonly clock: Clock;
  protected readonly random: Random;
  protected readonly maxTries: number;
  protected readonly retryDelayMs: number;
  protected readonly counters: EventCounters = newEventCounters();
  protected readonly onError: (error: RecordError) => void;
  readonly #maxQueuedEvents: number;
  readonly #watchers = new Set<QueuedWatcher<E>>();
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
    const { onError = errorLogger(logger, 'event.failed'), signal } = options;
    this.onError = guardCallback('onError of the broadcaster', onError, logger);
    this.#maxQueuedEvents = options.maxQueuedEvents ?? 1000;
    this.#tie = onAbort(signal, () => void this.shutdown({ signal }));
  }

  /** The current counts. */
  get statistics(): EventStatistics {
    let pending = 0;
    for (const watcher of this.#watchers) pending += watcher.pending;
    return { ...this.counters, pending };
  }

  /**
   * Calls `handler` with each event that is recorded from now on, one at a time and uncorrelated. An
   * error of the handler is reported, and the next event follows.
   */
  startEventWatcher(handler: (event: E) => Promise<void> | void): EventWatcher {
    return this.startConsumer(() => ({ handle: handler }));
  }

  /**
   * Rejects further events, tries once to write each queued one, and resolves when that is done or
   * the time is over. Afterwards the broadcaster has no requests and no timers. Within a handler of
   * events it does not wait for that handler.
   */
  async shutdown({ timeoutMs = 10_000, signal }: ShutdownOptions = {}): Promise<void> {
    checkNumber('timeoutMs', timeoutMs, 'duration');
    this.#isShutDown = true;
    this.#tie?.[Symbol.dispose]();
    using limited = withDeadline(signal, {
      clock: this.clock,
      timeoutMs,
      background: false,
      reason: () => new DOMException(`not drained after ${timeoutMs} ms`, 'TimeoutError'),
    });
    await Promise.all([...this.#watchers].map((watcher) => watcher.drain(limited.signal)));
  }

  /** Same as {@link Broadcaster.shutdown}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.shutdown();
  }

  protected startConsumer(
    consumerFor: (signals: ConsumerSignals) => EventConsumer<E>,
  ): EventWatcher {
    const watcher = new QueuedWatcher<E>({
      capacity: this.#maxQueuedEvents,
      clock: this.clock,
      consumerFor,
      onHandlerError: (cause) => {
        const message = 'event handler failed';
        this.onError(new RecordError('RECORD_HANDLER_FAILED', message, { cause }));
      },
      onStuck: (afterMs) => {
        const message = `event handler did not finish within ${afterMs} ms after close`;
        this.onError(new RecordError('RECORD_HANDLER_STUCK', message));
      },
      onDropped: (count) => {
        this.counters.dropped += count;
        const message = `${count} queued events were dropped`;
        this.onError(new RecordError('RECORD_SHUT_DOWN', message));
      },
      onEnd: (ended) => this.#watchers.delete(ended),
    });
    this.#watchers.add(watcher);
    return watcher;
  }

  /** Queues an event for all watchers. Never waits and never throws. */
  protected publish(event: E): void {
    this.counters.recorded += 1;
    if (this.#isShutDown) {
      this.counters.dropped += 1;
      const message = 'event was recorded after the shutdown';
      this.onError(new RecordError('RECORD_SHUT_DOWN', message));
      return;
    }
    let dropped = 0;
    for (const watcher of this.#watchers) if (!watcher.offer(event)) dropped += 1;
    this.counters.dropped += dropped;
    // Reported once per overflow, not once per dropped event.
    if (dropped > 0 && !this.#isOverflowing) {
      const message = `${this.#maxQueuedEvents} events are queued: new ones are dropped`;
      this.onError(new RecordError('RECORD_OVERFLOW', message));
    }
    this.#isOverflowing = dropped > 0;
  }
}
