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
  /** Drops what waits. Resolves when the event that is being handled is done. */
  stop(): Promise<void>;
}

/** How an {@link EventWatcherRun} is made. */
export interface EventWatcherRunOptions<E> {
  readonly capacity: number;
  readonly consumerFor: (pace: Pace) => EventConsumer<E>;
  readonly onHandlerError: (cause: unknown) => void;
  readonly onDropped: (count: number) => void;
  readonly onEnd: (run: EventWatcherRun<E>) => void;
}

/** One consumer with its own queue: it takes as long as it takes, and nobody else waits for it. */
export class EventWatcherRun<E> implements EventWatcher {
  readonly #options: EventWatcherRunOptions<E>;
  readonly #queue: Mailbox<E>;
  readonly #hurry = new AbortController();
  readonly #stop = new AbortController();
  readonly #consumer: EventConsumer<E>;
  readonly #ended: Promise<void>;
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
    this.#halt();
    await this.#ended;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Handles what waits, in a hurry, until the signal aborts; drops the rest. */
  async drain(deadline: AbortSignal): Promise<void> {
    this.#queue.close();
    this.#hurry.abort();
    using _tie = onAbort(deadline, () => this.#halt());
    // A handler that does not know of signals may go on for ever; whoever shuts down may not.
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
      await this.#guard(() => this.#consumer.handle(event));
      this.#isHandling = false;
    }
    if (!this.#stop.signal.aborted) await this.#guard(() => this.#consumer.finish?.());
    this.#consumer[Symbol.dispose]?.();
    this.#options.onEnd(this);
  }

  async #guard(work: () => Promise<void> | void): Promise<void> {
    try {
      await work();
    } catch (cause) {
      this.#options.onHandlerError(cause);
    }
  }
}
