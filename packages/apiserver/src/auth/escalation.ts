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
import { goList, missingRights, type Rule } from './rule-cover.ts';
import { SYSTEM_MASTERS, type UserInfo } from './user.ts';

const GROUP = 'rbac.authorization.k8s.io';

/** A write of a role or a binding, by whichever method. */
export interface RbacWrite {
  readonly user: UserInfo;
  readonly info: RequestedAction;
  readonly policy: AccessPolicy;
  readonly lookup: RbacLookup;
}

/** Any of the four kinds, as far as it grants something. */
type Granting = DeepReadonly<
  KubernetesObject & {
    rules?: PolicyRule[] | null;
    aggregationRule?: AggregationRule;
    roleRef?: RoleRef;
  }
>;

/**
 * Throws a 403 if a write of a role or a binding would give anyone rights that its author does not
 * have. The verbs `escalate` on roles and `bind` on the role that a binding names allow it
 * nevertheless, and members of `system:masters` may do everything. Other resources pass.
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
  // What it gathers is not known yet, so it takes the right to everything.
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

/** The rules of the role that a binding names. Without it there is nothing to compare. */
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

/** Says which of the rules the author does not hold where the object is; undefined if none. */
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
