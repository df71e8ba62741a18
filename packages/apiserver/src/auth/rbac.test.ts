import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { ApiError, parseRequestInfo } from 'client-ts/meta';

import { type AccessPolicy, createAuthorizer, withSystemMasters } from './authorize.ts';
import { type BindingObject, createRbacPolicy, type RbacLookup, type RoleObject } from './rbac.ts';
import type { UserInfo } from './user.ts';

interface Objects {
  clusterRoles?: Record<string, RoleObject['rules']>;
  clusterRoleBindings?: BindingObject[];
  roles?: Record<string, RoleObject['rules']>;
  roleBindings?: BindingObject[];
}

function policyOf(objects: Objects): AccessPolicy {
  const role = (roles: Objects['roles'], key: string): RoleObject | undefined => {
    const rules = roles?.[key];
    return rules === undefined ? undefined : { rules };
  };
  const lookup: RbacLookup = {
    clusterRoleBindings: () => objects.clusterRoleBindings ?? [],
    roleBindings: (namespace) => {
      assert.notEqual(namespace, '', 'no namespace has bindings for the whole cluster');
      return (objects.roleBindings ?? []).filter(
        ({ metadata }) => metadata?.namespace === namespace,
      );
    },
    clusterRole: (name) => role(objects.clusterRoles, name),
    role: (namespace, name) => role(objects.roles, `${namespace}/${name}`),
  };
  return withSystemMasters(createRbacPolicy(lookup));
}

const apiGroup = 'rbac.authorization.k8s.io';

/** The recorded objects. */
const recorded = policyOf({
  clusterRoles: {
    'system:discovery': [
      { nonResourceURLs: ['/api', '/api/*', '/version', '/version/'], verbs: ['get'] },
    ],
  },
  clusterRoleBindings: [
    {
      metadata: { name: 'system:discovery' },
      subjects: [{ kind: 'Group', apiGroup, name: 'system:authenticated' }],
      roleRef: { apiGroup, kind: 'ClusterRole', name: 'system:discovery' },
    },
  ],
  roles: {
    'rec-auth/reader': [
      { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] },
      { apiGroups: [''], resources: ['secrets'], resourceNames: ['one'], verbs: ['get', 'list'] },
    ],
  },
  roleBindings: [
    {
      metadata: { name: 'readers', namespace: 'rec-auth' },
      roleRef: { apiGroup, kind: 'Role', name: 'reader' },
      subjects: [
        { kind: 'User', apiGroup, name: 'jane' },
        { kind: 'ServiceAccount', name: 'robot', namespace: 'rec-auth' },
      ],
    },
  ],
});

const jane = { name: 'jane', groups: ['system:authenticated'] };

/** Returns the message of the 403, or `allowed`. */
function outcome(policy: AccessPolicy, user: UserInfo, method: string, url: string): string {
  try {
    createAuthorizer(policy)({ info: parseRequestInfo(method, url), user });
    return 'allowed';
  } catch (error) {
    assert.ok(error instanceof ApiError);
    assert.equal(error.statusCode, 403);
    return error.message;
  }
}

describe('403 messages', () => {
  const ns = '/api/v1/namespaces/rec-auth';
  const cases: [user: UserInfo, method: string, url: string, expected: string][] = [
    [
      { name: 'system:anonymous', groups: ['system:unauthenticated'] },
      'GET',
      '/api/v1/nodes',
      'nodes is forbidden: User "system:anonymous" cannot list resource "nodes" in API group "" at the cluster scope',
    ],
    [
      jane,
      'POST',
      `${ns}/configmaps`,
      'configmaps is forbidden: User "jane" cannot create resource "configmaps" in API group "" in the namespace "rec-auth"',
    ],
    [
      jane,
      'GET',
      `${ns}/pods/x/log`,
      'pods "x" is forbidden: User "jane" cannot get resource "pods/log" in API group "" in the namespace "rec-auth"',
    ],
    [
      jane,
      'GET',
      '/apis/apps/v1/namespaces/rec-auth/deployments/x',
      'deployments.apps "x" is forbidden: User "jane" cannot get resource "deployments" in API group "apps" in the namespace "rec-auth"',
    ],
    [
      jane,
      'GET',
      '/api/v1/namespaces/rec-auth',
      'namespaces "rec-auth" is forbidden: User "jane" cannot get resource "namespaces" in API group "" in the namespace "rec-auth"',
    ],
    [jane, 'GET', '/metrics', 'forbidden: User "jane" cannot get path "/metrics"'],
    [
      { name: '<b>', groups: [] },
      'GET',
      '/metrics',
      'forbidden: User "&lt;b&gt;" cannot get path "/metrics"',
    ],
  ];
  for (const [user, method, url, expected] of cases) {
    it(`${user.name}: ${method} ${url}`, () => {
      assert.equal(outcome(recorded, user, method, url), expected);
    });
  }
});

describe('createRbacPolicy', () => {
  it('grants the rules of a bound role to users and service accounts', () => {
    const url = '/api/v1/namespaces/rec-auth/configmaps';
    const robot = { name: 'system:serviceaccount:rec-auth:robot', groups: [] };
    assert.equal(outcome(recorded, jane, 'GET', url), 'allowed');
    assert.equal(outcome(recorded, robot, 'GET', `${url}?watch=1`), 'allowed');
    assert.match(outcome(recorded, jane, 'GET', '/api/v1/configmaps'), /forbidden/);
    assert.match(outcome(recorded, { name: 'bob', groups: [] }, 'GET', url), /forbidden/);
  });

  it('respects resourceNames, also through a field selector', () => {
    const secrets = '/api/v1/namespaces/rec-auth/secrets';
    assert.equal(outcome(recorded, jane, 'GET', `${secrets}/one`), 'allowed');
    assert.match(outcome(recorded, jane, 'GET', `${secrets}/two`), /"two" is forbidden/);
    assert.match(outcome(recorded, jane, 'GET', secrets), /forbidden/);
    const selected = `${secrets}?fieldSelector=metadata.name%3Done`;
    assert.equal(outcome(recorded, jane, 'GET', selected), 'allowed');
  });

  it('grants paths, with a star at the end', () => {
    for (const path of ['/api', '/api/v1', '/version', '/version/']) {
      assert.equal(outcome(recorded, jane, 'GET', path), 'allowed', path);
    }
    assert.match(outcome(recorded, jane, 'GET', '/apis'), /cannot get path/);
    assert.match(outcome(recorded, jane, 'POST', '/api'), /cannot post path/);
  });

  it('allows system:masters everything', () => {
    const boss = { name: 'boss', groups: ['system:masters'] };
    assert.equal(outcome(recorded, boss, 'DELETE', '/api/v1/nodes'), 'allowed');
  });

  it('names the binding that allowed a request', () => {
    const info = parseRequestInfo('GET', '/api/v1/namespaces/rec-auth/configmaps');
    assert.equal(
      recorded.decide({ ...info, user: jane }).reason,
      'RBAC: allowed by RoleBinding "readers/rec-auth" of Role "reader" to User "jane"',
    );
    const robot = { name: 'system:serviceaccount:rec-auth:robot', groups: [] };
    assert.equal(
      recorded.decide({ ...info, user: robot }).reason,
      'RBAC: allowed by RoleBinding "readers/rec-auth" of Role "reader" to ServiceAccount "robot/rec-auth"',
    );
    assert.equal(
      recorded.decide({ ...parseRequestInfo('GET', '/version'), user: jane }).reason,
      'RBAC: allowed by ClusterRoleBinding "system:discovery" of ClusterRole "system:discovery" to Group "system:authenticated"',
    );
  });

  it('supports stars for verbs, groups, resources, and one subresource of all resources', () => {
    const bind = (rules: RoleObject['rules']): AccessPolicy =>
      policyOf({
        clusterRoles: { r: rules ?? [] },
        clusterRoleBindings: [
          {
            metadata: { name: 'b' },
            subjects: [{ kind: 'User', name: 'jane' }],
            roleRef: { kind: 'ClusterRole', name: 'r' },
          },
        ],
      });
    const scale = '/apis/apps/v1/namespaces/x/deployments/d/scale';
    const all = bind([{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]);
    assert.equal(outcome(all, jane, 'PUT', scale), 'allowed');
    const onlyScale = bind([{ apiGroups: ['apps'], resources: ['*/scale'], verbs: ['update'] }]);
    assert.equal(outcome(onlyScale, jane, 'PUT', scale), 'allowed');
    assert.match(outcome(onlyScale, jane, 'GET', scale), /forbidden/);
    assert.match(outcome(onlyScale, jane, 'PUT', scale.replace('/scale', '')), /forbidden/);
    assert.match(outcome(onlyScale, jane, 'PUT', scale.replace('/scale', '/status')), /forbidden/);
    const noSubresource = bind([{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['*'] }]);
    assert.match(outcome(noSubresource, jane, 'PUT', scale), /forbidden/);
  });

  it('uses the namespace of the binding for a service account without one', () => {
    const policy = policyOf({
      clusterRoles: { r: [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }] },
      roleBindings: [
        {
          metadata: { name: 'b', namespace: 'x' },
          subjects: [{ kind: 'ServiceAccount', name: 'robot' }],
          roleRef: { kind: 'ClusterRole', name: 'r' },
        },
      ],
    });
    const robot = (home: string): UserInfo => ({
      name: `system:serviceaccount:${home}:robot`,
      groups: [],
    });
    assert.equal(outcome(policy, robot('x'), 'GET', '/api/v1/namespaces/x/pods'), 'allowed');
    assert.match(outcome(policy, robot('y'), 'GET', '/api/v1/namespaces/x/pods'), /forbidden/);
  });

  it('names a missing role', () => {
    const policy = policyOf({
      clusterRoleBindings: [
        {
          metadata: { name: 'b' },
          subjects: [{ kind: 'User', name: 'jane' }],
          roleRef: { kind: 'ClusterRole', name: 'gone' },
        },
      ],
    });
    assert.match(
      outcome(policy, jane, 'GET', '/api/v1/pods'),
      /at the cluster scope: RBAC: clusterrole\.rbac\.authorization\.k8s\.io "gone" not found$/,
    );
    assert.equal(
      policy.rulesFor(jane, 'default').evaluationError,
      'clusterrole.rbac.authorization.k8s.io "gone" not found',
    );
  });

  it('lists the rules of a user', () => {
    assert.deepEqual(recorded.rulesFor(jane, 'rec-auth'), {
      resourceRules: [
        { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['configmaps'] },
        { verbs: ['get', 'list'], apiGroups: [''], resources: ['secrets'], resourceNames: ['one'] },
      ],
      nonResourceRules: [
        { verbs: ['get'], nonResourceURLs: ['/api', '/api/*', '/version', '/version/'] },
      ],
      incomplete: false,
    });
    assert.deepEqual(recorded.rulesFor(jane, 'other').resourceRules, []);
  });
});
