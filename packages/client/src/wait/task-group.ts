import { aggregateMessage } from '../lib/aggregate-message.ts';
import { Deferred } from '../lib/deferred.ts';
import { messageOf } from '../lib/errors.ts';
import { onAbortWeakly } from '../lib/signal.ts';
import { isConsequence, type LoopWork } from './wait-loop.ts';

/** Options of a {@link TaskGroup}. */
export interface TaskGroupOptions {
  /** Stops all tasks. */
  readonly signal?: AbortSignal | undefined;
}

/** Keeps groups with running tasks alive: their signal must reach them. */
const running = new Set<TaskGroup>();

/**
 * Runs tasks together, client-go's `wait.Group`: the first that fails stops the others, and
 * {@link TaskGroup.wait} reports every error. At the end of a block, `await using` stops the tasks
 * that still run and waits for them.
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

  /** The signal of the tasks. Aborts when a task fails and when the group is stopped. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** How many tasks are running. */
  get size(): number {
    return this.#running;
  }

  /** Starts a task. Returns false, and does not start it, if the group has been stopped. */
  start(task: LoopWork): boolean {
    if (this.#stop.signal.aborted) return false;
    this.#running += 1;
    running.add(this);
    void this.#run(task);
    return true;
  }

  /** Aborts the signal of the tasks. Tasks that throw its reason have not failed. */
  abort(reason?: unknown): void {
    this.#tie?.[Symbol.dispose]();
    this.#stop.abort(reason);
  }

  /**
   * Waits until no task is running, including tasks that are started meanwhile. Then throws the
   * errors of the tasks: a single error itself, several as an `AggregateError`. A requested stop is
   * not an error.
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

  /** Stops all tasks and waits for them. Throws errors that {@link TaskGroup.wait} has not thrown. */
  async close(): Promise<void> {
    this.abort();
    if (this.#isReported) await this.#settle();
    else await this.wait();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
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
