import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestKind } from '../../../testing/test-kind.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';

describe('roles', () => {
  const rule = (change: object): { rules: object[] } => ({
    rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], ...change }],
  });

  it('reject invalid rules', async () => {
    using kind = new TestKind(`${RBAC}/namespaces/default/roles`, {
      metadata: { name: 'system:any:name' },
      rules: [],
    });
    await kind.created();
    await kind.refusesToCreate([
      [{ metadata: { name: 'a/b' } }, 'metadata.name: Invalid value: "a/b": may not contain \'/\''],
      [
        rule({ verbs: [] }),
        'rules[0].verbs: Required value: verbs must contain at least one value',
      ],
      [
        rule({ apiGroups: [], resources: [] }),
        'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
        'rules[0].resources: Required value: resource rules must supply at least one resource',
      ],
      [
        rule({ nonResourceURLs: ['/x'] }),
        'rules[0].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs',
        'rules[0].nonResourceURLs: Invalid value: ["/x"]: rules cannot apply to both regular resources and non-resource URLs',
      ],
    ]);
  });

  it('of the cluster may have URLs and aggregation rules', async () => {
    using kind = new TestKind(`${RBAC}/clusterroles`, { metadata: { name: 'r' }, rules: [] });
    await kind.created({ rules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }] });
    await kind.refusesToCreate([
      [
        rule({ nonResourceURLs: ['/x'] }),
        'rules[0].nonResourceURLs: Invalid value: ["/x"]: rules cannot apply to both regular resources and non-resource URLs',
      ],
      [
        { aggregationRule: { clusterRoleSelectors: [] } },
        'aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
      ],
      [
        { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { 'a b': 'c' } }] } },
        "aggregationRule.clusterRoleSelectors[0].matchLabels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        'aggregationRule.clusterRoleSelectors[0]: Invalid value: null: invalid label selector.',
      ],
    ]);
  });
});

describe('bindings', () => {
  const subject = (change: object): { subjects: object[] } => ({
    subjects: [{ kind: 'User', name: 'u', ...change }],
  });
  const roleRef = { kind: 'ClusterRole', name: 'r' };

  it('have an immutable role', async () => {
    using kind = new TestKind(`${RBAC}/namespaces/default/rolebindings`, {
      metadata: { name: 'b' },
      roleRef,
    });
    const binding = await kind.given(subject({}));
    assert.deepEqual(binding['subjects'], [
      { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'u' },
    ]);
    await kind.refusesToUpdate(binding, [
      [
        { roleRef: { name: 'other' } },
        'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"ClusterRole","Name":"other"}: cannot change roleRef',
      ],
      [
        { roleRef: { apiGroup: 'x' } },
        'roleRef.apiGroup: Unsupported value: "x": supported values: "rbac.authorization.k8s.io"',
        'roleRef: Invalid value: {"APIGroup":"x","Kind":"ClusterRole","Name":"r"}: cannot change roleRef',
      ],
      [subject({ name: '' }), 'subjects[0].name: Required value'],
      [
        subject({ apiGroup: 'x' }),
        'subjects[0].apiGroup: Unsupported value: "x": supported values: "rbac.authorization.k8s.io"',
      ],
      [
        subject({ kind: 'ServiceAccount', name: 'A', apiGroup: 'x' }),
        "subjects[0].name: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        'subjects[0].apiGroup: Unsupported value: "x": supported values: ""',
      ],
      [
        subject({ kind: 'X' }),
        'subjects[0].kind: Unsupported value: "X": supported values: "ServiceAccount", "User", "Group"',
      ],
    ]);
    await kind.updated(binding, subject({ kind: 'ServiceAccount', name: 'a' }));
  });

  it('of the cluster require the namespace of a service account', async () => {
    using kind = new TestKind(`${RBAC}/clusterrolebindings`, { metadata: { name: 'b' }, roleRef });
    await kind.refusesToCreate([
      [
        { roleRef: { kind: 'Role' } },
        'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
      ],
      [subject({ kind: 'ServiceAccount', name: 'a' }), 'subjects[0].namespace: Required value'],
    ]);
  });
});
