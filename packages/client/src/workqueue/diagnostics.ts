import { SampledChannel, sharedState } from '../lib/diagnostic-channel.ts';

/** The state of a rate limiter. */
export interface RateLimiterState {
  /** The delay of an item without failures now; 0 if it would pass, undefined if there is no common limit. */
  readonly delayMs?: number | undefined;
  /** How often items failed in a row. */
  readonly failures: ReadonlyMap<unknown, number>;
}

/** What a queue holds, and what it has done since it was made. */
export interface QueueStatistics {
  /** The number of items that wait for a worker. */
  readonly depth: number;
  /** The number of items that wait for a delay. */
  readonly waiting: number;
  /** The number of items that workers have. */
  readonly busy: number;
  readonly adds: number;
  /** The number of items added with a delay or a rate limit. */
  readonly retries: number;
  /** The number of items that workers are done with. */
  readonly dones: number;
  /** The item that has waited longest for a worker, of those that were added while the queue was observed. */
  readonly oldest: { readonly key: unknown; readonly ageMs: number } | undefined;
  readonly rateLimiter: RateLimiterState | undefined;
}

/** A queue, as messages and their readers see it. */
export interface DiagnosedQueue {
  readonly name: string | undefined;
  readonly statistics: QueueStatistics;
  add(item: never): void;
  /** Returns what is known of an item that a worker has; undefined if it was not observed. */
  observedItem(item: never): ObservedItem | undefined;
}

/** Why an item is in a queue; see `currentCause` in `lib`. A `HandlerCall` of `cache` is one too. */
export interface QueueCause {
  readonly kind: 'action' | 'change' | 'requeue' | 'retry';
}

/** The cause of an item that is added again because its attempt failed. */
export const RETRY: QueueCause = { kind: 'retry' };

/** The cause of an item that is added again after a delay. */
export const REQUEUE: QueueCause = { kind: 'requeue' };

/** An item was added to a queue, or will be after a delay. */
export interface QueueAdd {
  readonly queue: DiagnosedQueue;
  readonly key: unknown;
  /** Undefined if the program called `add` itself. */
  readonly cause: QueueCause | undefined;
  readonly delayMs?: number;
  readonly priority?: number | undefined;
  /** True if the item was already in the queue. */
  readonly isMerged: boolean;
}

/** Items that are added to queues. */
export const queueAdds: SampledChannel<QueueAdd> = new SampledChannel('client-ts:queue:add');

/** An item that was added while its queue was observed. */
export interface ObservedItem {
  /** On the monotonic clock. */
  readonly addedAt: number;
  /** Of the first add. */
  readonly cause: QueueCause | undefined;
  /** How long it has waited for a worker, once one has it. */
  queuedMs: number;
  takenAt: number;
}

/** A worker got an item, or is done with it. Only items that were observed when they were added. */
export interface QueueStep {
  readonly queue: DiagnosedQueue;
  readonly key: unknown;
  readonly durationMs: number;
}

/** Workers get items; the duration is the time in the queue. */
export const queueTakes: SampledChannel<QueueStep> = new SampledChannel('client-ts:queue:take');

/** Workers are done with items; the duration is the time with the worker. */
export const queueDones: SampledChannel<QueueStep> = new SampledChannel('client-ts:queue:done');

/** A reconcile, from its start on. */
export interface DiagnosedReconcile {
  /** Unique in the process. */
  readonly id: number;
  readonly queue: DiagnosedQueue;
  readonly key: unknown;
  /** From 1. */
  readonly attempt: number;
  /** Undefined if the queue was not observed when the key was added. */
  readonly item: ObservedItem | undefined;
}

/** How a reconcile has ended. */
export interface ReconcileOutcome {
  readonly result: 'cancelled' | 'error' | 'requeue' | 'success' | 'terminal' | 'timeout';
  readonly error?: unknown;
  /** As it was asked for; the delay of a retry is in the message of {@link queueAdds}. */
  readonly requeueAfterMs?: number;
}

/** A reconcile starts. Stores that are bound to this channel are set while it runs. */
export const reconcileStarts: SampledChannel<DiagnosedReconcile> = new SampledChannel(
  'client-ts:reconcile:start',
);

/** A reconcile whose start was published has ended, and its key is back in the queue if it is retried. */
export const reconcileEnds: SampledChannel<
  DiagnosedReconcile & ReconcileOutcome & { readonly durationMs: number }
> = new SampledChannel('client-ts:reconcile:end');

/** What the workers of a queue have done. Always counted: it costs less than to ask whether. */
export interface ReconcileCounts {
  reconciles: number;
  errors: number;
}

/** The counts of queues with workers, also after these have stopped. */
export const reconcileCounts: WeakMap<DiagnosedQueue, ReconcileCounts> = sharedState(
  'reconcile counts',
  () => new WeakMap(),
);

/** The queues on which workers run in this process, and the number of their workers. */
export const runningQueues: Map<DiagnosedQueue, number> = sharedState(
  'running queues',
  () => new Map(),
);
