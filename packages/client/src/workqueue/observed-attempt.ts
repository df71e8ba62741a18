import type { Clock } from '../lib/clock.ts';
import {
  type DiagnosedQueue,
  type DiagnosedReconcile,
  type ReconcileCounts,
  reconcileCounts,
  reconcileEnds,
  type ReconcileOutcome,
  reconcileStarts,
  runningQueues,
} from './diagnostics.ts';

let lastId = 0;

/** An attempt to reconcile a key that diagnostics listen to. */
export class ObservedAttempt {
  readonly #reconcile: DiagnosedReconcile;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #startedAt: number;

  private constructor(reconcile: DiagnosedReconcile, clock: Pick<Clock, 'monotonic'>) {
    this.#reconcile = reconcile;
    this.#clock = clock;
    this.#startedAt = clock.monotonic();
  }

  /** Returns undefined if nothing listens, or the queue is not one of this module. */
  static of(
    queue: object,
    key: unknown,
    attempt: number,
    clock: Pick<Clock, 'monotonic'>,
  ): ObservedAttempt | undefined {
    const isWanted = reconcileStarts.isWanted || reconcileEnds.hasSubscribers;
    if (!isWanted || !isDiagnosed(queue)) return undefined;
    lastId += 1;
    const item = queue.observedItem(key as never);
    return new ObservedAttempt({ id: lastId, queue, key, attempt, item }, clock);
  }

  /** Calls the function in the async context of the attempt. */
  run<R>(work: () => R): R {
    return reconcileStarts.run(this.#reconcile, work);
  }

  end(outcome: ReconcileOutcome): void {
    if (!reconcileEnds.isWanted) return;
    const durationMs = this.#clock.monotonic() - this.#startedAt;
    reconcileEnds.publish({ ...this.#reconcile, ...outcome, durationMs });
  }
}

/** Lists a queue as one with workers, until it is disposed. */
export function listQueue(queue: object, workers: number): Disposable | undefined {
  if (!isDiagnosed(queue)) return undefined;
  runningQueues.set(queue, (runningQueues.get(queue) ?? 0) + workers);
  return {
    [Symbol.dispose]: () => {
      const others = (runningQueues.get(queue) ?? 0) - workers;
      if (others > 0) runningQueues.set(queue, others);
      else runningQueues.delete(queue);
    },
  };
}

/** Returns the counts of a queue, which all its workers share. */
export function countsOf(queue: object): ReconcileCounts {
  const known = isDiagnosed(queue) ? reconcileCounts.get(queue) : undefined;
  if (known !== undefined) return known;
  const counts: ReconcileCounts = { reconciles: 0, errors: 0 };
  if (isDiagnosed(queue)) reconcileCounts.set(queue, counts);
  return counts;
}

function isDiagnosed(queue: object): queue is DiagnosedQueue {
  return 'statistics' in queue && 'observedItem' in queue;
}
