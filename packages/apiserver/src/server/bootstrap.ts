import { formatTime, parseApiVersion } from 'client-ts/meta';

import { updateManagedFields } from '../fieldmanager/manager.ts';
import { type Cluster, withClusterContext } from '../registry/cluster.ts';
import type { ApiObject } from '../registry/object.ts';

/** The namespaces of a new cluster. */
const NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** Priority classes that exist in every cluster. */
const PRIORITY_CLASSES = [
  { name: 'system-cluster-critical', value: 2_000_000_000 },
  { name: 'system-node-critical', value: 2_000_001_000 },
];

/** Creates the objects that a real server creates before it answers its first request. */
export function bootstrap(cluster: Cluster): void {
  for (const name of NAMESPACES) {
    create(cluster, '', 'namespaces', {
      kind: 'Namespace',
      apiVersion: 'v1',
      metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
    });
  }
  for (const { name, value } of PRIORITY_CLASSES) {
    create(cluster, 'scheduling.k8s.io', 'priorityclasses', {
      kind: 'PriorityClass',
      apiVersion: 'scheduling.k8s.io/v1',
      metadata: { name },
      value,
      preemptionPolicy: 'PreemptLowerPriority',
    });
  }
  create(cluster, '', 'services', {
    kind: 'Service',
    apiVersion: 'v1',
    metadata: {
      name: 'kubernetes',
      namespace: 'default',
      labels: { component: 'apiserver', provider: 'kubernetes' },
    },
    spec: {
      type: 'ClusterIP',
      clusterIP: '10.0.0.1',
      ipFamilyPolicy: 'SingleStack',
      internalTrafficPolicy: 'Cluster',
      sessionAffinity: 'None',
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: 6443 }],
    },
  });
  const { roles, bindings } = bootstrapRoles();
  for (const role of roles) create(cluster, RBAC, 'clusterroles', role);
  for (const binding of bindings) create(cluster, RBAC, 'clusterrolebindings', binding);
}

const RBAC = 'rbac.authorization.k8s.io';

/** Creates an object, with the server as the manager of its fields. */
function create(cluster: Cluster, group: string, resource: string, object: ApiObject): void {
  const { catalog, clock } = cluster;
  const { namespace = '', name = '' } = object.metadata;
  const registry = catalog.registry(group, resource);
  const { apiVersion = '' } = object;
  const { version } = parseApiVersion(apiVersion);
  const info = catalog.served(group, version, resource)?.info;
  if (registry === undefined || info === undefined) return;
  if (registry.find(namespace, name) !== undefined) return;
  const managedFields = updateManagedFields({
    updated: object,
    schema: info.schema,
    manager: 'kube-apiserver',
    apiVersion,
    subresource: '',
    now: formatTime(clock.now()),
  });
  if (managedFields !== undefined) object.metadata.managedFields = managedFields;
  withClusterContext(cluster, { namespace }, (context) => registry.create(object, context));
}

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
  /** Groups that are bound to the role cluster-wide. */
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

/** Returns the default roles, for example the one for discovery, and their bindings. */
function bootstrapRoles(): { readonly roles: ApiObject[]; readonly bindings: ApiObject[] } {
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
