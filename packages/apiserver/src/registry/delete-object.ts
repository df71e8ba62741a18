import { type DeleteOptions, newConflict, newForbidden } from 'client-ts/meta';
import type { StoredObject } from '../store/store.ts';
import type { DeleteResult, Registry } from './registry.ts';
import type { StrategyContext } from './strategy.ts';

/** Namespaces without which a cluster does not work. */
const PROTECTED_NAMESPACES = new Set(['default', 'kube-public', 'kube-system']);

/** Deletes an object the way its kind wants it, whoever asks: a client or a controller. */
export function deleteObject(
  registry: Registry,
  namespace: string,
  name: string,
  options: DeleteOptions,
  context: StrategyContext,
): DeleteResult {
  const isNamespace = registry.group === '' && registry.resource === 'namespaces';
  return isNamespace
    ? deleteNamespace(registry, name, options, context)
    : registry.delete(namespace, name, options, context);
}

/**
 * A namespace goes in two steps: it is marked, and when its content is gone and its own
 * finalizers are taken off, the last of those updates removes it.
 */
function deleteNamespace(
  registry: Registry,
  name: string,
  options: DeleteOptions,
  context: StrategyContext,
): DeleteResult {
  if (PROTECTED_NAMESPACES.has(name)) {
    throw newForbidden(registry, name, 'this namespace may not be deleted');
  }
  const existing = registry.get('', name).value as StoredObject & {
    readonly spec?: { readonly finalizers?: readonly string[] };
  };
  checkPreconditions(registry, existing, options);
  if ((existing.spec?.finalizers ?? []).length === 0) {
    return registry.delete('', name, options, context);
  }
  if (existing.metadata?.deletionTimestamp !== undefined) return { kind: 'kept', value: existing };
  return { kind: 'kept', value: registry.markNamespaceTerminating(name, options, context) };
}

/** Namespaces check what a deletion is for by themselves, and say so in their own words. */
function checkPreconditions(
  registry: Registry,
  { metadata = {} }: StoredObject,
  { preconditions = {} }: DeleteOptions,
): void {
  const { uid, resourceVersion } = preconditions;
  const { name = '', uid: actualUid = '', resourceVersion: actualVersion = '' } = metadata;
  if (uid !== undefined && uid !== actualUid) {
    throw newConflict(
      registry,
      name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${actualUid}`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== actualVersion) {
    throw newConflict(
      registry,
      name,
      `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ` +
        `ResourceVersion in object meta: ${actualVersion}`,
    );
  }
}
