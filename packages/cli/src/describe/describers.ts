import { type GroupKind, groupKindName } from 'client-ts/meta';

import {
  bindingDescriber,
  configMapDescriber,
  roleDescriber,
  secretDescriber,
  serviceAccountDescriber,
} from './access.ts';
import { autoscalerDescriber, disruptionBudgetDescriber } from './autoscaling.ts';
import {
  limitRangeDescriber,
  namespaceDescriber,
  nodeDescriber,
  priorityClassDescriber,
  quotaDescriber,
} from './cluster.ts';
import type { Describer } from './describer.ts';
import { genericDescriber } from './generic.ts';
import {
  endpointsDescriber,
  endpointSliceDescriber,
  ingressClassDescriber,
  ingressDescriber,
  ipAddressDescriber,
  networkPolicyDescriber,
  serviceCidrDescriber,
  serviceDescriber,
} from './network.ts';
import { podDescriber } from './pods.ts';
import {
  csiNodeDescriber,
  persistentVolumeClaimDescriber,
  persistentVolumeDescriber,
  storageClassDescriber,
  volumeAttributesClassDescriber,
} from './storage.ts';
import {
  cronJobDescriber,
  daemonSetDescriber,
  deploymentDescriber,
  jobDescriber,
  replicaSetDescriber,
  replicationControllerDescriber,
  statefulSetDescriber,
} from './workloads.ts';

/** The kinds that are described in their own way. */
const describers = new Map<string, unknown>([
  ['ConfigMap', configMapDescriber],
  ['Endpoints', endpointsDescriber],
  ['LimitRange', limitRangeDescriber],
  ['Namespace', namespaceDescriber],
  ['Node', nodeDescriber],
  ['PersistentVolume', persistentVolumeDescriber],
  ['PersistentVolumeClaim', persistentVolumeClaimDescriber],
  ['Pod', podDescriber],
  ['ReplicationController', replicationControllerDescriber],
  ['ResourceQuota', quotaDescriber],
  ['Secret', secretDescriber],
  ['Service', serviceDescriber],
  ['ServiceAccount', serviceAccountDescriber],
  ['DaemonSet.apps', daemonSetDescriber],
  ['Deployment.apps', deploymentDescriber],
  ['ReplicaSet.apps', replicaSetDescriber],
  ['StatefulSet.apps', statefulSetDescriber],
  ['HorizontalPodAutoscaler.autoscaling', autoscalerDescriber],
  ['CronJob.batch', cronJobDescriber],
  ['Job.batch', jobDescriber],
  ['EndpointSlice.discovery.k8s.io', endpointSliceDescriber],
  ['Ingress.networking.k8s.io', ingressDescriber],
  ['IngressClass.networking.k8s.io', ingressClassDescriber],
  ['IPAddress.networking.k8s.io', ipAddressDescriber],
  ['NetworkPolicy.networking.k8s.io', networkPolicyDescriber],
  ['ServiceCIDR.networking.k8s.io', serviceCidrDescriber],
  ['PodDisruptionBudget.policy', disruptionBudgetDescriber],
  ['ClusterRole.rbac.authorization.k8s.io', roleDescriber],
  ['ClusterRoleBinding.rbac.authorization.k8s.io', bindingDescriber],
  ['Role.rbac.authorization.k8s.io', roleDescriber],
  ['RoleBinding.rbac.authorization.k8s.io', bindingDescriber],
  ['PriorityClass.scheduling.k8s.io', priorityClassDescriber],
  ['CSINode.storage.k8s.io', csiNodeDescriber],
  ['StorageClass.storage.k8s.io', storageClassDescriber],
  ['VolumeAttributesClass.storage.k8s.io', volumeAttributesClassDescriber],
]);

/** Returns how a kind is described; all others generically. */
export function describerFor(kind: GroupKind): Describer {
  // The key is the kind of the objects that the describer takes.
  return (describers.get(groupKindName(kind)) as Describer | undefined) ?? genericDescriber;
}
