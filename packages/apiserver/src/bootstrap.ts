import { bootstrapRoles } from './bootstrap-rbac.ts';
import { withCoreContext } from './endpoints/strategy-context.ts';
import type { Core } from './endpoints/exchange.ts';
import type { ApiObject } from './registry/object.ts';

/** The namespaces that every cluster has from the start. */
const NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** Classes that pods may name without anybody having created them. */
const PRIORITY_CLASSES = [
  { name: 'system-cluster-critical', value: 2_000_000_000 },
  { name: 'system-node-critical', value: 2_000_001_000 },
];

/** Puts into an empty store what a real server puts there before it answers its first request. */
export function bootstrap(core: Core): void {
  for (const name of NAMESPACES) {
    create(core, '', 'namespaces', {
      kind: 'Namespace',
      apiVersion: 'v1',
      metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
  }
  for (const { name, value } of PRIORITY_CLASSES) {
    create(core, 'scheduling.k8s.io', 'priorityclasses', {
      kind: 'PriorityClass',
      apiVersion: 'scheduling.k8s.io/v1',
      metadata: { name },
      value,
      preemptionPolicy: 'PreemptLowerPriority',
    });
  }
  const { roles, bindings } = bootstrapRoles();
  for (const role of roles) create(core, RBAC, 'clusterroles', role);
  for (const binding of bindings) create(core, RBAC, 'clusterrolebindings', binding);
}

const RBAC = 'rbac.authorization.k8s.io';

function create(core: Core, group: string, resource: string, object: ApiObject): void {
  const registry = core.catalog.registry(group, resource);
  if (registry?.find('', object.metadata.name ?? '') !== undefined) return;
  withCoreContext(core, {}, (context) => registry?.create(object, context));
}
