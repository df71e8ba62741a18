import type { AggregationRule, PolicyRule, RoleRef } from 'client-ts/api/rbac/v1';
import { jsonEqual, quoteGo } from 'client-ts/internal';
import {
  type ApiError,
  type DeepReadonly,
  type KubernetesObject,
  newForbidden,
  newNotFound,
  newUnknownError,
} from 'client-ts/meta';

import { type AccessPolicy, attributesOf, type RequestedAction } from './authorize.ts';
import type { RbacLookup } from './rbac.ts';
import { covers, coversRule, type Right, rightsOf, type Rule } from './rule-coverage.ts';
import { SYSTEM_MASTERS, type UserInfo } from './user.ts';

const GROUP = 'rbac.authorization.k8s.io';

/** A write of a role or a binding, with any method. */
export interface RbacWrite {
  readonly user: UserInfo;
  readonly info: RequestedAction;
  readonly policy: AccessPolicy;
  readonly lookup: RbacLookup;
}

/** Any of the four kinds, with the fields that grant something. */
type Granting = DeepReadonly<
  KubernetesObject & {
    rules?: PolicyRule[] | null;
    aggregationRule?: AggregationRule;
    roleRef?: RoleRef;
  }
>;

/**
 * Throws a 403 if a write of a role or a binding would grant rights that its author does not hold.
 * Exempt are authors with the verb `escalate` on roles or `bind` on the role of a binding, and
 * members of `system:masters`. Other resources pass.
 */
export function refuseEscalation(
  write: RbacWrite,
  object: Granting,
  old: Granting | undefined,
): void {
  const { info, user } = write;
  if (info.group !== GROUP || user.groups.includes(SYSTEM_MASTERS)) return;
  if (old !== undefined && changesOnlyOwnership(object, old)) return;
  switch (info.resource) {
    case 'roles':
    case 'clusterroles':
      refuseRole(write, object, old);
      break;
    case 'rolebindings':
    case 'clusterrolebindings':
      refuseBinding(write, object);
      break;
    default:
  }
}

function refuseRole(write: RbacWrite, role: Granting, old: Granting | undefined): void {
  if (isAllowed(write, { verb: 'escalate' })) return;
  const problem = missing(write, role.rules ?? []);
  if (problem !== undefined) throw refused(write, role, problem);
  // The aggregated rules are not known yet, so this requires every right.
  if (!aggregates(role) && !(old !== undefined && aggregates(old))) return;
  if (missing(write, EVERYTHING) === undefined) return;
  throw refused(write, role, 'must have cluster-admin privileges to use the aggregationRule');
}

const EVERYTHING: readonly Rule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

function aggregates({ aggregationRule }: Granting): boolean {
  return (aggregationRule?.clusterRoleSelectors ?? []).length > 0;
}

function refuseBinding(write: RbacWrite, binding: Granting): void {
  const { apiGroup = '', kind = '', name = '' } = binding.roleRef ?? {};
  const resource = ROLE_RESOURCES.get(kind);
  if (resource !== undefined) {
    if (isAllowed(write, { verb: 'bind', group: apiGroup, resource, name })) return;
  }
  const problem = missing(write, rulesOf(write, kind, name));
  if (problem !== undefined) throw refused(write, binding, problem);
}

const ROLE_RESOURCES: ReadonlyMap<string, string> = new Map([
  ['Role', 'roles'],
  ['ClusterRole', 'clusterroles'],
]);

/** Returns the rules of the role that a binding references. Throws if the role does not exist. */
function rulesOf({ info, lookup }: RbacWrite, kind: string, name: string): readonly Rule[] {
  const resource = ROLE_RESOURCES.get(kind);
  if (resource === undefined) {
    throw newUnknownError(`unsupported role reference kind: ${quoteGo(kind)}`);
  }
  const role = kind === 'Role' ? lookup.role(info.namespace, name) : lookup.clusterRole(name);
  if (role === undefined) throw newNotFound({ group: GROUP, resource }, name);
  return role.rules ?? [];
}

function isAllowed(
  { user, info, policy }: RbacWrite,
  action: Pick<RequestedAction, 'verb'> & Partial<RequestedAction>,
): boolean {
  return policy.decide(attributesOf(user, { ...info, version: '*', subresource: '', ...action }))
    .allowed;
}

/**
 * Describes the rules that the author does not hold in the object's namespace; undefined if none.
 */
function missing({ user, info, policy }: RbacWrite, rules: readonly Rule[]): string | undefined {
  const { resourceRules, nonResourceRules, evaluationError } = policy.rulesFor(
    user,
    info.namespace,
  );
  const lines = missingRights([...resourceRules, ...nonResourceRules], rules);
  if (lines.length === 0) return undefined;
  const unresolved =
    evaluationError === undefined ? '' : `; resolution errors: [${evaluationError}]`;
  return (
    `user ${quoteGo(user.name)} (groups=${goList(user.groups)}) is attempting to grant RBAC ` +
    `permissions not currently held:\n${lines.join('\n')}${unresolved}`
  );
}

function refused({ info }: RbacWrite, { metadata }: Granting, detail: string): ApiError {
  const { group, resource } = info;
  return newForbidden({ group, resource }, metadata?.name ?? '', detail);
}

/** Garbage collection and finalizers must work without the rights of the role. */
function changesOnlyOwnership(object: Granting, old: Granting): boolean {
  return jsonEqual(withoutOwnership(object), withoutOwnership(old));
}

function withoutOwnership({ metadata, ...rest }: Granting): object {
  const { ownerReferences: _, finalizers: __, managedFields: ___, ...meta } = metadata ?? {};
  return { ...rest, metadata: meta };
}

/**
 * A rule stands for the product of its lists, which a body of three megabytes can make huge. This
 * many rights are compared one by one; more count as missing.
 */
const MAX_RIGHTS = 100_000;
/** How many missing rights an error names. */
const MAX_NAMED = 200;

/**
 * Describes the rights in `wanted` that `held` does not include, as a real server lists them: one
 * line per resource, sorted. Empty if all are held.
 */
function missingRights(held: readonly Rule[], wanted: readonly Rule[]): string[] {
  const missing: Right[] = [];
  let compared = 0;
  for (const rule of wanted) {
    // Skips the product if a single rule covers this one, as for an administrator.
    if (held.some((owner) => coversRule(owner, rule))) continue;
    for (const right of rightsOf(rule)) {
      compared += 1;
      if (compared > MAX_RIGHTS || !held.some((owner) => covers(owner, right))) {
        missing.push(right);
      }
      if (missing.length >= MAX_NAMED || compared > MAX_RIGHTS) return describe(missing);
    }
  }
  return describe(missing);
}

/** Verbs on one resource share a line; paths have one line per verb. */
function describe(missing: readonly Right[]): string[] {
  const lines = new Map<string, { readonly target: string; readonly verbs: string[] }>();
  for (const right of missing) {
    const target = 'path' in right ? pathTarget(right.path) : resourceTarget(right);
    const key = 'path' in right ? `${target} ${right.verb}` : target;
    const line = lines.get(key) ?? { target, verbs: [] };
    line.verbs.push(right.verb);
    lines.set(key, line);
  }
  const texts = [...lines.values()].map(
    ({ target, verbs }) => `{${target}, Verbs:${goList(verbs)}}`,
  );
  return [...new Set(texts)].sort();
}

function pathTarget(path: string): string {
  return `NonResourceURLs:${goList([path])}`;
}

function resourceTarget({ group, resource, name }: Exclude<Right, { path: string }>): string {
  const target = `APIGroups:${goList([group])}, Resources:${goList([resource])}`;
  return name === undefined ? target : `${target}, ResourceNames:${goList([name])}`;
}

/** Formats a list like Go's `%q`. */
function goList(values: readonly string[]): string {
  return `[${values.map((value) => quoteGo(value)).join(' ')}]`;
}
