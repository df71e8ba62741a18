import type { GroupVersion } from 'client-ts/meta';

/** A word for a group in the names of operations: `core`, `apps`, `rbacAuthorization`. */
function groupWord(group: string): string {
  return camelCase(group === '' ? 'core' : group.replace(/\.k8s\.io$/, ''));
}

/** Under what operations are gathered: `core_v1`, or only the group if they concern all of it. */
export function operationTag(group: string, version?: string): string {
  return version === undefined ? groupWord(group) : `${groupWord(group)}_${version}`;
}

/** The name of an operation, unique in the API: `listCoreV1NamespacedPod`. */
export function operationId(
  verb: string,
  { group, version }: Pick<GroupVersion, 'group'> & Partial<GroupVersion>,
  rest: string,
): string {
  return `${verb}${capitalize(groupWord(group))}${capitalize(camelCase(version ?? ''))}${capitalize(rest)}`;
}

export function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

function camelCase(name: string): string {
  const [first = '', ...others] = name.split(/[^A-Za-z0-9]+/);
  return first + others.map(capitalize).join('');
}
