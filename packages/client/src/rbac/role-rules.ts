import type { PolicyRule } from '../api/rbac/v1.ts';
import type { Permission, ResourcePermission } from './permission.ts';

/** Options of {@link rulesOf}. */
export interface RulesOptions {
  /**
   * Restricts rules to the names of objects if every request of a verb was for a name. Creations and lists
   * cannot be restricted. Default false.
   */
  readonly resourceNames?: boolean | undefined;
}

/** The order in which verbs are usually written. */
const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

/**
 * Returns the rules of RBAC for permissions, whatever their namespaces: the fewest that grant nothing
 * else. The order depends on nothing but the permissions: by group, then by resource.
 */
export function rulesOf(
  permissions: Iterable<Permission>,
  { resourceNames = false }: RulesOptions = {},
): PolicyRule[] {
  const resources: ResourcePermission[] = [];
  const urls = new Map<string, string[]>();
  for (const permission of permissions) {
    if (!('url' in permission)) resources.push(permission);
    else urls.set(permission.verb, [...(urls.get(permission.verb) ?? []), permission.url]);
  }
  return [
    ...resourceRules(resources, resourceNames),
    ...[...urls].sort(byKey).map(([verb, paths]) => ({
      nonResourceURLs: sorted(paths),
      verbs: [verb],
    })),
  ];
}

function resourceRules(
  permissions: readonly ResourcePermission[],
  isByName: boolean,
): PolicyRule[] {
  // The names of each verb of a resource: empty if it must not be restricted.
  const verbs = new Map<string, Set<string>>();
  for (const { group, resource, verb, name } of permissions) {
    const key = JSON.stringify([group, resource, verb]);
    const names = verbs.get(key) ?? new Set([name]);
    verbs.set(key, names.add(isByName ? name : ''));
  }
  // The verbs of a resource with the same names are one rule, and so are resources with the same verbs.
  const byNames = groupBy(verbs, ([key, names]) => {
    const [group, resource, verb] = JSON.parse(key) as [string, string, string];
    return [[group, resource, names.has('') ? [] : sorted(names)], verb];
  });
  const byVerbs = groupBy(byNames, ([key, own]) => {
    const [group, resource, names] = JSON.parse(key) as [string, string, readonly string[]];
    return [[group, names, own.toSorted(byVerb)], resource];
  });
  return [...byVerbs]
    .map(([key, own]) => {
      const [group, names, ordered] = JSON.parse(key) as [string, string[], string[]];
      return {
        apiGroups: [group],
        resources: sorted(own),
        ...(names.length > 0 && { resourceNames: names }),
        verbs: ordered,
      };
    })
    .toSorted((left, right) => byText(orderOf(left), orderOf(right)));
}

function orderOf({
  apiGroups = [],
  resources = [],
  resourceNames = [],
  verbs,
}: PolicyRule): string {
  return [apiGroups, resources, resourceNames, verbs].map((part) => part.join(',')).join(' ');
}

function groupBy<T>(
  items: Iterable<T>,
  partsOf: (item: T) => readonly [key: unknown, value: string],
): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const item of items) {
    const [key, value] = partsOf(item);
    const text = JSON.stringify(key);
    groups.set(text, [...(groups.get(text) ?? []), value]);
  }
  return groups;
}

function byVerb(left: string, right: string): number {
  const [first, second] = [left, right].map((verb) => {
    const index = VERBS.indexOf(verb);
    return index === -1 ? VERBS.length : index;
  }) as [number, number];
  return first - second || byText(left, right);
}

function byKey([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return byText(left, right);
}

function byText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function sorted(values: Iterable<string>): string[] {
  return [...new Set(values)].sort(byText);
}
