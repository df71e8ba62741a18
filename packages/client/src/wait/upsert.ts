import { mutableCopy } from '../codec/mutable-copy.ts';
import { isJsonObject, jsonEqual, type JsonObject } from '../lib/json.ts';
import { isAlreadyExists, isConflict, isNotFound } from '../meta/error-guards.ts';
import { nameOf, namespaceOf } from '../meta/object.ts';
import { createMergePatch } from '../meta/patch.ts';
import type { ResourceDescriptor } from '../meta/resource.ts';
import type { KubernetesObject } from '../meta/types.ts';
import type { CanCreate, CanGet, CanPatch, CanUpdate, HasStatus } from '../rest/client-methods.ts';
import type { ApplyConfiguration, MergePatch, Stored } from '../rest/object-types.ts';
import type { ApplyOptions, WriteOptions } from '../rest/options.ts';
import { invalidRequest } from '../rest/rest-error.ts';
import { retryOnError, type RetryOptions } from './retry.ts';

/** The result of an upsert. */
export interface Upserted<T extends KubernetesObject> {
  readonly outcome: 'created' | 'unchanged' | 'updated';
  readonly object: Stored<T>;
}

/** Options of an upsert: how to write, and how to retry after a conflict. */
export type UpsertOptions = Omit<RetryOptions, 'signal'> & WriteOptions;

/**
 * Changes an object to its desired state: in place, or by returning another one. Runs again on the
 * newest state after a conflict. Must not change name and namespace.
 */
export type Mutate<T> = (object: T) => Promise<T | void> | T | void;

/**
 * Creates the object, or updates the existing one, as controller-runtime's `CreateOrUpdate`. `mutate`
 * gets the existing object or a copy of `object`; the result is written if it differs. Reads again
 * and retries when the object was created, changed or deleted concurrently.
 *
 * ```ts
 * await createOrUpdate(configMaps, { metadata: { name: 'settings' } }, (map) => {
 *   map.data = { ...map.data, mode: 'fast' };
 * });
 * ```
 */
export async function createOrUpdate<T extends KubernetesObject>(
  client: CanCreate<T> & CanGet<T> & CanUpdate<T>,
  object: T,
  mutate: Mutate<T>,
  options: UpsertOptions = {},
): Promise<Upserted<T>> {
  return await upsert(client, object, mutate, options, {
    create: (wanted) => client.create(wanted, options),
    change: (_existing, wanted) => client.update(wanted, options),
  });
}

/**
 * As {@link createOrUpdate}, but sends only the difference, as a merge patch, and the status
 * separately where it is a subresource. The patch contains the version that was read, because lists
 * are replaced as a whole and concurrent additions must not be lost.
 */
export async function createOrPatch<T extends KubernetesObject>(
  client: CanCreate<T> & CanGet<T> & CanPatch<T, string> & Described,
  object: T,
  mutate: Mutate<T>,
  options: UpsertOptions = {},
): Promise<Upserted<T>> {
  const send = async (
    current: Stored<T>,
    patch: JsonObject,
    subresource?: string,
  ): Promise<Stored<T>> => {
    if (Object.keys(patch).length === 0) return current;
    const { name, resourceVersion } = current.metadata;
    const changes = isJsonObject(patch['metadata']) ? patch['metadata'] : {};
    const body = { ...patch, metadata: { ...changes, resourceVersion } } as unknown;
    return await client.patch(name, body as MergePatch<T>, {
      ...options,
      ...(subresource !== undefined && { subresource }),
      type: 'merge',
    });
  };
  const change = async (existing: Stored<T>, wanted: T): Promise<Stored<T>> => {
    const difference = createMergePatch(asJson(existing), asJson(wanted));
    if (!hasStatus(client)) return await send(existing, difference);
    const { status, ...rest } = difference;
    const changed = await send(existing, rest);
    return status === undefined ? changed : await send(changed, { status }, 'status');
  };
  return await upsert(client, object, mutate, options, {
    change,
    create: async (wanted) => {
      const created = await client.create(wanted, options);
      const { status } = wanted as { status?: unknown };
      // Servers ignore the status of a new object where it is a subresource.
      return status === undefined ? created : await change(created, { ...created, status });
    },
  });
}

/**
 * Ensures that the object has these fields, by server-side apply; fields of other managers are left
 * alone. A `status` is applied to the subresource where there is one.
 */
export async function ensure<T extends KubernetesObject>(
  client: CanPatch<T, string> & Partial<HasStatus<T>> & Described,
  desired: ApplyConfiguration<T>,
  options: ApplyOptions,
): Promise<Stored<T>> {
  const applied = await client.apply(desired, options);
  const { metadata, status } = desired as KubernetesObject & { status?: unknown };
  if (status === undefined || !hasStatus(client)) return applied;
  const { name, namespace } = metadata ?? {};
  const place = { name, ...(namespace !== undefined && { namespace }) };
  const statusOnly = { metadata: place, status } as unknown as ApplyConfiguration<T>;
  return (await client.applyStatus?.(statusOnly, options)) ?? applied;
}

interface Described {
  readonly descriptor: Pick<ResourceDescriptor, 'subresources'>;
}

function hasStatus({ descriptor }: Described): boolean {
  return descriptor.subresources.some(({ name }) => name === 'status');
}

interface Writing<T extends KubernetesObject> {
  readonly create: (wanted: T) => Promise<Stored<T>>;
  readonly change: (existing: Stored<T>, wanted: T) => Promise<Stored<T>>;
}

async function upsert<T extends KubernetesObject>(
  client: CanGet<T>,
  object: T,
  mutate: Mutate<T>,
  options: UpsertOptions,
  { create, change }: Writing<T>,
): Promise<Upserted<T>> {
  const name = nameOf(object);
  if (name === '') throw invalidRequest('metadata.name is empty: it identifies the object');
  return await retryOnError(
    isRace,
    async () => {
      const existing = await getOrUndefined(client, name, options);
      const wanted = await mutated<T>(existing ?? object, mutate);
      if (existing === undefined) return { outcome: 'created', object: await create(wanted) };
      if (jsonEqual(existing, wanted)) return { outcome: 'unchanged', object: existing };
      return { outcome: 'updated', object: await change(existing, wanted) };
    },
    options,
  );
}

/** True if the object was created, changed or deleted concurrently. */
function isRace(error: unknown): boolean {
  return isAlreadyExists(error) || isConflict(error) || isNotFound(error);
}

async function getOrUndefined<T extends KubernetesObject>(
  client: CanGet<T>,
  name: string,
  { signal, timeoutMs }: WriteOptions,
): Promise<Stored<T> | undefined> {
  try {
    return await client.get(name, { signal, timeoutMs });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function mutated<T extends KubernetesObject>(start: T, mutate: Mutate<T>): Promise<T> {
  const copy = mutableCopy(start) as T;
  const wanted = (await mutate(copy)) ?? copy;
  if (nameOf(wanted) !== nameOf(start) || namespaceOf(wanted) !== namespaceOf(start)) {
    throw invalidRequest('mutate has changed metadata.name or metadata.namespace');
  }
  return wanted;
}

function asJson(object: KubernetesObject): JsonObject {
  return object as unknown as JsonObject;
}
