import { metaNamespaceKeyFunc } from '../cache/store.ts';
import type { Clientset } from '../kubernetes/clientset.ts';
import type { Clock } from '../lib/clock.ts';
import { type Logger, prefixedLogger } from '../lib/logger.ts';
import type { Random } from '../lib/random.ts';
import type { ResourceDescriptor } from '../meta/resource.ts';
import type { DeepReadonly, KubernetesObject } from '../meta/types.ts';
import type { EventRecorder, EventType } from '../record/event-recorder.ts';
import { getReference } from '../record/reference.ts';
import type { Cached } from '../rest/object-types.ts';
import type { Mutate } from '../wait/upsert.ts';
import type { ReconcileContext } from '../workqueue/reconcile.ts';
import type { AppliedMemory } from './applied-memory.ts';
import type { KindRegistry } from './kind-registry.ts';
import type { CachedResource } from './cached-resource.ts';
import type { ControllerCache } from './controller-cache.ts';
import {
  type ApplyChildOptions,
  type ApplyFunc,
  type ChildOptions,
  type CreateFunc,
  type CreateOrUpdateFunc,
  ObjectWriter,
} from './object-writer.ts';
import {
  type SetConditionFunc,
  type StatusFunc,
  type StatusKnowledge,
  StatusWriter,
} from './status-writer.ts';

/** The second argument of `reconcile` and `finalize`. Its functions may be taken out of it. */
export interface ControllerContext<T extends KubernetesObject> extends ReconcileContext {
  /** `namespace/name`, or `name` of a cluster-scoped object. */
  readonly key: string;
  /** Asks the server. Its writes are fenced by the lease and seen by the cache. */
  readonly client: Clientset;
  /** Reads from memory, and sees the writes of `client`. */
  readonly cache: ControllerCache;
  readonly apply: ApplyFunc;
  readonly create: CreateFunc;
  readonly createOrUpdate: CreateOrUpdateFunc;
  readonly status: StatusFunc<T>;
  readonly setCondition: SetConditionFunc<T>;
  /** Records an event about the object. Never waits and never throws. */
  readonly event: (type: EventType, reason: string, message: string) => void;
  /** Logs with the name of the controller and the key. */
  readonly log: Logger;
}

/** The arguments of the functions that write objects: the resource or the object first. */
type WriteArguments = readonly [
  first: DeepReadonly<KubernetesObject> | ResourceDescriptor,
  ...rest: unknown[],
];

/** What all reconciles of a controller share. */
export interface ContextSettings {
  /** Returns the client of the reconcile of a key. */
  readonly clientOf: (key: string) => Clientset;
  /** Returns the descriptor by which objects of a resource are read from the cache. */
  readonly readable: (resource: ResourceDescriptor) => CachedResource;
  readonly cache: ControllerCache;
  readonly kinds: KindRegistry;
  readonly clock: Clock;
  readonly random: Random | undefined;
  readonly logger: Logger;
  readonly recorder: EventRecorder;
  readonly fieldManager: string;
  readonly resource: CachedResource;
  readonly knowledge: StatusKnowledge;
  readonly memory: AppliedMemory;
}

/** The context of one reconcile. Parts that are not used cost nothing. */
export class ObjectContext implements ControllerContext<KubernetesObject> {
  readonly signal: AbortSignal;
  readonly attempt: number;
  readonly #settings: ContextSettings;
  readonly #object: Cached<KubernetesObject>;
  #client: Clientset | undefined;
  #writer: ObjectWriter | undefined;
  #status: StatusWriter | undefined;

  constructor(
    settings: ContextSettings,
    object: Cached<KubernetesObject>,
    { signal, attempt }: ReconcileContext,
  ) {
    this.#settings = settings;
    this.#object = object;
    this.signal = signal;
    this.attempt = attempt;
  }

  get key(): string {
    return metaNamespaceKeyFunc(this.#object);
  }

  get cache(): ControllerCache {
    return this.#settings.cache;
  }

  get client(): Clientset {
    this.#client ??= this.#settings.clientOf(this.key);
    return this.#client;
  }

  get log(): Logger {
    return prefixedLogger(this.#settings.logger, `${this.key}: `, { key: this.key });
  }

  get event(): ControllerContext<KubernetesObject>['event'] {
    const { recorder, resource: descriptor } = this.#settings;
    return (type, reason, message) =>
      recorder.event(getReference(this.#object, { descriptor }), type, reason, message);
  }

  get apply(): ApplyFunc {
    return (...values: WriteArguments) =>
      this.#write(values, (resource, object, [options]) =>
        this.#objects.apply(resource, object, options as ApplyChildOptions | undefined),
      );
  }

  get create(): CreateFunc {
    return (...values: WriteArguments) =>
      this.#write(values, (resource, object, [options]) =>
        this.#objects.create(resource, object, options as ChildOptions | undefined),
      );
  }

  get createOrUpdate(): CreateOrUpdateFunc {
    return (...values: WriteArguments) =>
      this.#write(values, (resource, object, [mutate, options]) =>
        this.#objects.createOrUpdate(
          resource,
          object,
          mutate as Mutate<KubernetesObject>,
          options as ChildOptions | undefined,
        ),
      );
  }

  get status(): StatusFunc<KubernetesObject> {
    return (change) => this.#statusWriter.write(change);
  }

  get setCondition(): SetConditionFunc<KubernetesObject> {
    return (...conditions) => this.#statusWriter.write({ conditions });
  }

  /** Calls `write` with the resource of the object, which is the first argument or follows from its kind. */
  async #write<R>(
    [first, ...rest]: WriteArguments,
    write: (
      resource: ResourceDescriptor,
      object: KubernetesObject,
      rest: readonly unknown[],
    ) => Promise<R>,
  ): Promise<R> {
    if ('resource' in first && 'scope' in first) {
      const [object, ...others] = rest;
      return await write(first, object as KubernetesObject, others);
    }
    const resource = await this.#settings.kinds.find(first, { signal: this.signal });
    return await write(resource, first as KubernetesObject, rest);
  }

  get #objects(): ObjectWriter {
    const { resource, ...settings } = this.#settings;
    const { signal, client } = this;
    const about = { signal, client, owner: this.#object, ownerResource: resource };
    this.#writer ??= new ObjectWriter({ ...settings, ...about });
    return this.#writer;
  }

  get #statusWriter(): StatusWriter {
    const { signal, client } = this;
    const about = { signal, client, object: this.#object };
    this.#status ??= new StatusWriter({ ...this.#settings, ...about });
    return this.#status;
  }
}
