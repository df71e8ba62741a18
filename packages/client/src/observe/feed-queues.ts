import type { HandlerCall } from '../cache/diagnostics.ts';
import { metaNamespaceKeyFunc } from '../cache/store.ts';
import type { SampledSubscription } from '../lib/diagnostic-channel.ts';
import { isJsonObject } from '../lib/json.ts';
import {
  type DiagnosedQueue,
  type QueueAdd,
  queueAdds,
  type QueueCause,
  queueDones,
  queueTakes,
  runningQueues,
} from '../workqueue/diagnostics.ts';
import type { Allowance } from './feed-allowance.ts';
import { FeedHistogram } from './feed-histogram.ts';
import type { FeedOutlet, Unfinished } from './feed-outlet.ts';
import { maskSecrets } from './mask-secrets.ts';
import type { ObservedTrigger, QueueAddRecord, QueueStateRecord } from './observed-record.ts';
import type { ObservedQueue } from './observed-snapshot.ts';

/** The trigger of a key that the program itself added. */
const CALL: ObservedTrigger = { kind: 'call' };

/** Keys are cut to this length. */
const MAX_KEY = 600;

/** How many failing keys are shown. */
const MAX_FAILING = 20;

interface Followed {
  /** The name of the queue in records. */
  readonly name: string;
  readonly latency: FeedHistogram;
  readonly work: FeedHistogram;
  /** The informers whose handlers have filled it. */
  readonly informers: Set<string>;
  /** The delays of the retries of keys that a worker has. */
  readonly retryDelays: Map<string, number>;
  lastShown: string;
  lastAdds: number;
  recorded: number;
  weight: number;
}

/** The part of a feed that is about queues. */
export class FeedQueues implements Disposable {
  readonly #outlet: FeedOutlet;
  readonly #allowance: Allowance;
  readonly #extra: () => Iterable<DiagnosedQueue>;
  readonly #followed = new WeakMap<DiagnosedQueue, Followed>();
  /** Queues without workers are known from what is added to them. */
  readonly #seen = new Set<WeakRef<DiagnosedQueue>>();
  readonly #subscriptions: readonly Disposable[];
  readonly #adds: SampledSubscription;

  constructor(
    outlet: FeedOutlet,
    {
      allowance,
      extra,
    }: { readonly allowance: Allowance; readonly extra: () => Iterable<DiagnosedQueue> },
  ) {
    this.#outlet = outlet;
    this.#allowance = allowance;
    this.#extra = extra;
    for (const queue of this.all) this.#follow(queue);
    this.#adds = queueAdds.sample(allowance.left, (add) => this.#emitAdd(add));
    this.#subscriptions = [
      this.#adds,
      queueTakes.subscribe(({ queue, durationMs }) =>
        this.#follow(queue).latency.observe(durationMs),
      ),
      queueDones.subscribe(({ queue, durationMs }) => this.#follow(queue).work.observe(durationMs)),
    ];
  }

  /** The queues with workers, those that were seen, and those that the program has named. */
  get all(): readonly DiagnosedQueue[] {
    const seen: DiagnosedQueue[] = [];
    for (const reference of this.#seen) {
      const queue = reference.deref();
      if (queue === undefined) this.#seen.delete(reference);
      else seen.push(queue);
    }
    return [...new Set([...runningQueues.keys(), ...this.#extra(), ...seen])];
  }

  /** Returns the queue with a name; undefined if there is none. */
  find(name: string): DiagnosedQueue | undefined {
    return this.all.find((queue) => this.nameOf(queue) === name);
  }

  nameOf(queue: DiagnosedQueue): string {
    return this.#outlet.nameOf(queue, queue.name ?? 'queue');
  }

  /** The names of the informers whose handlers have filled a queue. */
  informersOf(queue: DiagnosedQueue): readonly string[] {
    return [...this.#follow(queue).informers];
  }

  /** Returns, once, the delay after which a key of which an attempt has just failed is retried. */
  takeRetryDelay(queue: DiagnosedQueue, key: string): number | undefined {
    const { retryDelays } = this.#follow(queue);
    const delayMs = retryDelays.get(key);
    retryDelays.delete(key);
    return delayMs;
  }

  /** Returns a cause as records show it. */
  triggerOf(cause: QueueCause | undefined): ObservedTrigger {
    if (cause === undefined) return CALL;
    if (cause.kind !== 'change') return { kind: cause.kind };
    const { informer, handler, event, object } = cause as HandlerCall;
    return {
      kind: 'change',
      informer: this.#outlet.nameOf(informer, informer.name),
      handler,
      event,
      key: object === undefined ? '' : metaNamespaceKeyFunc(object),
      resourceVersion: object?.metadata?.resourceVersion ?? '',
    };
  }

  refill(granted: number): void {
    this.#adds.refill(this.#allowance.add(granted));
  }

  /** Emits the states that have changed. */
  tick(): void {
    for (const queue of this.all) {
      const followed = this.#follow(queue);
      const state = this.#describe(queue);
      const added = state.adds - followed.lastAdds;
      followed.lastAdds = state.adds;
      this.#outlet.skip(Math.max(0, added - followed.recorded));
      followed.weight = Math.max(1, Math.round(added / Math.max(1, followed.recorded)));
      followed.recorded = 0;
      const shown = JSON.stringify(state);
      if (shown === followed.lastShown) continue;
      followed.lastShown = shown;
      this.#outlet.emit({ type: 'queue.state', ...state });
    }
  }

  snapshot(): ObservedQueue[] {
    return this.all.map((queue) => this.#describe(queue));
  }

  [Symbol.dispose](): void {
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
  }

  #follow(queue: DiagnosedQueue): Followed {
    const known = this.#followed.get(queue);
    if (known !== undefined) return known;
    const followed: Followed = {
      name: this.nameOf(queue),
      latency: new FeedHistogram(),
      work: new FeedHistogram(),
      informers: new Set(),
      retryDelays: new Map(),
      lastShown: '',
      lastAdds: queue.statistics.adds,
      recorded: 0,
      weight: 1,
    };
    this.#followed.set(queue, followed);
    this.#seen.add(new WeakRef(queue));
    return followed;
  }

  #emitAdd({ queue, key, cause, delayMs, priority, isMerged }: QueueAdd): void {
    this.#allowance.take();
    const followed = this.#follow(queue);
    const trigger = this.triggerOf(cause);
    const text = keyText(key);
    if (trigger.kind === 'change') followed.informers.add(trigger.informer);
    if (trigger.kind === 'retry' && delayMs !== undefined && !isMerged) {
      // Read when the reconcile ends, in the same turn.
      followed.retryDelays.set(text, delayMs);
      if (followed.retryDelays.size > 1000) followed.retryDelays.clear();
    }
    if (delayMs === undefined && !isMerged) followed.recorded += 1;
    const record: Unfinished<QueueAddRecord> = {
      at: this.#outlet.clock.now(),
      seq: this.#outlet.nextSeq(),
      type: 'queue.add',
      queue: followed.name,
      key: text,
      trigger,
    };
    if (delayMs !== undefined) record.delayMs = delayMs;
    if (priority !== undefined) record.priority = priority;
    if (isMerged) record.merged = true;
    if (followed.weight > 1) record.sampled = followed.weight;
    this.#outlet.emitRecord(record);
  }

  #describe(queue: DiagnosedQueue): Omit<QueueStateRecord, 'at' | 'seq' | 'type'> {
    const { statistics } = queue;
    const { latency, work } = this.#follow(queue);
    const { depth, waiting, busy, adds, retries, oldest, rateLimiter } = statistics;
    const failing = [...(rateLimiter?.failures ?? [])]
      .sort(([, left], [, right]) => right - left)
      .slice(0, MAX_FAILING)
      .map(([key, failures]) => ({ key: keyText(key), failures }));
    return {
      queue: this.nameOf(queue),
      depth,
      waiting,
      busy,
      oldestMs: oldest?.ageMs ?? 0,
      ...(oldest !== undefined && { oldestKey: keyText(oldest.key) }),
      adds,
      retries,
      latency: latency.current,
      work: work.current,
      failing,
      ...(rateLimiter?.delayMs !== undefined && { limiterDelayMs: rateLimiter.delayMs }),
    };
  }
}

/**
 * Returns a key as text. Keys of objects are strings; of others, which may be anything, only what can name
 * something is shown: an object of the API by its name, any other by its plain fields.
 */
export function keyText(key: unknown): string {
  if (typeof key === 'string') return key.slice(0, MAX_KEY);
  if (!isJsonObject(key)) return String(key).slice(0, MAX_KEY);
  const { kind, metadata } = key;
  if (isJsonObject(metadata)) {
    const { namespace, name } = metadata;
    const path = [namespace, name].filter((part) => typeof part === 'string').join('/');
    return (typeof kind === 'string' ? `${kind} ${path}` : path).slice(0, MAX_KEY);
  }
  const plain = Object.entries(key).filter(([, value]) => typeof value !== 'object');
  return maskSecrets(JSON.stringify(Object.fromEntries(plain))).slice(0, MAX_KEY);
}
