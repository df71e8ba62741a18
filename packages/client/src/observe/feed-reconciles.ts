import { AsyncLocalStorage } from 'node:async_hooks';
import type { DiagnosedInformer } from '../cache/diagnostics.ts';
import { ClientError } from '../lib/errors.ts';
import type { SampledSubscription } from '../lib/diagnostic-channel.ts';
import { apiErrorOf } from '../meta/api-error.ts';
import {
  type DiagnosedQueue,
  type DiagnosedReconcile,
  reconcileEnds,
  type ReconcileOutcome,
  reconcileStarts,
  runningQueues,
} from '../workqueue/diagnostics.ts';
import { FeedHistogram } from './feed-histogram.ts';
import { errorText, type FeedOutlet } from './feed-outlet.ts';
import { type FeedQueues, keyText } from './feed-queues.ts';
import type { ObservedTrigger } from './observed-record.ts';
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
  readonly key: string;
  readonly trigger: ObservedTrigger;
  readonly requests: number[];
}

interface Followed {
  readonly active: Map<number, Active>;
  readonly duration: FeedHistogram;
  reconciles: number;
  errors: number;
}

/** The part of a feed that is about reconciles. */
export class FeedReconciles implements Disposable {
  readonly #outlet: FeedOutlet;
  readonly #queues: FeedQueues;
  readonly #controllers: () => Iterable<FeedController>;
  readonly #storage = new AsyncLocalStorage<Active | undefined>();
  readonly #followed = new Map<string, Followed>();
  readonly #subscriptions: readonly Disposable[];
  readonly #starts: SampledSubscription;

  constructor(
    outlet: FeedOutlet,
    queues: FeedQueues,
    options: {
      readonly limit: number;
      readonly controllers: () => Iterable<FeedController>;
    },
  ) {
    this.#outlet = outlet;
    this.#queues = queues;
    this.#controllers = options.controllers;
    this.#starts = reconcileStarts.sample(options.limit, (reconcile) => this.#start(reconcile));
    this.#subscriptions = [
      this.#starts,
      reconcileStarts.bind(this.#storage, (reconcile) => this.#activeOf(reconcile)),
      reconcileEnds.subscribe((reconcile) => this.#end(reconcile)),
    ];
  }

  /** The reconcile that the caller runs in. */
  get current(): number | undefined {
    return this.#storage.getStore()?.id;
  }

  /** Notes a request for the reconcile that makes it, and returns the reconcile. */
  readonly noteRequest = (request: number): number | undefined => {
    const active = this.#storage.getStore();
    if (active === undefined) return undefined;
    if (active.requests.length < MAX_REQUESTS) active.requests.push(request);
    return active.id;
  };

  refill(): void {
    this.#starts.refill();
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
    return {
      controller,
      informers: [...new Set([...declared, ...seen])],
      workers: (queue && runningQueues.get(queue)) ?? 0,
      active: [...(followed?.active.values() ?? [])].map(({ key }) => key),
      reconciles: followed?.reconciles ?? 0,
      errors: followed?.errors ?? 0,
      duration: (followed?.duration ?? new FeedHistogram()).current,
    };
  }

  /** Stores may be set before or after the start is published: the first of both makes it. */
  #activeOf({ id, queue, key, item }: DiagnosedReconcile): Active {
    const { followed } = this.#follow(queue);
    const known = followed.active.get(id);
    if (known !== undefined) return known;
    const trigger = this.#queues.triggerOf(item?.cause);
    const active: Active = { id, key: keyText(key), trigger, requests: [] };
    followed.active.set(id, active);
    return active;
  }

  #follow(queue: DiagnosedQueue): { readonly controller: string; readonly followed: Followed } {
    const controller = this.#queues.nameOf(queue);
    const known = this.#followed.get(controller);
    if (known !== undefined) return { controller, followed: known };
    const followed: Followed = {
      active: new Map(),
      duration: new FeedHistogram(),
      reconciles: 0,
      errors: 0,
    };
    this.#followed.set(controller, followed);
    return { controller, followed };
  }

  #start(reconcile: DiagnosedReconcile): void {
    const { id, queue, attempt, item } = reconcile;
    const { key, trigger } = this.#activeOf(reconcile);
    const { controller } = this.#follow(queue);
    const queuedMs = item?.queuedMs ?? 0;
    const common = { id, controller, key, attempt, trigger, queuedMs };
    this.#outlet.emit({ type: 'reconcile.start', ...common });
  }

  #end(reconcile: DiagnosedReconcile & ReconcileOutcome & { readonly durationMs: number }): void {
    const { id, queue, attempt, result, error, durationMs } = reconcile;
    const { controller, followed } = this.#follow(queue);
    const active = followed.active.get(id);
    followed.active.delete(id);
    if (active === undefined) return;
    const { key, trigger, requests } = active;
    followed.reconciles += 1;
    if (result === 'error' || result === 'timeout' || result === 'terminal') followed.errors += 1;
    followed.duration.observe(durationMs);
    const retryMs = this.#queues.takeRetryDelay(queue, key);
    const requeueAfterMs = reconcile.requeueAfterMs ?? retryMs;
    this.#outlet.emit({
      type: 'reconcile.end',
      id,
      controller,
      key,
      attempt,
      result,
      durationMs,
      ...(error !== undefined && { errorCode: codeOf(error), error: errorText(error) }),
      ...(requeueAfterMs !== undefined && { requeueAfterMs }),
      trigger,
      requests,
    });
  }
}

/** Returns the reason of an error of the server, the code of one of ours, or the name of another. */
function codeOf(error: unknown): string {
  const reason = apiErrorOf(error)?.reason;
  if (reason !== undefined && reason !== '') return reason;
  if (error instanceof ClientError) return error.code;
  return error instanceof Error ? error.name : typeof error;
}
