/** What every {@link ObservedRecord} has. */
export interface ObservedBase {
  /** Milliseconds since the epoch, from the clock of the program. */
  readonly at: number;
  /** The count of the records of a feed, from 1. Gaps mean records that were dropped. */
  readonly seq: number;
  /** Which program, if several share the feed, as the replicas of a simulation do. */
  readonly program?: string;
}

/** The states of an informer; those of `InformerState` in `client-ts/cache`. */
export type ObservedInformerPhase =
  | 'absent'
  | 'blocked'
  | 'denied'
  | 'live'
  | 'stale'
  | 'starting'
  | 'stopped'
  | 'syncing';

/** The state of an informer has changed. */
export interface InformerStateRecord extends ObservedBase {
  readonly type: 'informer.state';
  readonly informer: string;
  readonly state: ObservedInformerPhase;
  /** Since when it is stale, denied, absent or blocked: milliseconds since the epoch. */
  readonly since?: number;
  /** Why it is stale, denied, absent or blocked. */
  readonly reason?: string;
  readonly resourceVersion: string;
  readonly objects: number;
}

/**
 * An informer reads the whole state again (`list` or `stream`), or its watch is opened again from the
 * last version (`watch`).
 */
export interface InformerRelistRecord extends ObservedBase {
  readonly type: 'informer.relist';
  readonly informer: string;
  readonly how: 'list' | 'stream' | 'watch';
  /** Why, in a few words: `first list`, `watch ended`, or the message of an error. */
  readonly reason: string;
  /** The version that is asked for; empty for the newest. */
  readonly resourceVersion: string;
}

/** A handler of an informer, in {@link InformerEventsRecord} and snapshots. */
export interface ObservedHandler {
  readonly name: string;
  /** The number of pending calls, with the current one. */
  readonly pending: number;
  /** The largest number of pending calls so far. */
  readonly highWater: number;
  /** The longest call since the feed started; undefined if there was none. */
  readonly slowestMs?: number;
  /** The object of the longest call. */
  readonly slowestKey?: string;
}

/** What an informer did in an interval. Not sent for intervals in which nothing happened. */
export interface InformerEventsRecord extends ObservedBase {
  readonly type: 'informer.events';
  readonly informer: string;
  readonly intervalMs: number;
  readonly added: number;
  readonly updated: number;
  readonly deleted: number;
  readonly bookmarks: number;
  readonly objects: number;
  readonly resourceVersion: string;
  /** The number of changes that were read and are not in the store yet. */
  readonly lag: number;
  readonly handlers: readonly ObservedHandler[];
}

/**
 * A change of an object in the store of an informer. If there are more than the feed keeps per second,
 * `sampled` is about the number of changes that this record stands for, itself included.
 */
export interface WatchEventRecord extends ObservedBase {
  readonly type: 'watch.event';
  readonly informer: string;
  readonly event: 'add' | 'delete' | 'update';
  readonly key: string;
  readonly resourceVersion: string;
  readonly isInInitialList?: boolean;
  readonly sampled?: number;
}

/** A call of an event handler took long. */
export interface HandlerSlowRecord extends ObservedBase {
  readonly type: 'handler.slow';
  readonly informer: string;
  readonly handler: string;
  readonly event: 'add' | 'delete' | 'update';
  readonly key: string;
  readonly durationMs: number;
}

/**
 * What put a key into a queue. `change`: the handler of an informer. `retry`: the last attempt failed.
 * `requeue`: the last attempt asked for it. `action`: a person, through the inspector. `call`: anything
 * else that called `add`.
 */
export type ObservedTrigger =
  | {
      readonly kind: 'change';
      readonly informer: string;
      readonly handler: string;
      readonly event: 'add' | 'delete' | 'resync' | 'update';
      /** The object that has changed. */
      readonly key: string;
      readonly resourceVersion: string;
    }
  | { readonly kind: 'action' | 'call' | 'requeue' | 'retry' };

/** A key was added to a queue, or will be after a delay. */
export interface QueueAddRecord extends ObservedBase {
  readonly type: 'queue.add';
  readonly queue: string;
  readonly key: string;
  readonly trigger: ObservedTrigger;
  /** The delay; undefined if it was added immediately. */
  readonly delayMs?: number;
  readonly priority?: number;
  /** True if the key was already in the queue. */
  readonly merged?: true;
  /** About the number of adds that this record stands for, itself included. */
  readonly sampled?: number;
}

/** Counts by upper bound in seconds, cumulative; those above the last bound are in `count` only. */
export interface ObservedHistogram {
  readonly count: number;
  readonly sum: number;
  readonly buckets: readonly { readonly upTo: number; readonly count: number }[];
}

/** The state of a queue at the end of an interval. Not sent while nothing changes. */
export interface QueueStateRecord extends ObservedBase {
  readonly type: 'queue.state';
  readonly queue: string;
  /** The number of keys that wait for a worker. */
  readonly depth: number;
  /** The number of keys that wait for a delay. */
  readonly waiting: number;
  /** The number of keys that workers have. */
  readonly busy: number;
  /** How long the oldest key has waited for a worker. */
  readonly oldestMs: number;
  /** The key that has waited longest. */
  readonly oldestKey?: string;
  /** Totals since the feed started. */
  readonly adds: number;
  readonly retries: number;
  /** Seconds in the queue, since the feed started. */
  readonly latency: ObservedHistogram;
  /** Seconds with a worker, since the feed started. */
  readonly work: ObservedHistogram;
  /** Keys with failures, and how often each failed in a row; the most failures first, at most 20. */
  readonly failing: readonly { readonly key: string; readonly failures: number }[];
  /** The time until the rate limiter admits another retry; undefined if it has no common limit. */
  readonly limiterDelayMs?: number;
}

/** A reconcile has started. */
export interface ReconcileStartRecord extends ObservedBase {
  readonly type: 'reconcile.start';
  /** Unique in the process. */
  readonly id: number;
  /** The name of the controller, which is that of its queue. */
  readonly controller: string;
  readonly key: string;
  /** From 1; counts up while attempts fail. */
  readonly attempt: number;
  /** What enqueued the key first since its last reconcile. */
  readonly trigger: ObservedTrigger;
  /** How long the key has waited in the queue. */
  readonly queuedMs: number;
}

/** A reconcile has ended. */
export interface ReconcileEndRecord extends ObservedBase {
  readonly type: 'reconcile.end';
  readonly id: number;
  readonly controller: string;
  readonly key: string;
  readonly attempt: number;
  readonly result: 'cancelled' | 'error' | 'requeue' | 'success' | 'terminal' | 'timeout';
  readonly durationMs: number;
  /** The code of the error, and its message without secrets. */
  readonly errorCode?: string;
  readonly error?: string;
  /** When the key is reconciled again: asked for, or the back-off after an error. */
  readonly requeueAfterMs?: number;
  readonly trigger: ObservedTrigger;
  /** The ids of the requests that it made, at most 100. */
  readonly requests: readonly number[];
}

/** A request has started. */
export interface RequestStartRecord extends ObservedBase {
  readonly type: 'request.start';
  /** Unique in the process. */
  readonly id: number;
  /** The verb of Kubernetes: `get`, `list`, `watch`, `create`, `update`, `patch`, `apply`, `delete`, … */
  readonly verb: string;
  /** As in `deployments.apps`, with a subresource: `pods/status`. The path if it names no resource. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  /** The reconcile that made it. */
  readonly reconcile?: number;
}

/**
 * The head of a stream, such as a watch, has arrived. The stream is open until its
 * {@link RequestEndRecord}.
 */
export interface RequestHeadRecord extends ObservedBase {
  readonly type: 'request.head';
  readonly id: number;
  readonly verb: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  /** The status of the response. */
  readonly code: number;
  /** Until the head, with throttling and retries. */
  readonly latencyMs: number;
  readonly retries: number;
  readonly throttledMs: number;
  readonly connection: string;
  readonly reconcile?: number;
}

/** A request has ended: with the head of the response, a stream when it is over, or with an error. */
export interface RequestEndRecord extends ObservedBase {
  readonly type: 'request.end';
  readonly id: number;
  readonly verb: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  /** The status of the response; 0 if there was none. */
  readonly code: number;
  /** The code of the error if there was no response, or the stream failed. */
  readonly errorCode?: string;
  /** Until the head of the response, with throttling and retries. */
  readonly latencyMs: number;
  /** How long a stream was open after its head; absent for other requests. */
  readonly openMs?: number;
  readonly retries: number;
  /** How long the client's own `qps` and `burst` held it back. */
  readonly throttledMs: number;
  /** The connection of the last attempt, as in `h2 #3 127.0.0.1:6443`; empty if there was none. */
  readonly connection: string;
  readonly reconcile?: number;
}

/** Something happened in a leader election. */
export interface ElectionRecord extends ObservedBase {
  readonly type: 'election';
  /** The lease, as in `default/operator`. */
  readonly lease: string;
  /** The identity of this process. */
  readonly identity: string;
  readonly what: 'acquired' | 'failed' | 'leader' | 'lost' | 'released' | 'renewed';
  /** The identity of the leader; empty if there is none. */
  readonly leader: string;
  /** How often the lease changed hands, as the lease counts it. */
  readonly term: number;
  /** The message of the error if it failed or was lost by one. */
  readonly error?: string;
}

/** An Event was recorded. It is sent later, perhaps merged with others, and may be dropped. */
export interface EventRecordedRecord extends ObservedBase {
  readonly type: 'event.recorded';
  /** The type of the Event. */
  readonly severity: 'Normal' | 'Warning';
  readonly reason: string;
  readonly note: string;
  /** As in `Pod default/web`. */
  readonly regarding: string;
  readonly component: string;
  readonly reconcile?: number;
}

/** A controller works against itself or against another writer. */
export interface GuardWarningRecord extends ObservedBase {
  readonly type: 'guard.warning';
  readonly kind: 'hot-loop' | 'writer-fight';
  readonly controller: string;
  readonly key: string;
  readonly message: string;
  /** The paths of the fields that change back and forth. */
  readonly fields: readonly string[];
  /** The field managers that write them. */
  readonly writers: readonly string[];
}

/** A remark about the program from outside of it, such as a fault of a simulation and the invariant that it broke. */
export interface NoteRecord extends ObservedBase {
  readonly type: 'note';
  readonly severity: 'error' | 'info' | 'warning';
  /** What it is about, in a word. */
  readonly subject: string;
  readonly text: string;
}

/**
 * One thing that happened in a program: plain JSON, the same in a live feed and in the file of a
 * session. Objects are named, never contained, so that no record holds the data of a Secret.
 */
export type ObservedRecord =
  | ElectionRecord
  | EventRecordedRecord
  | GuardWarningRecord
  | HandlerSlowRecord
  | InformerEventsRecord
  | InformerRelistRecord
  | InformerStateRecord
  | NoteRecord
  | QueueAddRecord
  | QueueStateRecord
  | ReconcileEndRecord
  | ReconcileStartRecord
  | RequestEndRecord
  | RequestHeadRecord
  | RequestStartRecord
  | WatchEventRecord;
