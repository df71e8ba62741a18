import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareRoles, permissionsIn } from './compare-roles.ts';
import type { Permission } from './permission.ts';
import { RbacError } from './rbac-error.ts';

const use = (verb: string, resource: string, namespace = '', name = ''): Permission => ({
  verb,
  group: '',
  resource,
  namespace,
  name,
});

const role = (rules: object[], namespace?: string) => ({
  kind: namespace === undefined ? 'ClusterRole' : 'Role',
  metadata: { name: 'web', ...(namespace !== undefined && { namespace }) },
  rules,
});

const rule = (resources: string[], verbs: string[], more: object = {}) => ({
  apiGroups: [''],
  resources,
  verbs,
  ...more,
});

describe('compareRoles', () => {
  it('grants paths only by a role that holds everywhere, as servers do', () => {
    const clusterRole = role([{ nonResourceURLs: ['/metrics'], verbs: ['get'] }]);
    const roleRef = { kind: 'ClusterRole', name: 'web' };
    const binding = { kind: 'RoleBinding', metadata: { name: 'web', namespace: 'shop' }, roleRef };
    const used = [{ verb: 'get', url: '/metrics' }];
    assert.deepEqual(compareRoles([clusterRole], used).missing, []);
    assert.deepEqual(compareRoles([clusterRole, binding], used).missing, ['get /metrics']);
  });

  it('names what is missing and what is too much', () => {
    const roles = [
      role([rule(['pods'], ['list', 'watch', 'delete'])]),
      role([rule(['leases'], ['get'], { resourceNames: ['a', 'b'] })], 'ops'),
    ];
    const used = [
      use('list', 'pods', 'shop'),
      use('create', 'pods', 'shop'),
      use('get', 'leases', 'ops', 'a'),
      use('get', 'leases', 'other', 'a'),
      { verb: 'get', url: '/metrics' },
    ];
    assert.deepEqual(compareRoles(roles, used), {
      missing: ['create pods in "shop"', 'get /metrics', 'get leases "a" in "other"'],
      excess: ['delete pods', 'get leases "b" in "ops"', 'watch pods'],
    });
  });

  it('takes permissions that requests do not show for no excess', () => {
    const roles = [
      role([
        rule(['pods'], ['get', 'watch']),
        rule(['pods/finalizers'], ['update']),
        rule(['events'], ['create', 'patch']),
      ]),
    ];
    const used = [use('watch', 'pods'), use('create', 'events')];
    assert.deepEqual(compareRoles(roles, used), { missing: [], excess: [] });
    const others = [role([rule(['secrets/finalizers'], ['update']), rule(['pods'], ['get'])])];
    assert.deepEqual(compareRoles(others, [use('create', 'pods')]).excess, [
      'get pods',
      'update secrets/finalizers',
    ]);
  });

  it('takes a wildcard for excess, though it allows what is used', () => {
    const roles = [role([rule(['*'], ['*'])])];
    assert.deepEqual(compareRoles(roles, [use('get', 'pods')]), { missing: [], excess: ['* *'] });
  });

  it('reads where a ClusterRole holds from its bindings', () => {
    const binding = {
      kind: 'RoleBinding',
      metadata: { name: 'web', namespace: 'shop' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'web' },
    };
    const objects = [role([rule(['pods'], ['list'])]), binding, { kind: 'Namespace' }];
    assert.deepEqual(compareRoles(objects, [use('list', 'pods')]).missing, ['list pods']);
    assert.deepEqual(compareRoles(objects, [use('list', 'pods', 'shop')]).missing, []);
  });

  it('compares under the namespaces of the roles', () => {
    const roles = [role([rule(['pods'], ['list'])], 'shop')];
    const namespaceOf = (): string => 'shop';
    assert.deepEqual(compareRoles(roles, [use('list', 'pods', 'test-1')], { namespaceOf }), {
      missing: [],
      excess: [],
    });
  });

  it('refuses a manifest without roles', () => {
    assert.throws(
      () => permissionsIn([{ kind: 'Pod' }]),
      (error) => error instanceof RbacError && error.code === 'RBAC_NO_ROLES',
    );
  });
});
