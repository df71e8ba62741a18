import { getKey } from 'client-ts/internal';
import type {
  SelfSubjectReview,
  TokenReview,
  UserInfo as UserInfoObject,
} from 'client-ts/api/authentication/v1';
import { newBadRequest, type Time } from 'client-ts/meta';

import { authenticateToken, DEFAULT_AUDIENCE, type TokenAuthenticator } from './tokens.ts';
import { ALL_AUTHENTICATED, type UserInfo, withGroup } from './user.ts';

/** `kubectl auth whoami`: who am I, after impersonation? */
export function reviewSelfSubject(user: UserInfo, now: Time): SelfSubjectReview {
  return {
    kind: 'SelfSubjectReview',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { creationTimestamp: now },
    status: { userInfo: toObject(user) },
  };
}

/** Whose token is this? A token that is not good is an answer too, and no error. */
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
