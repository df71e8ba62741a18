import type { EventHandlerRegistration } from '../cache/event-handler.ts';
import type { SharedIndexInformer } from '../cache/shared-index-informer.ts';
import { metaNamespaceKeyFunc, splitMetaNamespaceKey } from '../cache/store.ts';
import type { SharedIndexers } from '../informers/informer-factory.ts';
import type { Clientset } from '../kubernetes/clientset.ts';
import { guardCallback } from '../lib/callback.ts';
import type { Clock } from '../lib/clock.ts';
import type { LogEvent } from '../lib/log-events.ts';
import { errorLogger, type Logger, prefixedLogger } from '../lib/logger.ts';
import type { Random } from '../lib/random.ts';
import { KeySlots } from '../lib/key-slots.ts';
import { anySignal } from '../lib/signal.ts';
import type { DeepReadonly, KubernetesObject } from '../meta/types.ts';
import { ReconcileMeter } from '../observe/controller-metrics.ts';
import type { MetricsRegistry } from '../observe/metrics-registry.ts';
import { workqueueMetrics } from '../observe/workqueue-metrics.ts';
import type { EventRecorder } from '../record/event-recorder.ts';
import { getReference } from '../record/reference.ts';
import type { Cached } from '../rest/object-types.ts';
import { LOW_PRIORITY, type PriorityQueue } from '../workqueue/priority-queue.ts';
import {
  type Reconcile,
  type ReconcileContext,
  ReconcileError,
  type ReconcileResult,
} from '../workqueue/reconcile.ts';
import { runWorkers } from '../workqueue/run-workers.ts';
import { AppliedMemory } from './applied-memory.ts';
import { type CachedResource, hasWholeObjects, optionsOf } from './cached-resource.ts';
import { checkDefinition } from './check-definition.ts';
import type { ControllerCache } from './controller-cache.ts';
import { type ContextSettings, ObjectContext } from './controller-context.ts';
import {
  type AnyDefinition,
  cachedResource,
  type MappedResource,
  type ResourceInput,
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
  type KeyQueue,
} from './enqueue.ts';
import { type FinalizableClient, withFinalizer } from './finalizer.ts';
import type { KindRegistry } from './kind-registry.ts';
import { LateChanges } from './late-changes.ts';
import { GuardedQueue } from './loop-guard/guarded-queue.ts';
import type { LoopGuard, LoopGuardOptions } from './loop-guard/loop-guard.ts';
import { reportedGuard } from './loop-guard/reported-guard.ts';
import { objectClient } from './object-writer.ts';
import { OtherKeys } from './other-keys.ts';
import type { ObjectChange, Predicate } from './predicates.ts';
import type { ReconcileRequest } from './reconcile-request.ts';
import type { Sharding } from './sharding.ts';
import { runSource } from './sources.ts';

/** What a controller gets from its manager. */
export interface ControllerEnvironment {
  readonly cache: ControllerCache;
  readonly kinds: KindRegistry;
  readonly clock: Clock;
  readonly random: Random | undefined;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly recorder: (controller: string) => EventRecorder;
  /** The options of the guard, unless a controller has its own; false for none. */
  readonly loopGuard: LoopGuardOptions | false;
  /** Undefined if this process reconciles all keys. */
  readonly sharding: Sharding | undefined;
}

/** An informer of any resource. */
type AnyInformer = SharedIndexInformer<AnyObject, SharedIndexers<AnyObject>>;

type AnyObject = Cached<KubernetesObject>;
type AnyResource = WatchedResource<KubernetesObject>;
type ReconcileObject = (
  object: AnyObject,
  context: ReconcileContext,
) => Promise<ReconcileResult> | ReconcileResult;

/** A resource of a controller with its informers. */
export interface Watch {
  readonly definition: AnyResource;
  /** With the options of its cache. */
  readonly resource: CachedResource;
  readonly isOptional: boolean;
  readonly informers: readonly AnyInformer[];
}

/** Options of {@link ManagedController.work}. */
export interface WorkOptions {
  /** Stops the workers: reconciles in progress finish. */
  readonly signal: AbortSignal;
  /** Stops the workers, too, and aborts the signals of reconciles in progress. */
  readonly cancel?: AbortSignal | undefined;
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
  /** Of `for`, `owns` and `watches`. */
  readonly #for: Watch;
  readonly #owns: readonly Watch[];
  readonly #mapped: readonly Watch[];
  readonly #queue: PriorityQueue<string>;
  readonly #client: Clientset;
  readonly #logger: Logger;
  readonly #context: ContextSettings;
  readonly #onError: (error: ControllerError | ReconcileError) => void;
  readonly #reconcileObject: ReconcileObject;
  readonly #active = new KeySlots<string>();
  readonly #late: LateChanges;
  readonly #guard: LoopGuard | undefined;
  /** Keys of the shards of other replicas. */
  readonly #others: OtherKeys;

  constructor(name: string, definition: AnyDefinition, environment: ControllerEnvironment) {
    const { clock, cache, logger, metrics } = environment;
    checkDefinition(name, definition);
    const { rateLimiter } = definition;
    this.name = name;
    this.#definition = definition;
    this.#environment = environment;
    this.#client = cache.clientFor(name);
    this.#logger = prefixedLogger(logger, `controller ${name}: `, { controller: name });
    const { onError = errorLogger(this.#logger, failureEvent) } = definition;
    this.#onError = guardCallback(`onError of controller ${name}`, onError, logger);
    const late = { cache, clock, logger: this.#logger, onError: this.#onError };
    this.#late = new LateChanges(late);
    const acquire = (input: ResourceInput<KubernetesObject>): Watch => this.#acquire(input);
    this.#for = acquire(definition.for);
    this.#owns = (definition.owns ?? []).map(acquire);
    this.#mapped = (definition.watches ?? []).map(acquire);
    const queueMetrics = workqueueMetrics(metrics);
    const waitMs = (key: string): number => this.#guard?.waitMs(key) ?? 0;
    const queueOptions = { name, clock, rateLimiter, metrics: queueMetrics, waitMs };
    this.#queue = new GuardedQueue(queueOptions);
    this.#guard = this.#makeGuard();
    this.#others = new OtherKeys(clock, environment.sharding?.handOverMs ?? Infinity);
    this.#context = this.#contextSettings();
    this.#reconcileObject = this.#withFinalizer();
  }

  /** The resources of the controller and their informers. */
  get watches(): readonly Watch[] {
    return [this.#for, ...this.#owns, ...this.#mapped];
  }

  /** The keys of the objects that are being reconciled. */
  get active(): readonly string[] {
    return this.#active.listKeys();
  }

  /** Reconciles an object soon, whatever has changed. */
  enqueue(request: ReconcileRequest): void {
    this.#call(metaNamespaceKeyFunc(asObject(request)));
  }

  /** Reconciles all objects in the cache, after those that have changed. Returns their number. */
  reconcileAll(): number {
    const keys = this.#for.informers.flatMap(({ indexer }) => indexer.listKeys());
    for (const key of keys) this.#call(key, LOW_PRIORITY);
    return keys.length;
  }

  /** Reconciles all objects of shards that this process has acquired, and what changed meanwhile. */
  shardsStarted(shards: ReadonlySet<number>): void {
    const { sharding } = this.#environment;
    const isIn = (key: string): boolean =>
      sharding !== undefined && shards.has(sharding.shardOf(this.name, key));
    for (const key of this.#others.take(isIn)) this.#call(key);
    for (const { indexer } of this.#for.informers) {
      const keys = indexer.listKeys().filter(isIn);
      for (const key of keys) this.#call(key, LOW_PRIORITY);
    }
  }

  /** Adds the handlers, which fill the queue from now on. */
  watch(): EventHandlerRegistration[] {
    const owner = this.#for.resource;
    return [
      this.#handle(this.#for, (queue, options) => enqueueRequestForObject(queue, options)),
      ...this.#owns.map((owned) =>
        this.#handle(owned, (queue, options) =>
          enqueueRequestForOwner(queue, owner, { ...options, onlyControllerOwner: true }),
        ),
      ),
      ...this.#mapped.map((mapped) =>
        this.#handle(mapped, (queue, options) =>
          enqueueRequestsFromMapFunc(queue, (object) => this.#map(mapped, object), options),
        ),
      ),
    ].flat();
  }

  /** Reconciles until the signal aborts. Resolves when no reconcile is in progress. */
  async work({ signal, cancel, gracePeriodMs }: WorkOptions): Promise<void> {
    const { concurrency: workers, timeoutMs, sources = [] } = this.#definition;
    const { clock, random, metrics } = this.#environment;
    const onError = this.#onError;
    const meter = new ReconcileMeter(metrics, { controller: this.name, workers, clock });
    const reconcile = this.#sharded((key, context) => this.#reconcile(key, context, meter));
    const enqueue = (key: string): void => this.#call(key);
    const enqueueAll = (): void => void this.reconcileAll();
    const triggers = sources.map((source) =>
      runSource(source, { signal, clock, random, enqueue, enqueueAll, onError }),
    );
    const options = { signal, cancel, gracePeriodMs, clock, onError, workers, timeoutMs };
    await runWorkers(this.#queue, { ...options, logger: this.#logger }, reconcile);
    await Promise.all(triggers);
  }

  /** Handles the changes that could not be mapped before all caches had synced. */
  synced(): void {
    this.#late.start();
  }

  /** Drops what is queued. */
  shutDown(): void {
    this.#late.stop();
    this.#guard?.stop();
    this.#queue.shutDown();
  }

  /** Enqueues a key for another reason than a change in the cluster. */
  #call(key: string, priority?: number): void {
    if (this.#isOfOthers(key)) return;
    this.#guard?.called(key);
    this.#queue.add(key, { priority });
  }

  /** Returns true, and remembers the key for a while, if another replica reconciles it. */
  #isOfOthers(key: string): boolean {
    if (this.#environment.sharding?.isActive(this.name, key) !== false) return false;
    this.#others.add(key);
    return true;
  }

  /** Reconciles only what this process holds, which may have changed since the key was enqueued. */
  #sharded(reconcile: Reconcile<string>): Reconcile<string> {
    const { sharding } = this.#environment;
    if (sharding === undefined) return reconcile;
    return async (key, context) => {
      let isStarted = false;
      const result = await sharding.within(this.name, key, async (moving) => {
        isStarted = true;
        using either = anySignal([context.signal, moving]);
        return await reconcile(key, { ...context, signal: either.signal });
      });
      if (!isStarted) this.#others.add(key);
      return result;
    };
  }

  #acquire(input: ResourceInput<KubernetesObject>): Watch {
    const { cache, kinds } = this.#environment;
    const definition = watchedResource(input);
    const resource = cachedResource(definition);
    kinds.add(definition.resource);
    const informers = cache.informers(resource);
    return { definition, resource, isOptional: definition.optional === true, informers };
  }

  #handle(
    { definition, resource, informers }: Watch,
    handlerOf: (
      queue: KeyQueue<string>,
      options: EnqueueOptions<AnyObject>,
    ) => EnqueueHandler<AnyObject>,
  ): EventHandlerRegistration[] {
    const { predicates = [], priority } = definition;
    const { cache } = this.#environment;
    const isForeign: Predicate<AnyObject> = ({ type, object }) =>
      type === 'delete' || !cache.isOwnEvent(resource, object, this.name);
    // Handlers are synchronous: these are of the change that is handled.
    let current: ObjectChange<AnyObject> | undefined;
    const note: Predicate<AnyObject> = (change) => {
      current = change;
      return true;
    };
    const skip = this.#definition.ownEvents === 'skip' ? [isForeign] : [];
    const all = [...skip, ...predicates, note];
    const queue: KeyQueue<string> = {
      add: (key, options) => {
        if (this.#isOfOthers(key)) return;
        if (current !== undefined) this.#guard?.changed(key, resource, current);
        this.#queue.add(key, options);
      },
    };
    const direct = handlerOf(queue, { predicates: all, priority, onError: this.#late.report });
    const onDelete = (object: Parameters<typeof direct.onDelete>[0]): void => {
      // The only change that may enqueue without having passed `note`.
      current = undefined;
      direct.onDelete(object);
    };
    const late = this.#late;
    const handler: EnqueueHandler<AnyObject> = {
      onAdd: (object, isInInitialList) => late.handle(direct.onAdd, object, isInInitialList),
      onUpdate: (oldObject, object) => late.handle(direct.onUpdate, oldObject, object),
      onDelete: (object) => late.handle(onDelete, object, undefined),
    };
    const name = `controller ${this.name} on ${resource.resource}`;
    return informers.map((informer) => informer.addEventHandler(handler, { name }));
  }

  #map({ definition }: Watch, object: AnyObject): string[] {
    const { cache } = this.#environment;
    const { mapTo } = definition as MappedResource<KubernetesObject>;
    // Not `Array.from`, for which a promise is an empty list.
    return [...mapTo(object, { cache })].map((target) => metaNamespaceKeyFunc(asObject(target)));
  }

  async #reconcile(
    key: string,
    context: ReconcileContext,
    meter: ReconcileMeter,
  ): Promise<ReconcileResult> {
    const { cache } = this.#environment;
    let result: ReconcileResult;
    const startedAt = meter.started();
    const active = this.#active.findOrAdd(key);
    this.#guard?.started(key);
    try {
      // Never on a cache that is behind an own write.
      if (!cache.isSettled) await cache.settled(context);
      const object = cache.getByKey(this.#for.resource, key);
      result =
        object === undefined
          ? await this.#definition.onDeleted?.(splitMetaNamespaceKey(key), context)
          : await this.#reconcileObject(object, context);
      meter.succeeded(result);
      return result;
    } catch (error) {
      meter.failed(error, context.signal);
      throw error;
    } finally {
      this.#guard?.ended(key, result);
      this.#active.remove(active);
      meter.ended(startedAt);
    }
  }

  #makeGuard(): LoopGuard | undefined {
    const { cache, clock, metrics, recorder, loopGuard } = this.#environment;
    const options = this.#definition.loopGuard ?? loopGuard;
    if (options === false) return undefined;
    const { resource } = this.#for;
    return reportedGuard({
      controller: this.name,
      fieldManager: this.#fieldManager,
      options,
      clock,
      logger: this.#logger,
      metrics,
      recorder: recorder(this.name),
      subjectOf: (key) => {
        const object = cache.get(resource, splitMetaNamespaceKey(key));
        return object && getReference(object, { descriptor: resource });
      },
    });
  }

  get #fieldManager(): string {
    return this.#definition.fieldManager ?? this.name;
  }

  /** Returns the client of one reconcile, whose writes the guard sees. */
  #clientOf(key: string): Clientset {
    if (this.#guard === undefined) return this.#client;
    return this.#environment.cache.clientFor(this.name, this.#guard.listener(key));
  }

  #contextSettings(): ContextSettings {
    const { cache, kinds, clock, random, recorder } = this.#environment;
    return {
      cache,
      kinds,
      clock,
      random,
      clientOf: (key) => this.#clientOf(key),
      logger: this.#logger,
      recorder: recorder(this.name),
      fieldManager: this.#fieldManager,
      resource: this.#for.resource,
      knowledge: {},
      memory: new AppliedMemory(),
      readable: (resource) => {
        const isSame = (watch: Watch): boolean =>
          watch.resource.resource === resource.resource &&
          watch.resource.group === resource.group &&
          hasWholeObjects(watch.resource);
        const own = [...this.#owns, this.#for, ...this.#mapped].find(isSame);
        return optionsOf(resource) === undefined && own !== undefined ? own.resource : resource;
      },
    };
  }

  #withFinalizer(): ReconcileObject {
    const { finalizer, reconcile, finalize = () => undefined } = this.#definition;
    const call =
      (work: AnyDefinition['reconcile']): ReconcileObject =>
      (object, context) =>
        work(object, new ObjectContext(this.#context, object, context));
    if (finalizer === undefined) return call(reconcile);
    return withFinalizer<AnyObject>({
      finalizer,
      client: (namespace, name): FinalizableClient<AnyObject> => {
        const key = metaNamespaceKeyFunc({ metadata: { namespace, name } });
        return objectClient(this.#clientOf(key), this.#for.resource, namespace);
      },
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

function failureEvent(error: ControllerError | ReconcileError): LogEvent {
  return error instanceof ReconcileError ? 'reconcile.failed' : 'controller.failed';
}
