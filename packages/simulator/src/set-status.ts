import { jsonEqual } from 'client-ts/internal';
import { isNotFound, type KubernetesObject } from 'client-ts/meta';
import type { CanPatch, MergePatch } from 'client-ts/rest';

interface HasStatusField extends KubernetesObject {
  status?: object;
}

/**
 * Writes the status of an object unless it is equal. A missing object is not an error. Lists are
 * replaced as a whole.
 */
export async function setStatus<T extends HasStatusField>(
  client: CanPatch<T, 'status'>,
  object: { readonly metadata: { readonly name: string }; readonly status?: object },
  status: NonNullable<T['status']>,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (isSubset(status, object.status ?? {})) return undefined;
  try {
    const body = { status } as MergePatch<T>;
    const options = { type: 'merge', subresource: 'status', signal } as const;
    const { metadata } = await client.patch(object.metadata.name, body, options);
    return metadata.resourceVersion;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return undefined;
  }
}

/** True if the object has all of these fields; it may have others. Zero values may be missing. */
function isSubset(wanted: object, there: object): boolean {
  return Object.entries(wanted).every(([field, value]) => {
    const existing: unknown = Reflect.get(there, field);
    return existing === undefined ? value === 0 : jsonEqual(value, existing);
  });
}
