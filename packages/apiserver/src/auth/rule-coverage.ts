import type { PolicyRule } from 'client-ts/api/rbac/v1';
import type { DeepReadonly } from 'client-ts/meta';

import { coversPath } from './rbac.ts';

/** A rule about resources or non-resource paths. */
export type Rule = DeepReadonly<Partial<PolicyRule>>;

/** One verb on one resource of one group, optionally with one name; or one verb on one path. */
export type Right =
  | { readonly verb: string; readonly path: string }
  | {
      readonly verb: string;
      readonly group: string;
      readonly resource: string;
      readonly name: string | undefined;
    };

/** Returns the rights that a rule stands for: the product of its lists. */
export function* rightsOf({
  verbs = [],
  apiGroups = [],
  resources = [],
  resourceNames = [],
  nonResourceURLs = [],
}: Rule): Generator<Right> {
  const names = resourceNames.length === 0 ? [undefined] : resourceNames;
  for (const group of apiGroups) {
    for (const resource of resources) {
      for (const verb of verbs) for (const name of names) yield { verb, group, resource, name };
    }
  }
  for (const path of nonResourceURLs) for (const verb of verbs) yield { verb, path };
}

/** True if one rule includes the whole other rule. May be false for a rule that is covered. */
export function coversRule(owner: Rule, rule: Rule): boolean {
  const { resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const ownNames = owner.resourceNames ?? [];
  const hasNames =
    ownNames.length === 0 ||
    (resourceNames.length > 0 && resourceNames.every((name) => ownNames.includes(name)));
  return (
    (rule.verbs ?? []).every((verb) => includesOrAll(owner.verbs, verb)) &&
    (rule.apiGroups ?? []).every((group) => includesOrAll(owner.apiGroups, group)) &&
    resources.every((resource) => coversResource(owner.resources, resource)) &&
    (resources.length === 0 || hasNames) &&
    nonResourceURLs.every((path) => coversUrl(owner.nonResourceURLs, path))
  );
}

/** True if a rule includes a right. */
export function covers(owner: Rule, right: Right): boolean {
  if (!includesOrAll(owner.verbs, right.verb)) return false;
  if ('path' in right) return coversUrl(owner.nonResourceURLs, right.path);
  const names = owner.resourceNames ?? [];
  return (
    includesOrAll(owner.apiGroups, right.group) &&
    coversResource(owner.resources, right.resource) &&
    (names.length === 0 || (right.name !== undefined && names.includes(right.name)))
  );
}

function coversUrl(owned: readonly string[] = [], path: string): boolean {
  return owned.some((own) => coversPath(own, path));
}

/** A rule for one subresource of all resources covers that subresource of each. */
function coversResource(owned: readonly string[] = [], resource: string): boolean {
  if (includesOrAll(owned, resource)) return true;
  const slash = resource.indexOf('/');
  return slash !== -1 && owned.includes(`*${resource.slice(slash)}`);
}

function includesOrAll(values: readonly string[] = [], wanted: string): boolean {
  return values.includes('*') || values.includes(wanted);
}
