import { AsyncLocalStorage } from 'node:async_hooks';
import type { DiagnosedInformer } from '../cache/diagnostics.ts';
import { ClientError } from '../lib/errors.ts';
import type { SampledSubscription } from '../lib/diagnostic-channel.ts';
import { apiErrorOf } from '../meta/api-error.ts';
import {
  type DiagnosedQueue,
  type DiagnosedReconcile,
  reconcileCounts,
  reconcileEnds,
  type ReconcileOutcome,
  reconcileStarts,
  runningQueues,
} from '../workqueue/diagnostics.ts';
import type { Allowance } from './feed-allowance.ts';
import { FeedHistogram } from './feed-histogram.ts';
import type { FeedOutlet, Unfinished } from './feed-outlet.ts';
import { type FeedQueues, keyText } from './feed-queues.ts';
import type { ObservedTrigger, ReconcileEndRecord } from './observed-record.ts';
import type { ObservedController } from './observed-snapshot.ts';

/** How many requests of one reconcile are named. */
const MAX_REQUESTS = 100;

/** A controller that the program has named: the informers of its watches. */
export interface FeedController {
  readonly name: string;
  readonly informers: readonly DiagnosedInformer[];
}

/** A reconcile in progress. */
interface Active {
  readonly id: number;
  readonly followed: Followed;
  readonly key: string;
  readonly trigger: ObservedTrigger;
  readonly requests: number[];
}

interface Followed {
  /** The name of the controller, which is that of its queue. */
  readonly controller: string;
  readonly active: Map<number, Active>;
  readonly duration: FeedHistogram;
}

/** The part of a feed that is about reconciles. */
export class FeedReconciles implements Disposable {
  readonly #outlet: FeedOutlet;
  readonly #allowance: Allowance;
  readonly #queues: FeedQueues;
  readonly #controllers: () => Iterable<FeedController>;
  readonly #storage = new AsyncLocalStorage<Active | undefined>();
  readonly #byQueue = new WeakMap<DiagnosedQueue, Followed>();
  readonly #followed = new Map<string, Followed>();
  /** The number of recorded reconciles that run now. */
  #running = 0;
  /** The reconcile whose start is being published. */
  #starting: Active | undefined;
  readonly #subscriptions: readonly Disposable[];
  readonly #starts: SampledSubscription;

  constructor(
    outlet: FeedOutlet,
    queues: FeedQueues,
    options: {
      readonly allowance: Allowance;
      readonly controllers: () => Iterable<FeedController>;
    },
  ) {
    this.#outlet = outlet;
    this.#allowance = options.allowance;
    this.#queues = queues;
    this.#controllers = options.controllers;
    this.#starts = reconcileStarts.sample(this.#allowance.left, (reconcile) =>
      this.#start(reconcile),
    );
    this.#subscriptions = [
      this.#starts,
      reconcileStarts.around((reconcile, work) =>
        this.#storage.run(this.#started(reconcile), work),
      ),
      reconcileEnds.subscribe((reconcile) => this.#end(reconcile)),
    ];
  }

  /** The reconcile that the caller runs in. */
  get current(): number | undefined {
    return this.#storage.getStore()?.id;
  }

  /** Notes a request for the reconcile that makes it, and returns the reconcile. */
  readonly noteRequest = (request: number): number | undefined => {
    // Most of the time there is none, and then the storage need not be asked for each request.
    const active = this.#running === 0 ? undefined : this.#storage.getStore();
    if (active === undefined) return undefined;
    if (active.requests.length < MAX_REQUESTS) active.requests.push(request);
    return active.id;
  };

  refill(granted: number): void {
    this.#starts.refill(this.#allowance.add(granted));
  }

  snapshot(): ObservedController[] {
    const named = new Map([...this.#controllers()].map((each) => [each.name, each]));
    const queues = new Map(this.#queues.all.map((queue) => [this.#queues.nameOf(queue), queue]));
    const names = new Set([
      ...named.keys(),
      ...this.#followed.keys(),
      ...[...queues].flatMap(([name, queue]) => (runningQueues.has(queue) ? [name] : [])),
    ]);
    return [...names].map((name) => this.#describe(name, queues.get(name), named.get(name)));
  }

  [Symbol.dispose](): void {
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
    // Up to Node 22, async storage slows down every promise.
    this.#storage.disable();
  }

  #describe(
    controller: string,
    queue: DiagnosedQueue | undefined,
    named: FeedController | undefined,
  ): ObservedController {
    const followed = this.#followed.get(controller);
    const declared = (named?.informers ?? []).map((one) => this.#outlet.nameOf(one, one.name));
    const seen = queue === undefined ? [] : this.#queues.informersOf(queue);
    // Of all reconciles, not only of those that are recorded.
    const counts = queue && reconcileCounts.get(queue);
    return {
      controller,
      informers: [...new Set([...declared, ...seen])],
      workers: (queue && runningQueues.get(queue)) ?? 0,
      active: [...(followed?.active.values() ?? [])].map(({ key }) => key),
      reconciles: counts?.reconciles ?? 0,
      errors: counts?.errors ?? 0,
      duration: (followed?.duration ?? new FeedHistogram()).current,
    };
  }

  /** Returns the reconcile whose start was published last; that of another subscriber is not followed. */
  #started({ id }: DiagnosedReconcile): Active | undefined {
    const active = this.#starting;
    this.#starting = undefined;
    return active?.id === id ? active : undefined;
  }

  #follow(queue: DiagnosedQueue): Followed {
    const known = this.#byQueue.get(queue);
    if (known !== undefined) return known;
    const controller = this.#queues.nameOf(queue);
    const followed: Followed = this.#followed.get(controller) ?? {
      controller,
      active: new Map(),
      duration: new FeedHistogram(),
    };
    this.#byQueue.set(queue, followed);
    this.#followed.set(controller, followed);
    return followed;
  }

  #start({ id, queue, key: item, attempt, item: observed }: DiagnosedReconcile): void {
    this.#allowance.take();
    const followed = this.#follow(queue);
    const key = keyText(item);
    const trigger = this.#queues.triggerOf(observed?.cause);
    const active: Active = { id, followed, key, trigger, requests: [] };
    followed.active.set(id, active);
    this.#running += 1;
    this.#starting = active;
    this.#outlet.emitRecord({
      at: this.#outlet.clock.now(),
      seq: this.#outlet.nextSeq(),
      type: 'reconcile.start',
      id,
      controller: followed.controller,
      key,
      attempt,
      trigger,
      queuedMs: observed?.queuedMs ?? 0,
    });
  }

  #end(reconcile: DiagnosedReconcile & ReconcileOutcome & { readonly durationMs: number }): void {
    const { id, queue, attempt, result, error, durationMs } = reconcile;
    const followed = this.#follow(queue);
    const active = followed.active.get(id);
    if (active === undefined) return;
    followed.active.delete(id);
    this.#running -= 1;
    const { key, trigger, requests } = active;
    followed.duration.observe(durationMs);
    const retryMs = this.#queues.takeRetryDelay(queue, key);
    const requeueAfterMs = reconcile.requeueAfterMs ?? retryMs;
    const record: Unfinished<ReconcileEndRecord> = {
      at: this.#outlet.clock.now(),
      seq: this.#outlet.nextSeq(),
      type: 'reconcile.end',
      id,
      controller: followed.controller,
      key,
      attempt,
      result,
      durationMs,
      trigger,
      requests,
    };
    if (error !== undefined) {
      record.errorCode = codeOf(error);
      record.error = this.#outlet.errorText(error);
    }
    if (requeueAfterMs !== undefined) record.requeueAfterMs = requeueAfterMs;
    this.#outlet.emitRecord(record);
  }
}

/** Returns the reason of an error of the server, the code of one of ours, or the name of another. */
function codeOf(error: unknown): string {
  const reason = apiErrorOf(error)?.reason;
  if (reason !== undefined && reason !== '') return reason;
  if (error instanceof ClientError) return error.code;
  return error instanceof Error ? error.name : typeof error;
}
