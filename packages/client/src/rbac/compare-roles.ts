import type { DeepReadonly, KubernetesObject } from '../meta/types.ts';
import { type Grant, grantsOf, isGranted } from './grants.ts';
import { describePermission, type Permission, type ResourcePermission } from './permission.ts';

/** How a role differs from what a program uses. */
export interface RoleDifferences {
  /** What the program used and the role does not allow, in words: `create pods in "shop"`. */
  readonly missing: readonly string[];
  /** What the role allows and the program did not use. */
  readonly excess: readonly string[];
}

/** Options of {@link compareRoles}. */
export interface CompareRolesOptions {
  /** The namespace of Roles that have none. */
  readonly namespace?: string | undefined;
  /** Returns the namespace in the roles for one in which requests were made. Default: the same. */
  readonly namespaceOf?: ((namespace: string) => string) | undefined;
}

/**
 * Compares a role with what a program used: `permissions` of an `RbacRecorder`, or the objects of a recorded
 * manifest. Both lists are sorted, and empty if they agree.
 *
 * These are not excess, because requests do not show that they are needed: `get` beside a `list` or `watch` that
 * was used, which reads no more; `patch` of events beside `create`, for events that repeat; and `update` of
 * `…/finalizers`, for clusters that check who may block a deletion. A ClusterRole for what was used in some
 * namespaces only is no excess either. A wildcard always is.
 */
export function compareRoles(
  objects: Iterable<DeepReadonly<KubernetesObject>>,
  used: Iterable<Permission>,
  { namespace, namespaceOf = (same) => same }: CompareRolesOptions = {},
): RoleDifferences {
  const grants = grantsOf(objects, namespace);
  const needed = [...used].map((each) =>
    'url' in each || each.namespace === ''
      ? each
      : { ...each, namespace: namespaceOf(each.namespace) },
  );
  const missing = needed.filter((each) => !isGranted(grants, each));
  const excess = grants.flatMap(partsOf).filter((part) => !isUsed(part, needed));
  return { missing: words(missing), excess: words(excess) };
}

/** Returns the permissions that the roles of a manifest grant, one by one; wildcards as they are. */
export function permissionsIn(
  objects: Iterable<DeepReadonly<KubernetesObject>>,
  namespace?: string,
): readonly Permission[] {
  return grantsOf(objects, namespace).flatMap(partsOf);
}

function partsOf({ rule, namespace }: Grant): Permission[] {
  const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const names = resourceNames.length === 0 ? [''] : resourceNames;
  return verbs.flatMap((verb) => [
    ...nonResourceURLs.map((url) => ({ verb, url })),
    ...apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        names.map((name) => ({ verb, group, resource, namespace, name })),
      ),
    ),
  ]);
}

function isUsed(part: Permission, needed: readonly Permission[]): boolean {
  return needed.some((each) => {
    if ('url' in part || 'url' in each) {
      return 'url' in part && 'url' in each && part.verb === each.verb && part.url === each.url;
    }
    const isPlace =
      part.group === each.group &&
      (part.namespace === '' || part.namespace === each.namespace) &&
      (part.name === '' || part.name === each.name);
    if (isPlace && isFinalizers(part) && each.resource === part.resource.split('/')[0]) return true;
    return isPlace && part.resource === each.resource && isWithin(part, each.verb);
  });
}

function isWithin({ verb, resource }: ResourcePermission, used: string): boolean {
  if (verb === used) return true;
  if (verb === 'get') return used === 'list' || used === 'watch';
  return verb === 'patch' && used === 'create' && resource === 'events';
}

function isFinalizers({ verb, resource }: ResourcePermission): boolean {
  return verb === 'update' && resource.endsWith('/finalizers');
}

function words(permissions: readonly Permission[]): string[] {
  return [...new Set(permissions.map(describePermission))].sort();
}
