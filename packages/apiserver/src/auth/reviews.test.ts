import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type {
  LocalSubjectAccessReview,
  SelfSubjectAccessReview,
  SubjectAccessReview,
} from 'client-ts/api/authorization/v1';
import { ApiError, type Status } from 'client-ts/meta';

import {
  reviewLocalSubjectAccess,
  reviewSelfSubject,
  reviewSelfSubjectAccess,
  reviewSelfSubjectRules,
  reviewSubjectAccess,
  reviewToken,
} from './reviews.ts';
import { type AccessAttributes, type AccessPolicy, allowAll } from './authorize.ts';
import { StaticTokens } from './tokens.ts';

const jane = { name: 'jane', groups: ['system:authenticated'] };

function failure(action: () => unknown): Status {
  try {
    action();
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return error.status;
  }
  return assert.fail('the review was answered');
}

/** Allows everything and records the questions. */
function recorder(): AccessPolicy & { asked: AccessAttributes[] } {
  const asked: AccessAttributes[] = [];
  return {
    ...allowAll,
    asked,
    decide: (attributes) => {
      asked.push(attributes);
      return { allowed: true, reason: 'because' };
    },
  };
}

const denyAll: AccessPolicy = { ...allowAll, decide: () => ({ allowed: false, reason: '' }) };

const ssar = (spec: SelfSubjectAccessReview['spec'], metadata = {}): SelfSubjectAccessReview => ({
  kind: 'SelfSubjectAccessReview',
  apiVersion: 'authorization.k8s.io/v1',
  metadata,
  spec,
});
const sar = (spec: SubjectAccessReview['spec']): SubjectAccessReview => ({
  kind: 'SubjectAccessReview',
  apiVersion: 'authorization.k8s.io/v1',
  metadata: {},
  spec,
});

describe('reviewSelfSubjectAccess', () => {
  it('asks the policy and keeps the question in the answer', () => {
    const policy = recorder();
    const spec = {
      resourceAttributes: {
        namespace: 'default',
        verb: 'update',
        group: 'apps',
        resource: 'deployments',
        subresource: 'scale',
        name: 'x',
      },
    };
    assert.deepEqual(reviewSelfSubjectAccess(ssar(spec), jane, policy), {
      ...ssar(spec),
      status: { allowed: true, reason: 'because' },
    });
    assert.deepEqual(policy.asked, [
      {
        user: jane,
        isResourceRequest: true,
        path: '',
        version: '*',
        ...spec.resourceAttributes,
      },
    ]);
  });

  it('asks about a path', () => {
    const policy = recorder();
    const spec = { nonResourceAttributes: { path: '/version', verb: 'get' } };
    reviewSelfSubjectAccess(ssar(spec), jane, policy);
    const [asked] = policy.asked;
    assert.deepEqual(
      [asked?.isResourceRequest, asked?.path, asked?.verb],
      [false, '/version', 'get'],
    );
  });

  it('answers without a reason if the policy has none', () => {
    const spec = { resourceAttributes: { verb: 'get', resource: 'pods' } };
    assert.deepEqual(reviewSelfSubjectAccess(ssar(spec), jane, denyAll).status, { allowed: false });
  });

  it('rejects both kinds of attributes, none, and metadata, as recorded', () => {
    const resourceAttributes = { verb: 'get', resource: 'pods' };
    const nonResourceAttributes = { path: '/version', verb: 'get' };
    const both = failure(() =>
      reviewSelfSubjectAccess(ssar({ resourceAttributes, nonResourceAttributes }), jane, allowAll),
    );
    assert.deepEqual(both, {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message:
        '.authorization.k8s.io "" is invalid: spec.nonResourceAttributes: Invalid value: {"Path":"/version","Verb":"get"}: cannot be specified in combination with resourceAttributes',
      reason: 'Invalid',
      details: {
        group: 'authorization.k8s.io',
        causes: [
          {
            reason: 'FieldValueInvalid',
            message:
              'Invalid value: {"Path":"/version","Verb":"get"}: cannot be specified in combination with resourceAttributes',
            field: 'spec.nonResourceAttributes',
          },
        ],
      },
      code: 422,
    });
    assert.equal(
      failure(() => reviewSelfSubjectAccess(ssar({}), jane, allowAll)).message,
      '.authorization.k8s.io "" is invalid: spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
    );
    assert.equal(
      failure(() =>
        reviewSelfSubjectAccess(ssar({ resourceAttributes }, { name: 'x' }), jane, allowAll),
      ).message,
      '.authorization.k8s.io "" is invalid: metadata: Invalid value: {"name":"x"}: must be empty',
    );
    const managed = ssar({ resourceAttributes }, { managedFields: [{ manager: 'm' }] });
    assert.equal(reviewSelfSubjectAccess(managed, jane, allowAll).status?.allowed, true);
  });

  it('reports an invalid selector and requires one of its two forms', () => {
    const review = (fieldSelector: object): SelfSubjectAccessReview =>
      reviewSelfSubjectAccess(
        ssar({ resourceAttributes: { verb: 'list', resource: 'pods', fieldSelector } }),
        jane,
        allowAll,
      );
    assert.deepEqual(review({ rawSelector: 'spec.nodeName=n1' }).status, { allowed: true });
    assert.deepEqual(review({ rawSelector: 'nonsense' }).status, {
      allowed: true,
      evaluationError: 'spec.resourceAttributes.fieldSelector ignored due to parse error',
    });
    assert.match(
      failure(() => review({})).message ?? '',
      /requirements or rawSelector is required/,
    );
    const both = {
      rawSelector: 'a=b',
      requirements: [{ key: 'a', operator: 'In', values: ['b'] }],
    };
    assert.match(failure(() => review(both)).message ?? '', /may not specified at the same time/);
  });
});

describe('reviewSubjectAccess', () => {
  it('asks about the user of the review', () => {
    const policy = recorder();
    reviewSubjectAccess(
      sar({
        user: 'bob',
        groups: ['g'],
        uid: 'u',
        extra: { k: ['v'] },
        resourceAttributes: { verb: 'list', resource: 'pods' },
      }),
      policy,
    );
    assert.deepEqual(policy.asked[0]?.user, {
      name: 'bob',
      groups: ['g'],
      uid: 'u',
      extra: { k: ['v'] },
    });
  });

  it('requires a user or a group', () => {
    const spec = { resourceAttributes: { verb: 'list', resource: 'pods' } };
    assert.equal(
      failure(() => reviewSubjectAccess(sar(spec), allowAll)).message,
      '.authorization.k8s.io "" is invalid: spec.user: Invalid value: "": at least one of user or group must be specified',
    );
  });
});

describe('reviewLocalSubjectAccess', () => {
  const lsar = (namespace: string): LocalSubjectAccessReview => ({
    kind: 'LocalSubjectAccessReview',
    apiVersion: 'authorization.k8s.io/v1',
    metadata: { namespace: 'default' },
    spec: { user: 'jane', resourceAttributes: { namespace, verb: 'get', resource: 'pods' } },
  });

  it('answers only for its namespace', () => {
    const review = reviewLocalSubjectAccess(lsar('default'), 'default', denyAll);
    assert.deepEqual(review.status, { allowed: false });
    assert.equal(
      failure(() => reviewLocalSubjectAccess(lsar('other'), 'default', denyAll)).message,
      '.authorization.k8s.io "" is invalid: spec.resourceAttributes.namespace: Invalid value: "other": must match metadata.namespace',
    );
    assert.equal(
      failure(() => reviewLocalSubjectAccess(lsar('default'), 'other', denyAll)).code,
      400,
    );
  });
});

describe('reviewSelfSubjectRules', () => {
  it('lists the rules in a new object', () => {
    const review = { metadata: { name: 'x' }, spec: { namespace: 'default' } };
    assert.deepEqual(reviewSelfSubjectRules(review, jane, allowAll), {
      kind: 'SelfSubjectRulesReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: {},
      spec: {},
      status: {
        resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
        nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
        incomplete: false,
      },
    });
  });

  it('requires a namespace', () => {
    const status = failure(() => reviewSelfSubjectRules({ spec: {} }, jane, allowAll));
    assert.deepEqual([status.code, status.message], [400, 'no namespace on request']);
  });
});

describe('reviewSelfSubject', () => {
  it('returns the user of the request', () => {
    const user = { ...jane, uid: 'u-1', extra: { scopes: ['a'], 'ex.com/key': ['v'] } };
    assert.deepEqual(reviewSelfSubject(user, '2026-01-31T09:00:00Z'), {
      kind: 'SelfSubjectReview',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { creationTimestamp: '2026-01-31T09:00:00Z' },
      status: {
        userInfo: {
          username: 'jane',
          uid: 'u-1',
          groups: ['system:authenticated'],
          extra: { 'ex.com/key': ['v'], scopes: ['a'] },
        },
      },
    });
  });
});

describe('reviewToken', () => {
  const tokens = [new StaticTokens({ good: { name: 'jane', groups: ['g'] } })];

  it('returns the user of a valid token', () => {
    assert.deepEqual(reviewToken({ spec: { token: 'good' } }, tokens).status, {
      authenticated: true,
      user: { username: 'jane', groups: ['g', 'system:authenticated'] },
      audiences: ['https://kubernetes.default.svc'],
    });
  });

  it('answers with an error for an invalid token', () => {
    assert.deepEqual(reviewToken({ spec: { token: 'unknown' } }, tokens).status, {
      user: {},
      error: 'invalid bearer token',
    });
  });

  it('requires a token', () => {
    const status = failure(() => reviewToken({ spec: { token: '' } }, tokens));
    assert.equal(status.message, 'token is required for TokenReview in authentication');
  });
});
