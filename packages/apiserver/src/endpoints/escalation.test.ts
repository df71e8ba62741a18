import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestServer } from '../testing/test-server.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const ROLES = `${RBAC}/namespaces/default/roles`;
const BINDINGS = `${RBAC}/namespaces/default/rolebindings`;
const CLUSTER_ROLES = `${RBAC}/clusterroles`;
const CLUSTER_BINDINGS = `${RBAC}/clusterrolebindings`;

const rbac = (resources: string[], verbs = ['*'], more: object = {}): object => ({
  apiGroups: ['rbac.authorization.k8s.io'],
  resources,
  verbs,
  ...more,
});
const READ_PODS = { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] };
const READ_SECRETS = { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list'] };
/** May write all roles and bindings, but has neither `escalate` nor `bind`. */
const MANAGE_RBAC = rbac(
  ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'],
  ['get', 'create', 'update', 'patch'],
);

const NOT_HELD =
  'user "eve" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n';

/** Returns a server where eve has the rules cluster-wide. */
async function serverFor(...rules: object[]): Promise<TestServer> {
  const server = new TestServer({ authorization: 'rbac' });
  await server.given('post', CLUSTER_ROLES, { metadata: { name: 'eves' }, rules });
  await server.given('post', CLUSTER_BINDINGS, {
    metadata: { name: 'eves' },
    subjects: [{ kind: 'User', name: 'eve' }],
    roleRef: { kind: 'ClusterRole', name: 'eves' },
  });
  return server;
}

const asEve = { headers: { 'impersonate-user': 'eve' } };

const role = (name: string, ...rules: object[]): object => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: { name },
  rules,
});
const clusterRole = (name: string, ...rules: object[]): object => ({
  ...role(name, ...rules),
  kind: 'ClusterRole',
});
const binding = (kind: string, name: string): object => ({
  metadata: { name: 'b' },
  subjects: [{ kind: 'User', name: 'eve' }],
  roleRef: { kind, name },
});

describe('a user who may write roles', () => {
  it('cannot create a role with rights that the user lacks', async () => {
    using server = await serverFor(MANAGE_RBAC, READ_PODS);
    for (const [path, resource, body] of [
      [ROLES, 'roles', role('r', READ_PODS, READ_SECRETS)],
      [CLUSTER_ROLES, 'clusterroles', clusterRole('r', READ_PODS, READ_SECRETS)],
    ] as const) {
      const { status, body: answer } = await server.post(path, body, asEve);
      assert.equal(status, 403);
      assert.equal(
        answer['message'],
        `${resource}.rbac.authorization.k8s.io "r" is forbidden: ${NOT_HELD}` +
          '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}',
      );
      assert.deepEqual(answer['details'], {
        name: 'r',
        group: 'rbac.authorization.k8s.io',
        kind: resource,
      });
    }
  });

  it("can create a role with exactly the user's rights", async () => {
    using server = await serverFor(MANAGE_RBAC, READ_PODS, {
      apiGroups: ['apps'],
      resources: ['*/scale'],
      verbs: ['get'],
      resourceNames: ['web', 'db'],
    });
    const scale = { apiGroups: ['apps'], resources: ['deployments/scale'], verbs: ['get'] };
    const named = { ...scale, resourceNames: ['web'] };
    assert.equal((await server.post(ROLES, role('ok', READ_PODS, named), asEve)).status, 201);
    const unnamed = await server.post(ROLES, role('r', scale), asEve);
    assert.equal(
      unnamed.body['message'],
      `roles.rbac.authorization.k8s.io "r" is forbidden: ${NOT_HELD}` +
        '{APIGroups:["apps"], Resources:["deployments/scale"], Verbs:["get"]}',
    );
    const other = await server.post(
      ROLES,
      role('r', { ...scale, resourceNames: ['web', 'other'] }),
      asEve,
    );
    assert.equal(
      other.body['message'],
      `roles.rbac.authorization.k8s.io "r" is forbidden: ${NOT_HELD}` +
        '{APIGroups:["apps"], Resources:["deployments/scale"], ResourceNames:["other"], Verbs:["get"]}',
    );
  });

  it("cannot grant paths beyond the user's", async () => {
    using server = await serverFor(MANAGE_RBAC, {
      nonResourceURLs: ['/healthz/*', '/version'],
      verbs: ['get'],
    });
    const urls = (...nonResourceURLs: string[]): object =>
      clusterRole('u', { nonResourceURLs, verbs: ['get', 'post'] });
    const refused = await server.post(CLUSTER_ROLES, urls('/healthz/x', '/metrics'), asEve);
    assert.equal(
      refused.body['message'],
      `clusterroles.rbac.authorization.k8s.io "u" is forbidden: ${NOT_HELD}` +
        [
          '{NonResourceURLs:["/healthz/x"], Verbs:["post"]}',
          '{NonResourceURLs:["/metrics"], Verbs:["get"]}',
          '{NonResourceURLs:["/metrics"], Verbs:["post"]}',
        ].join('\n'),
    );
  });

  it('cannot add rights by update, patch or apply', async () => {
    using server = await serverFor(MANAGE_RBAC, READ_PODS);
    await server.given('post', ROLES, role('r', READ_PODS));
    const more = [READ_PODS, READ_SECRETS];
    const path = `${ROLES}/r`;
    const writes = [
      () => server.put(path, role('r', ...more), asEve),
      () => server.patch('merge', path, { rules: more }, asEve),
      () => server.patch('strategic', path, { rules: more }, asEve),
      () =>
        server.patch('json', path, [{ op: 'add', path: '/rules/-', value: READ_SECRETS }], asEve),
      () => server.patch('apply', `${path}?fieldManager=eve&force=true`, role('r', ...more), asEve),
      // These create an object.
      () => server.put(`${ROLES}/new`, role('new', ...more), asEve),
      () => server.patch('apply', `${ROLES}/new?fieldManager=eve`, role('new', ...more), asEve),
    ];
    for (const write of writes) {
      const { status, text } = await write();
      assert.equal(status, 403, text);
      assert.match(text, /not currently held/);
    }
    const { body } = await server.get(path);
    assert.deepEqual(body['rules'], [
      { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] },
    ]);
  });

  it("can change labels of a role within the user's rights, and ownership of any role", async () => {
    using server = await serverFor(MANAGE_RBAC, READ_PODS);
    await server.given('post', ROLES, role('mine', READ_PODS));
    await server.given('post', ROLES, role('theirs', READ_SECRETS));
    const labels = { metadata: { labels: { a: 'b' } } };
    assert.equal((await server.patch('merge', `${ROLES}/mine`, labels, asEve)).status, 200);
    assert.equal((await server.patch('merge', `${ROLES}/theirs`, labels, asEve)).status, 403);
    const finalizers = { metadata: { finalizers: ['example.com/x'] } };
    assert.equal((await server.patch('merge', `${ROLES}/theirs`, finalizers, asEve)).status, 200);
  });

  it('can escalate with the verb escalate, by name only if the request has a name', async () => {
    using server = await serverFor(
      MANAGE_RBAC,
      rbac(['roles'], ['escalate'], { resourceNames: ['r'] }),
    );
    await server.given('post', ROLES, role('r'));
    await server.given('post', ROLES, role('other'));
    const update = (name: string): Promise<{ status: number }> =>
      server.put(`${ROLES}/${name}`, role(name, READ_SECRETS), asEve);
    assert.equal((await update('r')).status, 200);
    assert.equal((await update('other')).status, 403);
    // A create has its name in the body, which authorization does not see.
    assert.equal((await server.post(ROLES, role('r2', READ_SECRETS), asEve)).status, 403);

    using free = await serverFor(MANAGE_RBAC, rbac(['roles'], ['escalate']));
    assert.equal((await free.post(ROLES, role('r', READ_SECRETS), asEve)).status, 201);
    assert.equal(
      (await free.post(CLUSTER_ROLES, clusterRole('r', READ_SECRETS), asEve)).status,
      403,
    );
  });

  it('needs all rights to set an aggregation rule or change an aggregated role', async () => {
    using server = await serverFor(MANAGE_RBAC, READ_PODS);
    const aggregated = {
      ...clusterRole('sum'),
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
    };
    const message =
      'clusterroles.rbac.authorization.k8s.io "sum" is forbidden: must have cluster-admin privileges to use the aggregationRule';
    const created = await server.post(CLUSTER_ROLES, aggregated, asEve);
    assert.deepEqual([created.status, created.body['message']], [403, message]);
    await server.given('post', CLUSTER_ROLES, aggregated);
    const removed = await server.put(`${CLUSTER_ROLES}/sum`, clusterRole('sum'), asEve);
    assert.deepEqual([removed.status, removed.body['message']], [403, message]);

    using all = await serverFor(
      { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
      { nonResourceURLs: ['*'], verbs: ['*'] },
    );
    assert.equal((await all.post(CLUSTER_ROLES, aggregated, asEve)).status, 201);
  });

  it('gets a bounded response for a role with a huge product of lists', async () => {
    using server = await serverFor(MANAGE_RBAC, READ_PODS);
    const many = Array.from({ length: 2000 }, (_, index) => `x${index}`);
    const huge = { apiGroups: many, resources: many, verbs: many, resourceNames: many };
    const { status, text } = await server.post(ROLES, role('r', huge), asEve);
    assert.equal(status, 403);
    assert.ok(text.length < 100_000, `${text.length} characters`);
  });
});

describe('a user who may write bindings', () => {
  it("cannot bind a role with more rights than the user's, or one that does not exist", async () => {
    using server = await serverFor(MANAGE_RBAC, READ_PODS);
    await server.given('post', ROLES, role('secrets', READ_SECRETS));
    for (const [path, body, resource] of [
      [BINDINGS, binding('Role', 'secrets'), 'rolebindings'],
      [BINDINGS, binding('ClusterRole', 'cluster-admin'), 'rolebindings'],
      [CLUSTER_BINDINGS, binding('ClusterRole', 'cluster-admin'), 'clusterrolebindings'],
    ] as const) {
      const { status, text, body: answer } = await server.post(path, body, asEve);
      assert.equal(status, 403, text);
      const start = `${resource}.rbac.authorization.k8s.io "b" is forbidden: ${NOT_HELD}{`;
      assert.ok(String(answer['message']).startsWith(start), text);
    }
    const missing = await server.post(BINDINGS, binding('Role', 'none'), asEve);
    assert.equal(missing.status, 404);
    assert.equal(missing.body['message'], 'roles.rbac.authorization.k8s.io "none" not found');
  });

  it("can bind a role within the user's rights, but not add subjects to others", async () => {
    using server = await serverFor(MANAGE_RBAC, READ_PODS);
    await server.given('post', ROLES, role('pods', READ_PODS));
    assert.equal((await server.post(BINDINGS, binding('Role', 'pods'), asEve)).status, 201);
    await server.given('post', CLUSTER_BINDINGS, {
      ...binding('ClusterRole', 'cluster-admin'),
      subjects: [],
    });
    const path = `${CLUSTER_BINDINGS}/b`;
    const subjects = [{ kind: 'User', name: 'eve', apiGroup: 'rbac.authorization.k8s.io' }];
    const configuration = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      ...binding('ClusterRole', 'cluster-admin'),
      subjects,
    };
    for (const write of [
      () => server.put(path, configuration, asEve),
      () => server.patch('merge', path, { subjects }, asEve),
      () => server.patch('json', path, [{ op: 'add', path: '/subjects', value: subjects }], asEve),
      () => server.patch('apply', `${path}?fieldManager=eve&force=true`, configuration, asEve),
    ]) {
      const { status, text } = await write();
      assert.equal(status, 403, text);
    }
  });

  it('can bind with the verb bind on the role, by name and namespace', async () => {
    using server = await serverFor(
      MANAGE_RBAC,
      rbac(['clusterroles'], ['bind'], { resourceNames: ['cluster-admin'] }),
    );
    await server.given('post', CLUSTER_ROLES, clusterRole('other', READ_SECRETS));
    const bind = (name: string): Promise<{ status: number }> =>
      server.post(CLUSTER_BINDINGS, binding('ClusterRole', name), asEve);
    assert.equal((await bind('other')).status, 403);
    assert.equal((await bind('cluster-admin')).status, 201);
  });

  it('can bind in the one namespace where the user has the right', async () => {
    using server = await serverFor(rbac(['rolebindings', 'clusterrolebindings'], ['create']));
    await server.given('post', ROLES, role('binder', rbac(['clusterroles'], ['bind'])));
    await server.given('post', BINDINGS, {
      ...binding('Role', 'binder'),
      metadata: { name: 'binder' },
    });
    const admin = binding('ClusterRole', 'cluster-admin');
    assert.equal((await server.post(BINDINGS, admin, asEve)).status, 201);
    const elsewhere = BINDINGS.replace('default', 'kube-system');
    assert.equal((await server.post(elsewhere, admin, asEve)).status, 403);
    assert.equal((await server.post(CLUSTER_BINDINGS, admin, asEve)).status, 403);
  });

  it('can bind everything as a member of system:masters', async () => {
    using server = new TestServer({ authorization: 'rbac' });
    const masters = {
      headers: { 'impersonate-user': 'root', 'impersonate-group': 'system:masters' },
    };
    const { status } = await server.post(
      CLUSTER_BINDINGS,
      binding('ClusterRole', 'cluster-admin'),
      masters,
    );
    assert.equal(status, 201);
  });
});

describe('a user without the right to impersonate', () => {
  it('cannot become another user, group, uid or extra', async () => {
    using server = new TestServer({
      authorization: 'rbac',
      tokens: { 'eves-token': { name: 'eve', groups: [] } },
    });
    await server.given('post', CLUSTER_ROLES, {
      metadata: { name: 'become-bob' },
      rules: [
        { apiGroups: [''], resources: ['users'], verbs: ['impersonate'], resourceNames: ['bob'] },
      ],
    });
    await server.given('post', CLUSTER_BINDINGS, {
      metadata: { name: 'become-bob' },
      subjects: [{ kind: 'User', name: 'eve' }],
      roleRef: { kind: 'ClusterRole', name: 'become-bob' },
    });
    const as = (headers: object): Promise<{ status: number; text: string }> =>
      server.post(
        '/apis/authentication.k8s.io/v1/selfsubjectreviews',
        { kind: 'SelfSubjectReview', apiVersion: 'authentication.k8s.io/v1' },
        { headers: { authorization: 'Bearer eves-token', ...headers } },
      );
    const bob = { 'impersonate-user': 'bob' };
    const allowed = await as(bob);
    assert.equal(allowed.status, 201, allowed.text);
    for (const wanted of [
      { 'impersonate-user': 'root' },
      { ...bob, 'impersonate-group': 'system:masters' },
      { ...bob, 'impersonate-uid': '1' },
      { ...bob, 'impersonate-extra-scopes': 'all' },
      { ...bob, 'impersonate-extra-__proto__': 'x' },
      { ...bob, 'impersonate-extra-constructor': 'x' },
      { 'impersonate-user': 'system:serviceaccount:kube-system:default' },
    ]) {
      const { status, text } = await as(wanted);
      assert.equal(status, 403, text);
    }
    assert.deepEqual(server.errors, []);
  });
});
