import { aggregateMessage } from '../lib/aggregate-message.ts';
import { Deferred } from '../lib/deferred.ts';
import { onAbortWeakly } from '../lib/signal.ts';
import { isConsequence, type LoopWork } from './wait-loop.ts';

/** How a {@link TaskGroup} is made. */
export interface TaskGroupOptions {
  /** Stops all tasks. */
  readonly signal?: AbortSignal | undefined;
}

/** Groups with tasks: a signal must reach them, also if nothing else holds them. */
const running = new Set<TaskGroup>();

/**
 * Tasks that belong together: they are waited for together, and the first that fails stops the
 * others. At the end of a block, `await using` stops what is still running and waits for it, so that
 * nothing goes on behind the caller's back.
 *
 * ```ts
 * await using group = new TaskGroup({ signal });
 * group.start((signal) => informer.run({ signal }));
 * group.start((signal) => serveMetrics(signal));
 * await group.wait();
 * ```
 */
export class TaskGroup implements AsyncDisposable {
  readonly #stop = new AbortController();
  #tie: Disposable | undefined;
  readonly #failures: unknown[] = [];
  #running = 0;
  #idle: Deferred | undefined;
  #isReported = false;

  constructor({ signal }: TaskGroupOptions = {}) {
    this.#tie = onAbortWeakly(signal, this, abortWith);
  }

  /** Aborts when a task fails, and when the group is told to stop. Tasks are given it. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** How many tasks are running. */
  get size(): number {
    return this.#running;
  }

  /** Starts a task at once; false if the group has been stopped, and then it is not started. */
  start(task: LoopWork): boolean {
    if (this.#stop.signal.aborted) return false;
    this.#running += 1;
    running.add(this);
    void this.#run(task);
    return true;
  }

  /** Tells all tasks to stop. Those that do so by throwing the reason have not failed. */
  abort(reason?: unknown): void {
    this.#tie?.[Symbol.dispose]();
    this.#stop.abort(reason);
  }

  /**
   * Resolves when no task is running any more, those included that are started meanwhile. Then it
   * throws what the tasks have thrown: the error itself if there is one, an `AggregateError` if
   * there are several. A stop that was asked for is no error.
   */
  async wait(): Promise<void> {
    await this.#settle();
    this.#isReported = true;
    const [first] = this.#failures;
    if (this.#failures.length === 1) throw first;
    if (this.#failures.length > 1) {
      throw new AggregateError(this.#failures, aggregateMessage(this.#failures.map(messageOf)));
    }
  }

  /** Stops all tasks and waits for them. Throws what {@link TaskGroup.wait} has not thrown. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.abort();
    if (this.#isReported) await this.#settle();
    else await this.wait();
  }

  async #settle(): Promise<void> {
    while (this.#running > 0) {
      this.#idle ??= new Deferred();
      await this.#idle.promise;
    }
  }

  async #run(task: LoopWork): Promise<void> {
    const { signal } = this.#stop;
    try {
      await task(signal);
    } catch (error) {
      if (!isConsequence(error, signal)) {
        this.#failures.push(error);
        this.abort(error);
      }
    }
    this.#running -= 1;
    if (this.#running > 0) return;
    running.delete(this);
    this.#idle?.resolve();
    this.#idle = undefined;
  }
}

function abortWith(group: TaskGroup, { reason }: AbortSignal): void {
  group.abort(reason);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
