// Kubernetes 1.36.4, authentication.k8s.io/v1. Written by `npm run generate`; do not edit.

import type { ResourceDescriptor } from '../../meta/resource.ts';
import type { ObjectMeta, Time } from '../../meta/types.ts';

/** `/apis/authentication.k8s.io/v1/selfsubjectreviews` */
export const selfSubjectReviews: ResourceDescriptor<SelfSubjectReview, 'Cluster', 'create', never> =
  {
    group: 'authentication.k8s.io',
    version: 'v1',
    resource: 'selfsubjectreviews',
    kind: 'SelfSubjectReview',
    singular: 'selfsubjectreview',
    scope: 'Cluster',
    verbs: ['create'],
    subresources: [],
    shortNames: [],
    categories: [],
  };

/** `/apis/authentication.k8s.io/v1/tokenreviews` */
export const tokenReviews: ResourceDescriptor<TokenReview, 'Cluster', 'create', never> = {
  group: 'authentication.k8s.io',
  version: 'v1',
  resource: 'tokenreviews',
  kind: 'TokenReview',
  singular: 'tokenreview',
  scope: 'Cluster',
  verbs: ['create'],
  subresources: [],
  shortNames: [],
  categories: [],
};

/** The object that a token is bound to. The token becomes invalid when the object is deleted. */
export interface BoundObjectReference {
  /** Group and version of the object. */
  apiVersion?: string;
  /** Kind of the object, `Pod`, `Secret` or `Node`. */
  kind?: string;
  /** Name of the object. */
  name?: string;
  /** UID of the object. */
  uid?: string;
}

/** Answers the question who the server takes the client for. It is created, never stored. */
export interface SelfSubjectReview {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'authentication.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'SelfSubjectReview';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The answer, filled in by the server. */
  status?: SelfSubjectReviewStatus;
}

/** Who the client is. */
export interface SelfSubjectReviewStatus {
  /** User, groups and further attributes of the client. */
  userInfo?: UserInfo;
}

/**
 * Requests a token for a service account, through its `token` subresource. It is created,
 * never stored.
 */
export interface TokenRequest {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'authentication.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'TokenRequest';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** What the token is for. */
  spec?: TokenRequestSpec;
  /** The token, filled in by the server. */
  status?: TokenRequestStatus;
}

/** What a token is for. */
export interface TokenRequestSpec {
  /**
   * Recipients that the token is meant for. They must check that they are among them. The
   * default is the API server.
   */
  audiences?: string[] | null;
  /** Object that the token is bound to. The token becomes invalid with it. */
  boundObjectRef?: BoundObjectReference;
  /** Lifetime to ask for. The server may shorten or extend it. Default 3600, at least 600. */
  expirationSeconds?: number;
}

/** An issued token. */
export interface TokenRequestStatus {
  /** When the token expires. */
  expirationTimestamp?: Time;
  /** The token, a JSON Web Token. Confidential. */
  token?: string;
}

/** Asks the server whether a token is valid and whose it is. It is created, never stored. */
export interface TokenReview {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'authentication.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'TokenReview';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The token. */
  spec: TokenReviewSpec;
  /** The answer, filled in by the server. */
  status?: TokenReviewStatus;
}

/** A token to check. */
export interface TokenReviewSpec {
  /**
   * Recipients that the token should be meant for; one is enough. The default is the API
   * server.
   */
  audiences?: string[];
  /** The bearer token. */
  token: string;
}

/** Whether a token is valid and whose it is. */
export interface TokenReviewStatus {
  /**
   * Recipients from the request that the token is meant for. If it is empty, check that the
   * server knows audiences.
   */
  audiences?: string[];
  /** Whether the token is valid. */
  authenticated?: boolean;
  /** Why the token could not be checked. */
  error?: string;
  /** The user that the token belongs to. */
  user?: UserInfo;
}

/** A user as the server knows it. */
export interface UserInfo {
  /** Further attributes from the authenticator. */
  extra?: Record<string, string[]>;
  /** Groups of the user. */
  groups?: string[];
  /** ID that stays the same over time, if the authenticator has one. */
  uid?: string;
  /** Name of the user, unique among active users. */
  username?: string;
}
