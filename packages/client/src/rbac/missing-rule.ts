import { type Permission, type ResourcePermission } from './permission.ts';

/** Returns a rule of RBAC as YAML, and where it belongs. */
export function missingRule(
  { group, resource }: Pick<ResourcePermission, 'group' | 'resource'>,
  verbs: readonly string[],
  namespace: string,
): string {
  return rule(namespace, [`- apiGroups: ["${group}"]`, `  resources: ["${resource}"]`], verbs);
}

/** Returns the rule that a permission lacks. */
export function missingRuleOf(permission: Permission): string {
  if (!('url' in permission))
    return missingRule(permission, [permission.verb], permission.namespace);
  return rule('', [`- nonResourceURLs: ["${permission.url}"]`], [permission.verb]);
}

function rule(namespace: string, lines: readonly string[], verbs: readonly string[]): string {
  const role = namespace === '' ? 'ClusterRole' : `Role in ${namespace}`;
  return [
    `Add this rule to the ${role} of the program:`,
    ...lines,
    `  verbs: [${verbs.map((verb) => `"${verb}"`).join(', ')}]`,
  ].join('\n');
}
