import type {
  SelfSubjectReview,
  TokenReview,
  UserInfo as UserInfoObject,
} from 'client-ts/api/authentication/v1';
import type {
  LocalSubjectAccessReview,
  NonResourceAttributes,
  ResourceAttributes,
  SelfSubjectAccessReview,
  SelfSubjectRulesReview,
  SubjectAccessReview,
  SubjectAccessReviewSpec,
  SubjectAccessReviewStatus,
} from 'client-ts/api/authorization/v1';
import { getKey } from 'client-ts/internal';
import {
  newBadRequest,
  type ObjectMeta,
  parseFieldSelector,
  parseLabelSelector,
  type Time,
} from 'client-ts/meta';

import { type FieldError, invalid, invalidObject, required } from '../validation/field-error.ts';
import type { AccessAttributes, AccessPolicy } from './authorize.ts';
import { authenticateToken, DEFAULT_AUDIENCE, type TokenAuthenticator } from './tokens.ts';
import { ALL_AUTHENTICATED, type UserInfo, withGroup } from './user.ts';

/*
 * The reviews of `authorization.k8s.io`: objects that ask a question. They are answered and never
 * stored. Each function takes the decoded object and returns the object to send back, or throws the
 * error of a real server.
 */

/** SelfSubjectAccessReview, as `kubectl auth can-i` sends it. */
export function reviewSelfSubjectAccess(
  review: SelfSubjectAccessReview,
  user: UserInfo,
  policy: AccessPolicy,
): SelfSubjectAccessReview {
  refuse([...specErrors(review.spec), ...metadataErrors(review.metadata, 'must be empty', [])]);
  return { ...review, status: statusOf(policy, user, review.spec) };
}

/** SubjectAccessReview: the same for another user. */
export function reviewSubjectAccess(
  review: SubjectAccessReview,
  policy: AccessPolicy,
): SubjectAccessReview {
  refuse([
    ...subjectSpecErrors(review.spec),
    ...metadataErrors(review.metadata, 'must be empty', []),
  ]);
  return { ...review, status: statusOf(policy, subjectOf(review.spec), review.spec) };
}

/** LocalSubjectAccessReview: the same in one namespace. `namespace` is that of the request. */
export function reviewLocalSubjectAccess(
  review: LocalSubjectAccessReview,
  namespace: string,
  policy: AccessPolicy,
): LocalSubjectAccessReview {
  const { spec, metadata } = review;
  const errors = [
    ...subjectSpecErrors(spec),
    ...metadataErrors(metadata, 'must be empty except for namespace', ['namespace']),
  ];
  const home = metadata?.namespace ?? '';
  const asked = spec.resourceAttributes?.namespace ?? '';
  if (spec.resourceAttributes !== undefined && asked !== home) {
    const field = 'spec.resourceAttributes.namespace';
    errors.push(invalid(field, asked, 'must match metadata.namespace'));
  }
  if (spec.nonResourceAttributes !== undefined) {
    const value = goAttributes(spec.nonResourceAttributes);
    const detail = 'disallowed on this kind of request';
    errors.push(invalid('spec.nonResourceAttributes', value, detail));
  }
  refuse(errors);
  if (namespace !== home) {
    throw newBadRequest(`spec.resourceAttributes.namespace must match namespace: ${namespace}`);
  }
  return { ...review, status: statusOf(policy, subjectOf(spec), spec) };
}

/**
 * SelfSubjectRulesReview, as `kubectl auth can-i --list` sends it. The answer is a new object
 * without the question.
 */
export function reviewSelfSubjectRules(
  review: SelfSubjectRulesReview,
  user: UserInfo,
  policy: AccessPolicy,
): SelfSubjectRulesReview {
  const namespace = review.spec.namespace ?? '';
  if (namespace === '') throw newBadRequest('no namespace on request');
  const { resourceRules, nonResourceRules, incomplete, evaluationError } = policy.rulesFor(
    user,
    namespace,
  );
  return {
    kind: 'SelfSubjectRulesReview',
    apiVersion: 'authorization.k8s.io/v1',
    metadata: {},
    spec: {},
    status: {
      resourceRules: resourceRules.map(({ verbs, apiGroups, resources, resourceNames }) => ({
        verbs: [...verbs],
        ...(apiGroups !== undefined && { apiGroups: [...apiGroups] }),
        ...(resources !== undefined && { resources: [...resources] }),
        ...(resourceNames !== undefined && { resourceNames: [...resourceNames] }),
      })),
      nonResourceRules: nonResourceRules.map(({ verbs, nonResourceURLs }) => ({
        verbs: [...verbs],
        ...(nonResourceURLs !== undefined && { nonResourceURLs: [...nonResourceURLs] }),
      })),
      incomplete,
      ...(evaluationError !== undefined && { evaluationError }),
    },
  };
}

type Attributes = Pick<SubjectAccessReviewSpec, 'nonResourceAttributes' | 'resourceAttributes'>;

function statusOf(
  policy: AccessPolicy,
  user: UserInfo,
  spec: Attributes,
): SubjectAccessReviewStatus {
  const { allowed, reason } = policy.decide(attributesFrom(user, spec));
  const evaluationError = selectorProblems(spec.resourceAttributes).join('; ');
  return {
    allowed,
    ...(reason !== '' && { reason }),
    ...(evaluationError !== '' && { evaluationError }),
  };
}

function attributesFrom(user: UserInfo, spec: Attributes): AccessAttributes {
  const { resourceAttributes: resource, nonResourceAttributes: path } = spec;
  return {
    user,
    isResourceRequest: resource !== undefined,
    verb: resource?.verb ?? path?.verb ?? '',
    path: path?.path ?? '',
    group: resource?.group ?? '',
    version: resource?.version ?? '*',
    namespace: resource?.namespace ?? '',
    resource: resource?.resource ?? '',
    subresource: resource?.subresource ?? '',
    name: resource?.name ?? '',
  };
}

function subjectOf({ user, uid, groups, extra }: SubjectAccessReviewSpec): UserInfo {
  return {
    name: user ?? '',
    groups: groups ?? [],
    ...(uid !== undefined && { uid }),
    ...(extra !== undefined && { extra }),
  };
}

function refuse(errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  throw invalidObject({ group: 'authorization.k8s.io', kind: '' }, '', errors);
}

function subjectSpecErrors(spec: SubjectAccessReviewSpec): FieldError[] {
  const errors = specErrors(spec);
  if ((spec.user ?? '') === '' && (spec.groups ?? []).length === 0) {
    errors.push(
      invalid('spec.user', spec.user ?? '', 'at least one of user or group must be specified'),
    );
  }
  return errors;
}

function specErrors({ resourceAttributes, nonResourceAttributes }: Attributes): FieldError[] {
  const errors: FieldError[] = [];
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) {
    const detail = 'cannot be specified in combination with resourceAttributes';
    errors.push(invalid('spec.nonResourceAttributes', goAttributes(nonResourceAttributes), detail));
  }
  if (resourceAttributes === undefined && nonResourceAttributes === undefined) {
    const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    errors.push(invalid('spec.resourceAttributes', null, detail));
  }
  for (const kind of ['fieldSelector', 'labelSelector'] as const) {
    errors.push(...selectorErrors(resourceAttributes, kind));
  }
  return errors;
}

function selectorErrors(
  attributes: ResourceAttributes | undefined,
  kind: 'fieldSelector' | 'labelSelector',
): FieldError[] {
  const selector = attributes?.[kind];
  if (selector === undefined) return [];
  const field = `spec.resourceAttributes.${kind}`;
  const { rawSelector = '', requirements = [] } = selector;
  if (rawSelector !== '' && requirements.length > 0) {
    const detail = 'may not specified at the same time as requirements';
    return [invalid(`${field}.rawSelector`, rawSelector, detail)];
  }
  if (rawSelector === '' && requirements.length === 0) {
    const detail = `when ${field} is specified, requirements or rawSelector is required`;
    return [required(`${field}.requirements`, detail)];
  }
  return [];
}

/** Selectors never narrow what a policy here grants; an invalid selector is only reported. */
function selectorProblems(attributes: ResourceAttributes | undefined): string[] {
  const ignored = (kind: string, parse: () => unknown): string[] => {
    try {
      parse();
      return [];
    } catch {
      return [`spec.resourceAttributes.${kind} ignored due to parse error`];
    }
  };
  return [
    ...ignored('fieldSelector', () =>
      parseFieldSelector(attributes?.fieldSelector?.rawSelector ?? ''),
    ),
    ...ignored('labelSelector', () =>
      parseLabelSelector(attributes?.labelSelector?.rawSelector ?? ''),
    ),
  ];
}

/** Managed fields are set by the server and do not count. */
function metadataErrors(
  metadata: ObjectMeta | undefined,
  detail: string,
  allowed: readonly string[],
): FieldError[] {
  const { managedFields: _, ...own } = metadata ?? {};
  const given = Object.entries(own).filter(
    ([key, value]) => value !== undefined && !allowed.includes(key),
  );
  return given.length === 0 ? [] : [invalid('metadata', metadata, detail)];
}

/** A real server prints its Go struct here, whose fields are capitalized. */
function goAttributes({ path = '', verb = '' }: NonResourceAttributes): object {
  return { Path: path, Verb: verb };
}

/** SelfSubjectReview, as `kubectl auth whoami` sends it: the user after impersonation. */
export function reviewSelfSubject(user: UserInfo, now: Time): SelfSubjectReview {
  return {
    kind: 'SelfSubjectReview',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { creationTimestamp: now },
    status: { userInfo: toObject(user) },
  };
}

/** TokenReview: returns the user of a token. An invalid token is an answer, not an error. */
export function reviewToken(
  review: TokenReview,
  authenticators: readonly TokenAuthenticator[],
): TokenReview {
  const { token, audiences = [] } = review.spec;
  if (!token) throw newBadRequest('token is required for TokenReview in authentication');
  const wanted = audiences.length === 0 ? [DEFAULT_AUDIENCE] : audiences;
  const verdict = authenticateToken(authenticators, token, wanted);
  if (verdict.outcome === 'refused') {
    return { ...review, status: { user: {}, error: verdict.reason } };
  }
  return {
    ...review,
    status: {
      authenticated: true,
      user: toObject(withGroup(verdict.user, ALL_AUTHENTICATED)),
      audiences: [...verdict.audiences],
    },
  };
}

function toObject({ name, uid = '', groups, extra = {} }: UserInfo): UserInfoObject {
  const keys = Object.keys(extra).toSorted();
  return {
    ...(name !== '' && { username: name }),
    ...(uid !== '' && { uid }),
    ...(groups.length > 0 && { groups: [...groups] }),
    ...(keys.length > 0 && {
      extra: Object.fromEntries(keys.map((key) => [key, [...(getKey(extra, key) ?? [])]])),
    }),
  };
}
