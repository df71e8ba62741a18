import { metaNamespaceKeyFunc } from '../cache/store.ts';
import { mutableCopy } from '../codec/mutable-copy.ts';
import type { Clientset } from '../kubernetes/clientset.ts';
import type { Clock } from '../lib/clock.ts';
import { jsonEqual } from '../lib/json.ts';
import type { Random } from '../lib/random.ts';
import { isAlreadyExists } from '../meta/error-guards.ts';
import { getControllerOf, isControlledBy, nameOf, namespaceOf } from '../meta/object.ts';
import { groupResourceName, type ResourceDescriptor } from '../meta/resource.ts';
import type { DeepReadonly, KubernetesObject } from '../meta/types.ts';
import { extractApplied } from '../rest/extract-applied.ts';
import type { GenericClient } from '../rest/generic-client.ts';
import type { ApplyConfiguration, Cached, Stored } from '../rest/object-types.ts';
import type { WriteOptions } from '../rest/options.ts';
import { anyClient } from '../rest/resource-client.ts';
import { createOrUpdate, type Mutate } from '../wait/upsert.ts';
import type { AppliedMemory } from './applied-memory.ts';
import { ControllerError } from './controller-error.ts';
import type { KindRegistry } from './kind-registry.ts';
import type { CachedResource } from './cached-resource.ts';
import type { ControllerCache } from './controller-cache.ts';
import { setControllerReference } from './set-controller-reference.ts';

/** Options of writes in a reconcile. */
export interface ChildOptions extends Pick<WriteOptions, 'dryRun' | 'fieldValidation'> {
  /**
   * Makes the reconciled object the controller of the written one. Default: true, unless it is the
   * object itself or an object that it cannot own, because that is in another namespace or in none.
   */
  readonly owner?: boolean | undefined;
}

/** Options of `apply`. */
export interface ApplyChildOptions extends ChildOptions {
  /**
   * Takes over fields of other managers. With false, they are a conflict, which names the manager.
   * Default true, as Kubernetes recommends for controllers.
   */
  readonly force?: boolean | undefined;
}

/** The result of `apply` and `createOrUpdate`. Nothing was sent if the outcome is `unchanged`. */
export interface Written<T extends KubernetesObject, Outcome extends string> {
  readonly outcome: Outcome;
  readonly object: Cached<T>;
}

/** The object of a type, or the part of it to apply. */
export type Applicable<T extends KubernetesObject> = ApplyConfiguration<T> | DeepReadonly<T> | T;

/**
 * Applies an object on the server: sets its fields and owns them. The kind is given by the resource,
 * or by `apiVersion` and `kind` of the object. Nothing is sent if the cache shows that this
 * controller already owns exactly these fields, with these values, or those that the same apply left.
 */
export interface ApplyFunc {
  <T extends KubernetesObject>(
    resource: ResourceDescriptor<T>,
    object: Applicable<NoInfer<T>>,
    options?: ApplyChildOptions,
  ): Promise<Written<T, 'applied' | 'unchanged'>>;
  <T extends KubernetesObject>(
    object: T,
    options?: ApplyChildOptions,
  ): Promise<Written<T, 'applied' | 'unchanged'>>;
}

/**
 * Creates an object, by its resource or its own `apiVersion` and `kind`. If it exists and the
 * reconciled object controls it, returns the existing one.
 */
export interface CreateFunc {
  <T extends KubernetesObject>(
    resource: ResourceDescriptor<T>,
    object: NoInfer<T>,
    options?: ChildOptions,
  ): Promise<Cached<T>>;
  <T extends KubernetesObject>(object: T, options?: ChildOptions): Promise<Cached<T>>;
}

/**
 * Creates an object, or changes the existing one with `mutate`, which gets a copy of it. The kind is
 * given by the resource, or by `apiVersion` and `kind` of the object. Nothing is sent if `mutate`
 * changes nothing in the cached object. After a conflict it runs again.
 */
export interface CreateOrUpdateFunc {
  <T extends KubernetesObject>(
    resource: ResourceDescriptor<T>,
    object: NoInfer<T>,
    mutate: Mutate<NoInfer<T>>,
    options?: ChildOptions,
  ): Promise<Written<T, 'created' | 'unchanged' | 'updated'>>;
  <T extends KubernetesObject>(
    object: T,
    mutate: Mutate<NoInfer<T>>,
    options?: ChildOptions,
  ): Promise<Written<T, 'created' | 'unchanged' | 'updated'>>;
}

/** What an {@link ObjectWriter} writes for. */
export interface WriterContext {
  readonly client: Clientset;
  readonly readable: (resource: ResourceDescriptor) => CachedResource;
  readonly cache: ControllerCache;
  readonly kinds: KindRegistry;
  readonly clock: Clock;
  readonly random: Random | undefined;
  readonly fieldManager: string;
  readonly signal: AbortSignal;
  readonly memory: AppliedMemory;
  /** The reconciled object and its resource. */
  readonly owner: Cached<KubernetesObject>;
  readonly ownerResource: ResourceDescriptor;
}

/** The writes of one reconcile to objects that belong to the reconciled one. */
export class ObjectWriter {
  readonly #context: WriterContext;

  constructor(context: WriterContext) {
    this.#context = context;
  }

  async apply(
    resource: ResourceDescriptor,
    object: DeepReadonly<KubernetesObject>,
    { owner, force = true, ...options }: ApplyChildOptions = {},
  ): Promise<Written<KubernetesObject, 'applied' | 'unchanged'>> {
    const { fieldManager, signal, memory } = this.#context;
    const wanted = this.#owned(resource, object, owner);
    const fields = withoutKind(wanted);
    const key = `${groupResourceName(resource)} ${metaNamespaceKeyFunc(wanted)}`;
    const cached = this.#cached(resource, wanted);
    if (cached !== undefined) {
      this.#checkController(resource, wanted, cached);
      const own = ownFields(cached, fieldManager);
      const isApplied = jsonEqual(own, fields) || memory.isSame(key, fields, own);
      if (isApplied) return { outcome: 'unchanged', object: cached };
    }
    const write = { ...options, fieldManager, force, signal };
    const configuration = wanted as ApplyConfiguration<KubernetesObject>;
    const applied = await this.#client(resource, wanted).apply(configuration, write);
    if (options.dryRun !== true) memory.remember(key, fields, ownFields(applied, fieldManager));
    return { outcome: 'applied', object: applied };
  }

  async create(
    resource: ResourceDescriptor,
    object: KubernetesObject,
    { owner, ...options }: ChildOptions = {},
  ): Promise<Cached<KubernetesObject>> {
    const { fieldManager, signal } = this.#context;
    const wanted = this.#owned(resource, object, owner);
    const client = this.#client(resource, wanted);
    try {
      return await client.create(wanted, { ...options, fieldManager, signal });
    } catch (error) {
      const name = nameOf(wanted);
      if (!isAlreadyExists(error) || name === '') throw error;
      const existing: Stored<KubernetesObject> = await client.get(name, { signal });
      if (!isControlledBy(existing, this.#context.owner)) throw error;
      return existing;
    }
  }

  async createOrUpdate(
    resource: ResourceDescriptor,
    object: KubernetesObject,
    mutate: Mutate<KubernetesObject>,
    { owner, ...options }: ChildOptions = {},
  ): Promise<Written<KubernetesObject, 'created' | 'unchanged' | 'updated'>> {
    const { fieldManager, signal, clock, random } = this.#context;
    const wanted = this.#owned(resource, object, owner);
    const change = async (current: KubernetesObject): Promise<KubernetesObject> =>
      this.#owned(resource, (await mutate(current)) ?? current, owner);
    const cached = this.#cached(resource, wanted);
    if (cached !== undefined) {
      const changed = await change(mutableCopy(cached));
      if (jsonEqual(cached, changed)) return { outcome: 'unchanged', object: cached };
    }
    const client = this.#client(resource, wanted);
    const retries = { clock, random, ...options };
    return await createOrUpdate(client, wanted, change, { ...retries, fieldManager, signal });
  }

  /** Returns a copy of the object with its namespace and, if it can have one, its owner. */
  #owned(
    resource: ResourceDescriptor,
    object: DeepReadonly<KubernetesObject>,
    wanted: boolean | undefined,
  ): KubernetesObject {
    const { owner, ownerResource } = this.#context;
    const ownerNamespace = namespaceOf(owner);
    const namespace = resource.scope === 'Namespaced' ? namespaceOf(object) || ownerNamespace : '';
    const copy = {
      ...(object as KubernetesObject),
      metadata: { ...(object.metadata as object), ...(namespace !== '' && { namespace }) },
    };
    const isSelf =
      resource.kind === ownerResource.kind &&
      resource.group === ownerResource.group &&
      nameOf(object) === nameOf(owner) &&
      namespace === ownerNamespace;
    const canOwn = ownerNamespace === '' || ownerNamespace === namespace;
    if (!(wanted ?? (canOwn && !isSelf))) return copy;
    return setControllerReference(owner, copy, ownerResource);
  }

  #cached(
    resource: ResourceDescriptor,
    object: DeepReadonly<KubernetesObject>,
  ): Cached<KubernetesObject> | undefined {
    const name = nameOf(object);
    if (name === '') return undefined;
    const { cache, readable } = this.#context;
    try {
      return cache.get(readable(resource), { namespace: namespaceOf(object), name });
    } catch (error) {
      // Without a cache the server decides.
      if (error instanceof ControllerError) return undefined;
      throw error;
    }
  }

  #checkController(
    resource: ResourceDescriptor,
    wanted: DeepReadonly<KubernetesObject>,
    cached: Cached<KubernetesObject>,
  ): void {
    const controller = getControllerOf(cached);
    if (getControllerOf(wanted) === undefined || controller === undefined) return;
    if (isControlledBy(cached, this.#context.owner)) return;
    throw new ControllerError(
      'CONTROLLER_OWNER_CONFLICT',
      `${resource.kind} ${nameOf(wanted)} is controlled by ${controller.kind} ${controller.name} (uid ${controller.uid})`,
    );
  }

  #client(
    resource: ResourceDescriptor,
    object: DeepReadonly<KubernetesObject>,
  ): GenericClient<KubernetesObject> {
    return objectClient(this.#context.client, resource, namespaceOf(object));
  }
}

/** Returns the client of the objects in a namespace; an empty one for cluster-scoped objects. */
export function objectClient(
  { rest }: Clientset,
  resource: ResourceDescriptor,
  namespace: string,
): GenericClient<KubernetesObject> {
  return anyClient(rest, resource, namespace === '' ? undefined : namespace);
}

/** Returns the fields that the manager has applied, with their current values. */
function ownFields(object: Cached<KubernetesObject>, fieldManager: string): object {
  return withoutKind(extractApplied(object as KubernetesObject, fieldManager) as KubernetesObject);
}

/** A cached object may lack its kind, and so may the wanted one. */
function withoutKind({ apiVersion: _, kind: __, ...fields }: KubernetesObject): object {
  return fields;
}
