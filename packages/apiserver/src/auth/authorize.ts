import { quoteGo } from 'client-ts/internal';
import { type ApiError, newForbidden } from 'client-ts/meta';

import { SYSTEM_MASTERS, type UserInfo } from './user.ts';

/** The action that a request asks for. `RequestInfo` has this shape. */
export interface RequestedAction {
  readonly isResourceRequest: boolean;
  readonly verb: string;
  /** Used only for non-resource requests. */
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
}

/** One authorization question: may this user perform this action? */
export interface AccessAttributes extends RequestedAction {
  readonly user: UserInfo;
}

/** The reason is shown to the client, also when access is granted; often empty. */
export interface Decision {
  readonly allowed: boolean;
  readonly reason: string;
}

/** A rule about resources, as SelfSubjectRulesReview shows it. */
export interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** A rule about non-resource paths. */
export interface NonResourceRule {
  readonly verbs: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** The rules that apply to a user in a namespace, as far as the policy can enumerate them. */
export interface RuleSet {
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly NonResourceRule[];
  readonly incomplete: boolean;
  readonly evaluationError?: string;
}

/** An authorization policy. Synchronous: it only reads what the server holds in memory. */
export interface AccessPolicy {
  decide(attributes: AccessAttributes): Decision;
  rulesFor(user: UserInfo, namespace: string): RuleSet;
}

/** Allows everything, for servers without authorization. */
export const allowAll: AccessPolicy = {
  decide: () => ({ allowed: true, reason: '' }),
  rulesFor: () => ({
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    incomplete: false,
  }),
};

/** Allows members of `system:masters` everything, as every real server does. */
export function withSystemMasters(policy: AccessPolicy): AccessPolicy {
  return {
    decide: (attributes) =>
      attributes.user.groups.includes(SYSTEM_MASTERS)
        ? { allowed: true, reason: '' }
        : policy.decide(attributes),
    rulesFor: (user, namespace) => policy.rulesFor(user, namespace),
  };
}

/** The input of an authorizer. An exchange of the endpoints has this shape. */
export interface AuthorizationRequest {
  readonly info: RequestedAction;
  readonly user: UserInfo;
}

/** Throws a 403 {@link ApiError} if the user may not perform the action. */
export type Authorizer = (request: AuthorizationRequest) => void;

/** Returns an authorizer that enforces a policy on requests. */
export function createAuthorizer(policy: AccessPolicy): Authorizer {
  return ({ info, user }) => requireAccess(policy, attributesOf(user, info));
}

/** Returns the authorization question for the action of a request. */
export function attributesOf(user: UserInfo, info: RequestedAction): AccessAttributes {
  const { isResourceRequest, verb, path, group, version } = info;
  const { namespace, resource, subresource, name } = info;
  return {
    user,
    isResourceRequest,
    verb,
    path,
    group,
    version,
    namespace,
    resource,
    subresource,
    name,
  };
}

/**
 * Throws a 403 {@link ApiError} unless the policy allows it. Endpoints call it for actions that
 * only they discover: an update that creates an object needs the permission to create, too.
 */
export function requireAccess(policy: AccessPolicy, attributes: AccessAttributes): void {
  const { allowed, reason } = policy.decide(attributes);
  if (!allowed) throw forbidden(attributes, reason);
}

/** Returns the 403 of a real server. */
export function forbidden(attributes: AccessAttributes, reason: string): ApiError {
  const detail = withoutMarkup(describe(attributes));
  return newForbidden(attributes, attributes.name, reason === '' ? detail : `${detail}: ${reason}`);
}

function describe(attributes: AccessAttributes): string {
  const { user, isResourceRequest, verb, path, group, namespace, resource } = attributes;
  const who = `User ${quoteGo(user.name)} cannot ${verb}`;
  if (!isResourceRequest) return `${who} path ${quoteGo(path)}`;
  const { subresource } = attributes;
  const what = quoteGo(subresource === '' ? resource : `${resource}/${subresource}`);
  const where =
    namespace === '' ? 'at the cluster scope' : `in the namespace ${quoteGo(namespace)}`;
  return `${who} resource ${what} in API group ${quoteGo(group)} ${where}`;
}

/** Escapes HTML, because a browser could render an echoed user name or path. */
function withoutMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
