import { formatTime, parseApiVersion } from 'client-ts/meta';

import { updateManagedFields } from '../fieldmanager/manager.ts';
import { bootstrapRoles } from './bootstrap-rbac.ts';
import { type Cluster, withClusterContext } from '../registry/cluster.ts';
import type { ApiObject } from '../registry/object.ts';

/** The namespaces that every cluster has from the start. */
const NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** Classes that pods may name without anybody having created them. */
const PRIORITY_CLASSES = [
  { name: 'system-cluster-critical', value: 2_000_000_000 },
  { name: 'system-node-critical', value: 2_000_001_000 },
];

/** Puts into an empty store what a real server puts there before it answers its first request. */
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

/** Created like everything else, with the server noted as its manager. */
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
