import type { ApiObject } from '../registry/object.ts';

const API = 'rbac.authorization.k8s.io';

interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

interface BootstrapRole {
  readonly name: string;
  readonly rules: readonly Rule[];
  /** Groups that have the role in the whole cluster. */
  readonly groups: readonly string[];
}

const HEALTH = ['/healthz', '/livez', '/readyz', '/version', '/version/'];
const DISCOVERY = [
  '/api',
  '/api/*',
  '/apis',
  '/apis/*',
  '/openapi',
  '/openapi/*',
  ...HEALTH,
].sort();

const ROLES: readonly BootstrapRole[] = [
  {
    name: 'cluster-admin',
    rules: [
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      { verbs: ['*'], nonResourceURLs: ['*'] },
    ],
    groups: ['system:masters'],
  },
  {
    name: 'system:basic-user',
    rules: [
      {
        verbs: ['create'],
        apiGroups: ['authorization.k8s.io'],
        resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
      },
      {
        verbs: ['create'],
        apiGroups: ['authentication.k8s.io'],
        resources: ['selfsubjectreviews'],
      },
    ],
    groups: ['system:authenticated'],
  },
  {
    name: 'system:discovery',
    rules: [{ verbs: ['get'], nonResourceURLs: DISCOVERY }],
    groups: ['system:authenticated'],
  },
  {
    name: 'system:public-info-viewer',
    rules: [{ verbs: ['get'], nonResourceURLs: HEALTH }],
    groups: ['system:authenticated', 'system:unauthenticated'],
  },
];

/** The roles without which nobody could even find out what a cluster serves, with their bindings. */
export function bootstrapRoles(): { readonly roles: ApiObject[]; readonly bindings: ApiObject[] } {
  const metadata = (name: string): ApiObject['metadata'] => ({
    name,
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
    annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
  });
  return {
    roles: ROLES.map(({ name, rules }) => ({
      kind: 'ClusterRole',
      apiVersion: `${API}/v1`,
      metadata: metadata(name),
      rules: rules.map((rule) => ({ ...rule })),
    })),
    bindings: ROLES.map(({ name, groups }) => ({
      kind: 'ClusterRoleBinding',
      apiVersion: `${API}/v1`,
      metadata: metadata(name),
      subjects: groups.map((group) => ({ kind: 'Group', apiGroup: API, name: group })),
      roleRef: { apiGroup: API, kind: 'ClusterRole', name },
    })),
  };
}
