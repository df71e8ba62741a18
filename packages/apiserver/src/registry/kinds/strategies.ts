import { validatePathSegmentName } from 'client-ts/meta';
import { definitionStrategy } from './custom-resource-definition.ts';
import type { Strategy } from '../strategy.ts';
import { configMapStrategy } from './config-map.ts';
import { cronJobStrategy } from './cron-job.ts';
import { daemonSetStrategy } from './daemon-set.ts';
import { deploymentStrategy } from './deployment.ts';
import { eventStrategy, groupEventFieldNames } from './event.ts';
import { horizontalPodAutoscalerStrategy } from './horizontal-pod-autoscaler.ts';
import { jobStrategy } from './job.ts';
import { leaseStrategy } from './lease.ts';
import { namespaceStrategy } from './namespace.ts';
import { nodeStrategy } from './node.ts';
import { podStrategy } from './pod.ts';
import { replicaSetStrategy } from './replica-set.ts';
import { replicationControllerStrategy } from './replication-controller.ts';
import { secretStrategy } from './secret.ts';
import { serviceAccountStrategy } from './service-account.ts';
import { serviceStrategy } from './service.ts';
import { statefulSetStrategy } from './stateful-set.ts';
import { forAnyKind } from './support.ts';

/** What is particular to each built-in kind, as `group/resource`; the core group is empty. */
export const strategies: ReadonlyMap<string, Strategy> = new Map<string, Strategy>([
  ['/configmaps', forAnyKind(configMapStrategy)],
  ['/events', forAnyKind(eventStrategy)],
  ['/namespaces', forAnyKind(namespaceStrategy)],
  ['/nodes', forAnyKind(nodeStrategy)],
  ['/pods', forAnyKind(podStrategy)],
  ['/replicationcontrollers', forAnyKind(replicationControllerStrategy)],
  ['/secrets', forAnyKind(secretStrategy)],
  ['/serviceaccounts', forAnyKind(serviceAccountStrategy)],
  ['/services', forAnyKind(serviceStrategy)],
  ['apiextensions.k8s.io/customresourcedefinitions', forAnyKind(definitionStrategy)],
  ['apps/daemonsets', forAnyKind(daemonSetStrategy)],
  ['apps/deployments', forAnyKind(deploymentStrategy)],
  ['apps/replicasets', forAnyKind(replicaSetStrategy)],
  ['apps/statefulsets', forAnyKind(statefulSetStrategy)],
  ['autoscaling/horizontalpodautoscalers', forAnyKind(horizontalPodAutoscalerStrategy)],
  // As it was before there was a garbage collector.
  ['batch/jobs', { propagation: 'Orphan' }],
  ['batch/cronjobs', forAnyKind(cronJobStrategy)],
  ['batch/jobs', forAnyKind(jobStrategy)],
  ['coordination.k8s.io/leases', forAnyKind(leaseStrategy)],
  ['events.k8s.io/events', forAnyKind(eventStrategy)],
  ['rbac.authorization.k8s.io/clusterrolebindings', { validateName: validatePathSegmentName }],
  ['rbac.authorization.k8s.io/clusterroles', { validateName: validatePathSegmentName }],
  ['rbac.authorization.k8s.io/rolebindings', { validateName: validatePathSegmentName }],
  ['rbac.authorization.k8s.io/roles', { validateName: validatePathSegmentName }],
]);

/** For kinds that nothing is particular about: the metadata rules, and no generation. */
const plainStrategy: Strategy = forAnyKind({ generation: 'none' });

/** The strategy of a built-in kind; one without rules of its own for those not in the table. */
export function strategyFor(group: string, resource: string): Strategy {
  return strategies.get(`${group}/${resource}`) ?? plainStrategy;
}

const COMMON_FIELDS = new Set(['metadata.name', 'metadata.namespace']);

/**
 * The labels that field selectors on a kind may use besides the name and namespace. None means that
 * the kind offers nothing else.
 */
export function selectableFieldNames(group: string, resource: string): readonly string[] {
  const names =
    group === 'events.k8s.io' && resource === 'events'
      ? groupEventFieldNames
      : (strategyFor(group, resource).selectableFieldNames ?? []);
  return names.filter((name) => !COMMON_FIELDS.has(name));
}
