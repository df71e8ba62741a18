import type { EventHandlerRegistration, ResourceEventHandler } from '../cache/event-handler.ts';
import { metaNamespaceKeyFunc, splitMetaNamespaceKey } from '../cache/store.ts';
import { guardCallback } from '../lib/callback.ts';
import type { Clock } from '../lib/clock.ts';
import { describeError, errorLogger, type Logger } from '../lib/logger.ts';
import type { DeepReadonly, KubernetesObject } from '../meta/types.ts';
import type { EventRecorder } from '../record/event-recorder.ts';
import { getReference } from '../record/reference.ts';
import type { Cached } from '../rest/object-types.ts';
import { RateLimitingQueue } from '../workqueue/rate-limiting-queue.ts';
import type { ReconcileContext, ReconcileError, ReconcileResult } from '../workqueue/reconcile.ts';
import { runWorkers } from '../workqueue/run-workers.ts';
import { type ControllerContext, prefixedLogger } from './controller-context.ts';
import {
  type ControllerDefinition,
  type MappedResource,
  watchedResource,
  type WatchedResource,
} from './controller-definition.ts';
import {
  enqueueRequestForObject,
  enqueueRequestForOwner,
  enqueueRequestsFromMapFunc,
} from './enqueue.ts';
import { type FinalizableClient, withFinalizer } from './finalizer.ts';
import type { ManagerCache } from './manager-cache.ts';
import type { ReconcileRequest } from './reconcile-request.ts';

/** What a controller gets from its manager. */
export interface ControllerEnvironment {
  readonly cache: ManagerCache;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly recorder: (controller: string) => EventRecorder;
}

/** The objects of a controller as the manager handles them: their type is checked where it is declared. */
export type AnyObject = KubernetesObject;
/** The options of any controller. */
export type AnyDefinition = ControllerDefinition<AnyObject>;

/** Options of {@link ManagedController.work}. */
export interface WorkOptions {
  readonly signal: AbortSignal;
  readonly gracePeriodMs: number;
}

/**
 * A controller of a `Manager`: handlers that fill its queue, and workers that reconcile. Made by
 * `manager.controller`.
 */
export class ManagedController {
  readonly name: string;
  readonly #options: AnyDefinition;
  readonly #environment: ControllerEnvironment;
  readonly #queue: RateLimitingQueue<string>;
  readonly #recorder: EventRecorder;
  readonly #logger: Logger;
  readonly #for: WatchedResource<AnyObject>;
  readonly #onError: (error: ReconcileError) => void;
  readonly #reconcileObject: (
    object: Cached<AnyObject>,
    context: ReconcileContext,
  ) => Promise<ReconcileResult> | ReconcileResult;

  constructor(name: string, options: AnyDefinition, environment: ControllerEnvironment) {
    const { clock, logger } = environment;
    this.name = name;
    this.#options = options;
    this.#environment = environment;
    this.#for = watchedResource(options.for);
    this.#logger = prefixedLogger(logger, `controller ${name}: `);
    this.#recorder = environment.recorder(name);
    this.#queue = new RateLimitingQueue<string>({
      name,
      clock,
      ...(options.rateLimiter !== undefined && { rateLimiter: options.rateLimiter }),
    });
    this.#onError = guardCallback(
      `onError of controller ${name}`,
      options.onError ?? errorLogger(this.#logger),
      this.#logger,
    );
    this.#reconcileObject = this.#withFinalizer();
    for (const watched of this.#resources()) this.#informerOf(watched);
  }

  /** Reconciles an object soon, whatever has changed. */
  enqueue({ namespace = '', name }: ReconcileRequest): void {
    this.#queue.add(metaNamespaceKeyFunc({ metadata: { namespace, name } }));
  }

  /** Reconciles all objects in the cache soon. Returns their number. */
  reconcileAll(): number {
    const keys = this.#informerOf(this.#for).indexer.listKeys();
    for (const key of keys) this.#queue.add(key);
    return keys.length;
  }

  /** Adds the handlers, which fill the queue from now on. Disposing the result removes them. */
  watch(): EventHandlerRegistration[] {
    const { owns = [], watches = [] } = this.#options;
    const { resource } = this.#for;
    return [
      this.#handle(this.#for, enqueueRequestForObject(this.#queue)),
      ...owns.map((owned) =>
        this.#handle(
          watchedResource(owned),
          enqueueRequestForOwner(this.#queue, resource, { onlyControllerOwner: true }),
        ),
      ),
      ...watches.map((mapped) =>
        this.#handle(
          mapped,
          enqueueRequestsFromMapFunc(this.#queue, (object) => this.#map(mapped, object)),
        ),
      ),
    ];
  }

  /** Reconciles until the signal aborts. Resolves when no reconcile is in progress, or the grace
   * period is over. */
  async work({ signal, gracePeriodMs }: WorkOptions): Promise<void> {
    const { concurrency, timeoutMs } = this.#options;
    await runWorkers(
      this.#queue,
      {
        signal,
        gracePeriodMs,
        clock: this.#environment.clock,
        logger: this.#logger,
        onError: this.#onError,
        ...(concurrency !== undefined && { workers: concurrency }),
        ...(timeoutMs !== undefined && { timeoutMs }),
      },
      (key, context) => this.#reconcile(key, context),
    );
  }

  /** Drops what is queued. */
  shutDown(): void {
    this.#queue.shutDown();
  }

  #resources(): WatchedResource<AnyObject>[] {
    const { owns = [], watches = [] } = this.#options;
    return [this.#for, ...owns.map((owned) => watchedResource(owned)), ...watches];
  }

  #informerOf(watched: WatchedResource<AnyObject>) {
    const { resource, namespace, labelSelector, fieldSelector, transform } = watched;
    const options = { namespace, labelSelector, fieldSelector, transform };
    return this.#environment.cache.informer(resource, options);
  }

  #handle(
    watched: WatchedResource<AnyObject>,
    handler: ResourceEventHandler<Cached<AnyObject>>,
  ): EventHandlerRegistration {
    const name = `controller ${this.name} on ${watched.resource.resource}`;
    return this.#informerOf(watched).addEventHandler(handler, { name });
  }

  *#map(
    { mapTo, resource }: MappedResource<AnyObject>,
    object: Cached<AnyObject>,
  ): Iterable<string> {
    try {
      const { cache } = this.#environment;
      for (const target of mapTo(object, { cache })) yield metaNamespaceKeyFunc(asObject(target));
    } catch (error) {
      // Only this change is lost; others of the object are mapped again.
      const name = metaNamespaceKeyFunc(object);
      this.#logger.error(`mapTo failed for ${resource.kind} ${name}: ${describeError(error)}`);
    }
  }

  async #reconcile(key: string, context: ReconcileContext): Promise<ReconcileResult> {
    const object = this.#environment.cache.get(this.#for.resource, splitMetaNamespaceKey(key));
    return object === undefined ? undefined : await this.#reconcileObject(object, context);
  }

  #withFinalizer(): (
    object: Cached<AnyObject>,
    context: ReconcileContext,
  ) => Promise<ReconcileResult> | ReconcileResult {
    const { finalizer, reconcile, finalize } = this.#options;
    const { client } = this.#environment.cache;
    const call =
      (work: AnyDefinition['reconcile']) =>
      (object: Cached<AnyObject>, context: ReconcileContext) =>
        work(object, this.#contextOf(object, context));
    if (finalizer === undefined) return call(reconcile);
    return withFinalizer<Cached<AnyObject>>({
      finalizer,
      client: (namespace) =>
        client.resource(this.#for.resource as never, namespace) as unknown as FinalizableClient<
          Cached<AnyObject>
        >,
      apply: call(reconcile),
      cleanup: call(finalize ?? (() => undefined)),
    });
  }

  #contextOf(
    object: Cached<AnyObject>,
    { signal, attempt }: ReconcileContext,
  ): ControllerContext<AnyObject> {
    const { cache } = this.#environment;
    const key = metaNamespaceKeyFunc(object);
    const { resource: descriptor } = this.#for;
    return {
      key,
      signal,
      attempt,
      cache,
      client: cache.client,
      log: prefixedLogger(this.#logger, `${key}: `),
      event: (type, reason, message) =>
        this.#recorder.event(getReference(object, { descriptor }), type, reason, message),
    };
  }
}

function asObject(
  target: DeepReadonly<KubernetesObject> | ReconcileRequest,
): DeepReadonly<KubernetesObject> {
  if (!('name' in target)) return target;
  const { namespace = '', name } = target;
  return { metadata: { namespace, name } };
}
