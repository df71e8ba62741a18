import { CallTracker } from '../lib/call-tracker.ts';
import type { Clock } from '../lib/clock.ts';
import { Deferred } from '../lib/deferred.ts';
import { Mailbox } from '../lib/mailbox.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { abortable, onAbort } from '../lib/signal.ts';

/** How much time there is. */
export interface Pace {
  /** Aborted when the end has come near: wait for nothing any more. */
  readonly hurry: AbortSignal;
  /** Aborted at the end: leave everything as it is. */
  readonly stop: AbortSignal;
}

/** What is done with events, one after another. */
export interface EventConsumer<E> extends Partial<Disposable> {
  handle(event: E): Promise<void> | void;
  /** There will be no more events, and there is time to tell what has not been told. */
  finish?(): Promise<void>;
}

/** Something that events go to, until it is stopped. */
export interface EventWatcher extends AsyncDisposable {
  /** How many events wait, with the one that is being handled. */
  readonly pending: number;
  /**
   * Drops what waits. Resolves when the event that is being handled is done: after 10 s that is
   * reported, and no longer waited for. Within the handler it does not wait for itself.
   */
  stop(): Promise<void>;
}

/** How an {@link EventWatcherRun} is made. */
export interface EventWatcherRunOptions<E> {
  readonly capacity: number;
  readonly clock: Pick<Clock, 'schedule'>;
  readonly consumerFor: (pace: Pace) => EventConsumer<E>;
  readonly onHandlerError: (cause: unknown) => void;
  readonly onStuck: (afterMs: number) => void;
  readonly onDropped: (count: number) => void;
  readonly onEnd: (run: EventWatcherRun<E>) => void;
}

/** How long a stop waits for the event that is being handled. */
const gracePeriodMs = 10_000;

/** One consumer with its own queue: it takes as long as it takes, and no other waits for it. */
export class EventWatcherRun<E> implements EventWatcher {
  readonly #options: EventWatcherRunOptions<E>;
  readonly #queue: Mailbox<E>;
  readonly #hurry = new AbortController();
  readonly #stop = new AbortController();
  readonly #consumer: EventConsumer<E>;
  readonly #ended: Promise<void>;
  readonly #calls = new CallTracker<'finish' | 'handle'>();
  #isHandling = false;

  constructor(options: EventWatcherRunOptions<E>) {
    this.#options = options;
    this.#queue = new Mailbox({ capacity: options.capacity });
    this.#consumer = options.consumerFor({ hurry: this.#hurry.signal, stop: this.#stop.signal });
    this.#ended = this.#run();
  }

  get pending(): number {
    return this.#queue.size + (this.#isHandling ? 1 : 0);
  }

  /** False if the event was not taken. Never waits. */
  offer(event: E): boolean {
    return this.#queue.offer(event);
  }

  async stop(): Promise<void> {
    const { clock, onStuck } = this.#options;
    const isCaller = this.#calls.isWithin;
    this.#halt();
    if (isCaller) return;
    const late = new Deferred();
    using _timer = clock.schedule(gracePeriodMs, () => {
      onStuck(gracePeriodMs);
      late.resolve();
    });
    await Promise.race([this.#ended, late.promise]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Handles what waits, in a hurry, until the signal aborts; drops the rest. */
  async drain(deadline: AbortSignal): Promise<void> {
    const isCaller = this.#calls.isWithin;
    this.#queue.close();
    this.#hurry.abort();
    if (isCaller) return;
    using _tie = onAbort(deadline, () => this.#halt());
    // A handler that does not know of signals may go on for ever; a shutdown may not.
    await abortable(this.#ended, deadline).catch(() => nextTurn());
  }

  #halt(): void {
    this.#hurry.abort();
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
