import { ClusterRoleAggregation } from '../controllers/cluster-role-aggregation.ts';
import type { ControllerName } from '../controllers/controllers.ts';
import { OwnWrites } from '../controllers/own-writes.ts';
import type { BuiltIns } from '../registry/catalog.ts';
import type { Cluster } from '../registry/cluster.ts';
import { ApiServiceRegistration, createApiServices } from './api-services.ts';
import { FlowControlConfig, maintainFlowControl } from './flow-control.ts';
import { createKubernetesService } from './kubernetes-service.ts';
import { preparedTemplate } from './prepared-template.ts';
import { reconcileRoles } from './reconcile-roles.ts';
import { createServiceCidr, ServiceAddresses } from './service-addresses.ts';
import { createSystemNamespaces, SystemNamespaces } from './system-namespaces.ts';
import { createTemplate, type Template, writeTemplate } from './template.ts';

/** Priority classes that exist in every cluster. */
const PRIORITY_CLASSES = [
  {
    name: 'system-cluster-critical',
    value: 2_000_000_000,
    description:
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  },
  {
    name: 'system-node-critical',
    value: 2_000_001_000,
    description: 'Used for system critical pods that must not be moved from their current node.',
  },
];

/**
 * Creates the objects that a real server creates before it answers its first request, and brings
 * those of an existing cluster up to date. Then keeps them until the result is disposed of.
 */
export function keepInitialObjects(
  cluster: Cluster,
  controllers: ReadonlySet<ControllerName>,
  onError: (error: unknown) => void,
): readonly Disposable[] {
  const aggregates = controllers.has('clusterrole-aggregation-controller');
  const write = aggregates ? writeWithAggregation : writeInitialObjects;
  const isNew = cluster.store.count('//namespaces/') === 0;
  if (isNew) writeTemplate(cluster, templateFor(cluster, write));
  else write(cluster);
  createKubernetesService(cluster);
  return [
    new SystemNamespaces(cluster, onError),
    new ApiServiceRegistration(cluster, onError),
    new FlowControlConfig(cluster, onError),
    new ServiceAddresses(cluster, onError),
  ];
}

/** By what writes the objects and the built-in resources of the cluster. */
const templates = new Map<(cluster: Cluster) => void, WeakMap<BuiltIns, Template>>();

function templateFor(cluster: Cluster, write: (cluster: Cluster) => void): Template {
  const { builtIns } = cluster.catalog;
  let known = templates.get(write);
  if (known === undefined) templates.set(write, (known = new WeakMap()));
  let template = known.get(builtIns);
  if (template === undefined) {
    const prepared =
      write === writeWithAggregation ? preparedTemplate(builtIns.groupVersions) : undefined;
    known.set(builtIns, (template = prepared ?? createTemplate(cluster, write)));
  }
  return template;
}

/** Writes what does not depend on the address of the server. */
function writeInitialObjects(cluster: Cluster): void {
  createSystemNamespaces(cluster);
  createApiServices(cluster);
  createServiceCidr(cluster);
  maintainFlowControl(cluster, 'all');
  const writes = new OwnWrites(cluster, 'kube-apiserver');
  for (const { name, value, description } of PRIORITY_CLASSES) {
    writes.create({
      kind: 'PriorityClass',
      apiVersion: 'scheduling.k8s.io/v1',
      metadata: { name },
      value,
      description,
      preemptionPolicy: 'PreemptLowerPriority',
    });
  }
  reconcileRoles(cluster);
}

/** Writes all initial objects, the default roles with the rules that their controller would add. */
export function writeWithAggregation(cluster: Cluster): void {
  writeInitialObjects(cluster);
  const fail = (error: unknown): never => {
    throw error;
  };
  new ClusterRoleAggregation(cluster, fail)[Symbol.dispose]();
}
