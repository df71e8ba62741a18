import type { Clientset } from '../kubernetes/clientset.ts';
import type { Clock } from '../lib/clock.ts';
import { getKey, type JsonObject, jsonEqual } from '../lib/json.ts';
import type { Logger } from '../lib/logger.ts';
import type { Random } from '../lib/random.ts';
import { type NewCondition, setStatusCondition, type StatusCondition } from '../meta/conditions.ts';
import { isNotFound } from '../meta/error-guards.ts';
import { nameOf, namespaceOf } from '../meta/object.ts';
import { createMergePatch } from '../meta/patch.ts';
import type { WholeOf } from '../meta/projection.ts';
import { compareResourceVersions, isResourceVersion } from '../meta/resource-version.ts';
import type { Condition, DeepReadonly, KubernetesObject } from '../meta/types.ts';
import type { GenericClient } from '../rest/generic-client.ts';
import type { Cached, MergePatch } from '../rest/object-types.ts';
import { retryOnConflict } from '../wait/retry.ts';
import { type CachedResource, hasWholeObjects } from './cached-resource.ts';
import type { ControllerCache } from './controller-cache.ts';
import { objectClient } from './object-writer.ts';

/** The type of the status of an object. */
export type StatusOf<T> =
  WholeOf<T> extends { status?: infer S } ? NonNullable<S> : Record<string, unknown>;

type ConditionOf<S> = S extends { conditions?: (infer C)[] | undefined }
  ? C extends StatusCondition
    ? C
    : Condition
  : Condition;

/**
 * Fields of a status to set. Conditions are merged by type: `lastTransitionTime` moves only with the
 * status, `observedGeneration` is the generation of the object. Other lists and objects are replaced;
 * undefined removes a field.
 */
export type StatusFields<S> = {
  readonly [Key in keyof S as Key extends 'conditions' ? never : Key]?:
    | DeepReadonly<S[Key]>
    | undefined;
} & { readonly conditions?: readonly NewCondition<ConditionOf<S>>[] | undefined };

/**
 * Writes the status of the reconciled object: fields to set, or a function from the current status to
 * the new one. Nothing is sent if nothing changes. After a conflict it is computed again from the
 * stored status. A status without `observedGeneration` gets the generation of the object, if the kind
 * has that field.
 */
export type StatusFunc<T extends KubernetesObject> = (
  change:
    | StatusFields<StatusOf<T>>
    | ((status: DeepReadonly<Partial<StatusOf<T>>>) => DeepReadonly<StatusOf<T>>),
) => Promise<void>;

/** Sets one or several conditions of the reconciled object, by the rules of `StatusFunc`. */
export type SetConditionFunc<T extends KubernetesObject> = (
  ...conditions: readonly NewCondition<ConditionOf<StatusOf<T>>>[]
) => Promise<void>;

/** A status as it is handled here; the compiler checks its type where it is declared. */
type AnyStatus = Readonly<Record<string, unknown>>;
type AnyChange = AnyStatus | ((status: AnyStatus) => AnyStatus);

/**
 * Whether the kind of a controller has `observedGeneration`: false if the server drops it, undefined
 * until a write has shown it.
 */
export interface StatusKnowledge {
  inStatus?: boolean;
  inConditions?: boolean;
}

/** What a {@link StatusWriter} writes to. */
export interface StatusContext {
  readonly client: Clientset;
  readonly cache: ControllerCache;
  readonly clock: Clock;
  readonly random: Random | undefined;
  readonly logger: Logger;
  readonly fieldManager: string;
  readonly signal: AbortSignal;
  readonly object: Cached<KubernetesObject>;
  readonly resource: CachedResource;
  readonly knowledge: StatusKnowledge;
}

/** Writes the status of one object during one reconcile. */
export class StatusWriter {
  readonly #context: StatusContext;
  /** The newest state that this reconcile has read or written. */
  #newest: Cached<KubernetesObject>;

  constructor(context: StatusContext) {
    this.#context = context;
    this.#newest = context.object;
  }

  async write(change: AnyChange): Promise<void> {
    const { signal, clock, random, object, resource } = this.#context;
    // A cache of some fields may not have all of the status.
    let isRetry = !hasWholeObjects(resource);
    await retryOnConflict(
      async () => {
        const current = isRetry ? await this.#read() : this.#current();
        isRetry = true;
        // Deleted, or replaced by another object of the name: there is no status to write.
        if (current === undefined || current.metadata.uid !== object.metadata.uid) return;
        await this.#send(current, this.#changed(current, change));
      },
      { signal, clock, random },
    );
  }

  /** The newest of the cached state and what this reconcile has written. */
  #current(): Cached<KubernetesObject> {
    const { cache, resource } = this.#context;
    const [name, namespace] = [nameOf(this.#newest), namespaceOf(this.#newest)];
    const cached = cache.get(resource, { namespace, name });
    const isNewer =
      cached !== undefined &&
      isResourceVersion(cached.metadata.resourceVersion) &&
      compareResourceVersions(
        cached.metadata.resourceVersion,
        this.#newest.metadata.resourceVersion,
      ) > 0;
    return isNewer ? cached : this.#newest;
  }

  async #read(): Promise<Cached<KubernetesObject> | undefined> {
    const { signal, object } = this.#context;
    try {
      return await this.#client().get(nameOf(object), { signal });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  #changed(current: Cached<KubernetesObject>, change: AnyChange): AnyStatus {
    const before = statusOf(current);
    const { generation } = current.metadata;
    const after =
      typeof change === 'function' ? change(before) : this.#merged(before, change, generation);
    const isGiven =
      typeof change === 'function'
        ? after['observedGeneration'] !== before['observedGeneration']
        : 'observedGeneration' in change;
    const { inStatus } = this.#context.knowledge;
    if (isGiven || inStatus === false || generation === undefined) return after;
    return { ...after, observedGeneration: generation };
  }

  #merged(before: AnyStatus, fields: AnyStatus, generation: number | undefined): AnyStatus {
    const { conditions: wanted = [], ...rest } = fields as {
      readonly conditions?: readonly NewCondition[] | undefined;
    };
    const present = before['conditions'] as readonly Condition[] | undefined;
    const { clock, knowledge } = this.#context;
    const isKept = generation !== undefined && knowledge.inConditions !== false;
    const observed = isKept ? { observedGeneration: generation } : {};
    const conditions = wanted.reduce(
      (all, condition) => setStatusCondition(all, { ...observed, ...condition }, { clock }),
      present ?? [],
    );
    return { ...before, ...rest, ...(conditions.length > 0 && { conditions }) };
  }

  async #send(current: Cached<KubernetesObject>, after: AnyStatus): Promise<void> {
    const before = statusOf(current);
    if (jsonEqual(before, after)) return;
    this.#learn(before, before);
    const isTrial = this.#isTrial(after);
    const { fieldManager, signal, resource } = this.#context;
    const status = createMergePatch(before as JsonObject, after as JsonObject);
    const { resourceVersion } = current.metadata;
    const patch = { metadata: { resourceVersion }, status } as MergePatch<KubernetesObject>;
    const hasSubresource = resource.subresources.some(({ name }) => name === 'status');
    try {
      const stored = await this.#client().patch(nameOf(current), patch, {
        type: 'merge',
        fieldManager,
        signal,
        ...(hasSubresource && { subresource: 'status' }),
        // Otherwise the server warns about a kind without `observedGeneration`.
        ...(isTrial && { fieldValidation: 'Ignore' }),
      });
      this.#newest = stored;
      this.#learn(after, statusOf(stored));
      if (isTrial) this.#reportDropped(after, statusOf(stored));
    } catch (error) {
      // Either the object is gone, or its kind has no such subresource.
      if (!isNotFound(error) || (await this.#read()) !== undefined) throw error;
    }
  }

  /** True if it is not known whether the kind has all places of `observedGeneration` that are sent. */
  #isTrial(sent: AnyStatus): boolean {
    const { inStatus, inConditions } = this.#context.knowledge;
    return (
      (inStatus === undefined && isObserved(sent)) ||
      (inConditions === undefined && conditionsOf(sent).some(isObserved))
    );
  }

  /** Reports what the server would have warned about. */
  #reportDropped(sent: AnyStatus, stored: AnyStatus): void {
    const { logger, resource } = this.#context;
    for (const [name, value] of Object.entries(sent)) {
      if (name === 'observedGeneration' || isEmpty(value)) continue;
      if (getKey(stored, name) !== undefined) continue;
      const message = `unknown field "status.${name}" of ${resource.kind}: the server has dropped it`;
      logger.warn(message, { event: 'status.dropped', field: name });
    }
  }

  /** Compares what was sent with what is stored. */
  #learn(sent: AnyStatus, stored: AnyStatus): void {
    const { knowledge } = this.#context;
    if (isObserved(sent)) knowledge.inStatus ??= isObserved(stored);
    if (conditionsOf(sent).some(isObserved)) {
      knowledge.inConditions ??= conditionsOf(stored).some(isObserved);
    }
  }

  #client(): GenericClient<KubernetesObject> {
    const { client, resource, object } = this.#context;
    return objectClient(client, resource, namespaceOf(object));
  }
}

function statusOf(object: Cached<KubernetesObject>): AnyStatus {
  const { status } = object as { readonly status?: AnyStatus | null | undefined };
  return status ?? {};
}

/** True for what servers may leave out of built-in kinds. */
function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === 0 || value === false || value === '';
}

function conditionsOf(status: AnyStatus): readonly AnyStatus[] {
  return (status['conditions'] as readonly AnyStatus[] | undefined) ?? [];
}

function isObserved(part: AnyStatus): boolean {
  return part['observedGeneration'] !== undefined;
}
