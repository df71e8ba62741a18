import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compareRoles } from './compare-roles.ts';
import { grantsOf, isGranted } from './grants.ts';
import type { Permission } from './permission.ts';
import { rulesOf } from './role-rules.ts';

const use = (verb: string, resource: string, name = '', group = ''): Permission => ({
  verb,
  group,
  resource,
  namespace: '',
  name,
});

describe('rulesOf', () => {
  it('merges verbs of a resource, and resources with the same verbs, in a stable order', () => {
    const permissions = [
      use('watch', 'pods'),
      use('patch', 'deployments', '', 'apps'),
      use('get', 'secrets', 'tls'),
      use('list', 'pods'),
      use('list', 'configmaps'),
      use('watch', 'configmaps'),
      use('create', 'events'),
      { verb: 'get', url: '/metrics' },
    ];
    const rules = rulesOf(permissions);
    assert.deepEqual(rules, [
      { apiGroups: [''], resources: ['configmaps', 'pods'], verbs: ['list', 'watch'] },
      { apiGroups: [''], resources: ['events'], verbs: ['create'] },
      { apiGroups: [''], resources: ['secrets'], verbs: ['get'] },
      { apiGroups: ['apps'], resources: ['deployments'], verbs: ['patch'] },
      { nonResourceURLs: ['/metrics'], verbs: ['get'] },
    ]);
    assert.deepEqual(rulesOf(permissions.toReversed()), rules);
  });

  it('restricts verbs that were always used by name, if asked', () => {
    const permissions = [
      use('get', 'leases', 'web'),
      use('update', 'leases', 'web'),
      use('create', 'leases'),
      use('get', 'secrets', 'a'),
      use('get', 'secrets', 'b'),
      use('list', 'pods', 'one'),
      use('list', 'pods'),
    ];
    assert.deepEqual(rulesOf(permissions, { resourceNames: true }), [
      { apiGroups: [''], resources: ['leases'], verbs: ['create'] },
      { apiGroups: [''], resources: ['leases'], resourceNames: ['web'], verbs: ['get', 'update'] },
      { apiGroups: [''], resources: ['pods'], verbs: ['list'] },
      { apiGroups: [''], resources: ['secrets'], resourceNames: ['a', 'b'], verbs: ['get'] },
    ]);
  });

  it('grants what was used and nothing else, for any permissions', () => {
    const permission = fc.oneof(
      fc.record({
        verb: fc.constantFrom('get', 'list', 'watch', 'create', 'patch', 'delete', 'approve'),
        group: fc.constantFrom('', 'apps', 'example.com'),
        resource: fc.constantFrom('pods', 'pods/log', 'widgets', 'widgets/status'),
        namespace: fc.constant(''),
        name: fc.constantFrom('', 'a', 'b'),
      }),
      fc.record({ verb: fc.constant('get'), url: fc.constantFrom('/metrics', '/logs') }),
    );
    fc.assert(
      fc.property(fc.array(permission), fc.boolean(), (used, resourceNames) => {
        const rules = rulesOf(used, { resourceNames });
        const role = { kind: 'ClusterRole', metadata: { name: 'r' }, rules };
        const grants = grantsOf([role]);
        for (const each of used) assert.ok(isGranted(grants, each));
        assert.deepEqual(compareRoles([role], used), { missing: [], excess: [] });
        assert.deepEqual(rulesOf(used.toReversed(), { resourceNames }), rules);
      }),
    );
  });
});
