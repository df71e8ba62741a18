import type { EventHandlerRegistration } from '../cache/event-handler.ts';
import { metaNamespaceKeyFunc, splitMetaNamespaceKey } from '../cache/store.ts';
import { guardCallback } from '../lib/callback.ts';
import type { Clock } from '../lib/clock.ts';
import { errorLogger, type Logger, prefixedLogger } from '../lib/logger.ts';
import type { DeepReadonly, KubernetesObject } from '../meta/types.ts';
import type { EventRecorder } from '../record/event-recorder.ts';
import { anyClient } from '../rest/resource-client.ts';
import type { Cached } from '../rest/object-types.ts';
import { LOW_PRIORITY, PriorityQueue } from '../workqueue/priority-queue.ts';
import type { ReconcileContext, ReconcileError, ReconcileResult } from '../workqueue/reconcile.ts';
import { runWorkers } from '../workqueue/run-workers.ts';
import { type ContextSettings, ObjectContext } from './controller-context.ts';
import {
  type ControllerDefinition,
  type MappedResource,
  watchedResource,
  type WatchedResource,
} from './controller-definition.ts';
import type { ControllerError } from './controller-error.ts';
import {
  type EnqueueHandler,
  type EnqueueOptions,
  enqueueRequestForObject,
  enqueueRequestForOwner,
  enqueueRequestsFromMapFunc,
} from './enqueue.ts';
import { type FinalizableClient, withFinalizer } from './finalizer.ts';
import type { KindRegistry } from './kind-registry.ts';
import type { ManagerCache } from './manager-cache.ts';
import { runSource } from './sources.ts';
import type { ReconcileRequest } from './reconcile-request.ts';

/** What a controller gets from its manager. */
export interface ControllerEnvironment {
  readonly cache: ManagerCache;
  readonly kinds: KindRegistry;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly recorder: (controller: string) => EventRecorder;
}

/** The definition of any controller: its types are checked where it is declared. */
export type AnyDefinition = ControllerDefinition<KubernetesObject>;

type AnyObject = Cached<KubernetesObject>;
type AnyResource = WatchedResource<KubernetesObject>;
type ReconcileObject = (
  object: AnyObject,
  context: ReconcileContext,
) => Promise<ReconcileResult> | ReconcileResult;

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
  readonly #definition: AnyDefinition;
  readonly #environment: ControllerEnvironment;
  readonly #for: AnyResource;
  readonly #queue: PriorityQueue<string>;
  readonly #logger: Logger;
  readonly #context: ContextSettings;
  readonly #onError: (error: ControllerError | ReconcileError) => void;
  readonly #reconcileObject: ReconcileObject;

  constructor(name: string, definition: AnyDefinition, environment: ControllerEnvironment) {
    const { clock, cache, kinds, logger } = environment;
    const { rateLimiter, fieldManager = name } = definition;
    this.name = name;
    this.#definition = definition;
    this.#environment = environment;
    this.#for = watchedResource(definition.for);
    this.#queue = new PriorityQueue<string>({ name, clock, rateLimiter });
    this.#logger = prefixedLogger(logger, `controller ${name}: `);
    const { onError = errorLogger(this.#logger) } = definition;
    this.#onError = guardCallback(`onError of controller ${name}`, onError, logger);
    this.#context = {
      cache,
      kinds,
      clock,
      fieldManager,
      logger: this.#logger,
      recorder: environment.recorder(name),
      resource: this.#for.resource,
      knowledge: {},
    };
    this.#reconcileObject = this.#withFinalizer();
    for (const watched of this.#resources()) {
      kinds.add(watched.resource);
      this.#informerOf(watched);
    }
  }

  /** Reconciles an object soon, whatever has changed. */
  enqueue(request: ReconcileRequest): void {
    this.#queue.add(metaNamespaceKeyFunc(asObject(request)));
  }

  /** Reconciles all objects in the cache, after those that have changed. Returns their number. */
  reconcileAll(): number {
    const keys = this.#informerOf(this.#for).indexer.listKeys();
    for (const key of keys) this.#queue.add(key, { priority: LOW_PRIORITY });
    return keys.length;
  }

  /** Adds the handlers, which fill the queue from now on. */
  watch(): EventHandlerRegistration[] {
    const { owns = [], watches = [] } = this.#definition;
    const queue = this.#queue;
    const { resource: owner } = this.#for;
    return [
      this.#handle(this.#for, (options) => enqueueRequestForObject(queue, options)),
      ...owns.map((owned) =>
        this.#handle(watchedResource(owned), (options) =>
          enqueueRequestForOwner(queue, owner, { ...options, onlyControllerOwner: true }),
        ),
      ),
      ...watches.map((mapped) =>
        this.#handle(mapped, (options) =>
          enqueueRequestsFromMapFunc(queue, (object) => this.#map(mapped, object), options),
        ),
      ),
    ];
  }

  /**
   * Reconciles until the signal aborts. Resolves when no reconcile is in progress, or the grace
   * period is over.
   */
  async work({ signal, gracePeriodMs }: WorkOptions): Promise<void> {
    const { concurrency, timeoutMs, sources = [] } = this.#definition;
    const { clock } = this.#environment;
    const enqueue = (key: string): void => this.#queue.add(key);
    const enqueueAll = (): void => void this.reconcileAll();
    const triggers = sources.map((source) =>
      runSource(source, { signal, clock, enqueue, enqueueAll, onError: this.#onError }),
    );
    await runWorkers(
      this.#queue,
      {
        signal,
        gracePeriodMs,
        clock,
        logger: this.#logger,
        onError: this.#onError,
        workers: concurrency,
        timeoutMs,
      },
      (key, context) => this.#reconcile(key, context),
    );
    await Promise.all(triggers);
  }

  /** Drops what is queued. */
  shutDown(): void {
    this.#queue.shutDown();
  }

  #resources(): AnyResource[] {
    const { owns = [], watches = [] } = this.#definition;
    return [this.#for, ...owns.map((owned) => watchedResource(owned)), ...watches];
  }

  #informerOf({ resource, namespace, labelSelector, fieldSelector, transform }: AnyResource) {
    const options = { namespace, labelSelector, fieldSelector, transform };
    return this.#environment.cache.informer(resource, options);
  }

  #handle(
    watched: AnyResource,
    handlerOf: (options: EnqueueOptions<AnyObject>) => EnqueueHandler<AnyObject>,
  ): EventHandlerRegistration {
    const { resource, predicates, priority } = watched;
    const name = `controller ${this.name} on ${resource.resource}`;
    const handler = handlerOf({ predicates, priority, onError: this.#onError });
    return this.#informerOf(watched).addEventHandler(handler, { name });
  }

  #map({ mapTo }: MappedResource<KubernetesObject>, object: AnyObject): string[] {
    const { cache } = this.#environment;
    return Array.from(mapTo(object, { cache }), (target) => metaNamespaceKeyFunc(asObject(target)));
  }

  async #reconcile(key: string, context: ReconcileContext): Promise<ReconcileResult> {
    const request = splitMetaNamespaceKey(key);
    const object = this.#environment.cache.get(this.#for.resource, request);
    if (object === undefined) return await this.#definition.onDeleted?.(request, context);
    return await this.#reconcileObject(object, context);
  }

  #withFinalizer(): ReconcileObject {
    const { finalizer, reconcile, finalize = () => undefined } = this.#definition;
    const { rest } = this.#environment.cache.client;
    const call =
      (work: AnyDefinition['reconcile']): ReconcileObject =>
      (object, context) =>
        work(object, new ObjectContext(this.#context, object, context));
    if (finalizer === undefined) return call(reconcile);
    return withFinalizer<AnyObject>({
      finalizer,
      client: (namespace): FinalizableClient<AnyObject> =>
        anyClient(rest, this.#for.resource, namespace === '' ? undefined : namespace),
      apply: call(reconcile),
      cleanup: call(finalize),
    });
  }
}

function asObject(
  target: DeepReadonly<KubernetesObject> | ReconcileRequest,
): DeepReadonly<KubernetesObject> {
  if (!('name' in target)) return target;
  const { namespace = '', name } = target;
  return { metadata: { namespace, name } };
}
