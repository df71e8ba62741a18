import type { Strategy } from '../strategy.ts';
import {
  mutatingAdmissionPolicyBindingStrategy,
  mutatingAdmissionPolicyStrategy,
  validatingAdmissionPolicyBindingStrategy,
  validatingAdmissionPolicyStrategy,
} from './admission-policy.ts';
import { apiServiceStrategy } from './api-service.ts';
import { certificateSigningRequestStrategy } from './certificate-signing-request.ts';
import { configMapStrategy } from './config-map.ts';
import { controllerRevisionStrategy } from './controller-revision.ts';
import { cronJobStrategy } from './cron-job.ts';
import { csiDriverStrategy, csiNodeStrategy, csiStorageCapacityStrategy } from './csi.ts';
import { definitionStrategy } from './custom-resource-definition.ts';
import { daemonSetStrategy } from './daemon-set.ts';
import { deploymentStrategy } from './deployment.ts';
import { endpointSliceStrategy } from './endpoint-slice.ts';
import { endpointsStrategy } from './endpoints.ts';
import { eventStrategy, groupEventFieldNames } from './event.ts';
import { flowSchemaStrategy } from './flow-schema.ts';
import { horizontalPodAutoscalerStrategy } from './horizontal-pod-autoscaler.ts';
import { ingressStrategy } from './ingress.ts';
import { ingressClassStrategy } from './ingress-class.ts';
import { jobStrategy } from './job.ts';
import { leaseStrategy } from './lease.ts';
import { leaseCandidateStrategy } from './lease-candidate.ts';
import { limitRangeStrategy } from './limit-range.ts';
import { namespaceStrategy } from './namespace.ts';
import { networkPolicyStrategy } from './network-policy.ts';
import { nodeStrategy } from './node.ts';
import { persistentVolumeStrategy } from './persistent-volume.ts';
import { persistentVolumeClaimStrategy } from './persistent-volume-claim.ts';
import { podStrategy } from './pod.ts';
import { podDisruptionBudgetStrategy } from './pod-disruption-budget.ts';
import { podTemplateStrategy } from './pod-template.ts';
import { priorityClassStrategy } from './priority-class.ts';
import { priorityLevelStrategy } from './priority-level.ts';
import {
  clusterRoleBindingStrategy,
  clusterRoleStrategy,
  roleBindingStrategy,
  roleStrategy,
} from './rbac.ts';
import { replicaSetStrategy } from './replica-set.ts';
import { replicationControllerStrategy } from './replication-controller.ts';
import {
  deviceClassStrategy,
  deviceTaintRuleStrategy,
  resourceClaimStrategy,
  resourceClaimTemplateStrategy,
  resourceSliceStrategy,
} from './resource-claim.ts';
import { resourceQuotaStrategy } from './resource-quota.ts';
import { runtimeClassStrategy } from './runtime-class.ts';
import { secretStrategy } from './secret.ts';
import { serviceStrategy } from './service.ts';
import { serviceAccountStrategy } from './service-account.ts';
import { ipAddressStrategy, serviceCIDRStrategy } from './service-ranges.ts';
import { statefulSetStrategy } from './stateful-set.ts';
import { storageClassStrategy, volumeAttributesClassStrategy } from './storage-class.ts';
import { volumeAttachmentStrategy } from './volume-attachment.ts';
import { mutatingWebhookStrategy, validatingWebhookStrategy } from './webhooks.ts';
import { forAnyKind } from './support.ts';

/** What is particular to each built-in kind, as `group/resource`; the core group is empty. */
export const strategies: ReadonlyMap<string, Strategy> = new Map<string, Strategy>([
  ['/configmaps', forAnyKind(configMapStrategy)],
  ['/endpoints', forAnyKind(endpointsStrategy)],
  ['/events', forAnyKind(eventStrategy)],
  ['/limitranges', forAnyKind(limitRangeStrategy)],
  ['/namespaces', forAnyKind(namespaceStrategy)],
  ['/nodes', forAnyKind(nodeStrategy)],
  ['/persistentvolumeclaims', forAnyKind(persistentVolumeClaimStrategy)],
  ['/persistentvolumes', forAnyKind(persistentVolumeStrategy)],
  ['/pods', forAnyKind(podStrategy)],
  ['/podtemplates', forAnyKind(podTemplateStrategy)],
  ['/replicationcontrollers', forAnyKind(replicationControllerStrategy)],
  ['/resourcequotas', forAnyKind(resourceQuotaStrategy)],
  ['/secrets', forAnyKind(secretStrategy)],
  ['/serviceaccounts', forAnyKind(serviceAccountStrategy)],
  ['/services', forAnyKind(serviceStrategy)],
  [
    'admissionregistration.k8s.io/mutatingadmissionpolicies',
    forAnyKind(mutatingAdmissionPolicyStrategy),
  ],
  [
    'admissionregistration.k8s.io/mutatingadmissionpolicybindings',
    forAnyKind(mutatingAdmissionPolicyBindingStrategy),
  ],
  [
    'admissionregistration.k8s.io/mutatingwebhookconfigurations',
    forAnyKind(mutatingWebhookStrategy),
  ],
  [
    'admissionregistration.k8s.io/validatingadmissionpolicies',
    forAnyKind(validatingAdmissionPolicyStrategy),
  ],
  [
    'admissionregistration.k8s.io/validatingadmissionpolicybindings',
    forAnyKind(validatingAdmissionPolicyBindingStrategy),
  ],
  [
    'admissionregistration.k8s.io/validatingwebhookconfigurations',
    forAnyKind(validatingWebhookStrategy),
  ],
  ['apiextensions.k8s.io/customresourcedefinitions', forAnyKind(definitionStrategy)],
  ['apiregistration.k8s.io/apiservices', forAnyKind(apiServiceStrategy)],
  ['apps/controllerrevisions', forAnyKind(controllerRevisionStrategy)],
  ['apps/daemonsets', forAnyKind(daemonSetStrategy)],
  ['apps/deployments', forAnyKind(deploymentStrategy)],
  ['apps/replicasets', forAnyKind(replicaSetStrategy)],
  ['apps/statefulsets', forAnyKind(statefulSetStrategy)],
  ['autoscaling/horizontalpodautoscalers', forAnyKind(horizontalPodAutoscalerStrategy)],
  ['batch/cronjobs', forAnyKind(cronJobStrategy)],
  ['batch/jobs', forAnyKind(jobStrategy)],
  ['certificates.k8s.io/certificatesigningrequests', forAnyKind(certificateSigningRequestStrategy)],
  ['coordination.k8s.io/leasecandidates', forAnyKind(leaseCandidateStrategy)],
  ['coordination.k8s.io/leases', forAnyKind(leaseStrategy)],
  ['discovery.k8s.io/endpointslices', forAnyKind(endpointSliceStrategy)],
  ['events.k8s.io/events', forAnyKind(eventStrategy)],
  ['flowcontrol.apiserver.k8s.io/flowschemas', forAnyKind(flowSchemaStrategy)],
  ['flowcontrol.apiserver.k8s.io/prioritylevelconfigurations', forAnyKind(priorityLevelStrategy)],
  ['networking.k8s.io/ingressclasses', forAnyKind(ingressClassStrategy)],
  ['networking.k8s.io/ingresses', forAnyKind(ingressStrategy)],
  ['networking.k8s.io/ipaddresses', forAnyKind(ipAddressStrategy)],
  ['networking.k8s.io/networkpolicies', forAnyKind(networkPolicyStrategy)],
  ['networking.k8s.io/servicecidrs', forAnyKind(serviceCIDRStrategy)],
  ['node.k8s.io/runtimeclasses', forAnyKind(runtimeClassStrategy)],
  ['policy/poddisruptionbudgets', forAnyKind(podDisruptionBudgetStrategy)],
  ['rbac.authorization.k8s.io/clusterrolebindings', forAnyKind(clusterRoleBindingStrategy)],
  ['rbac.authorization.k8s.io/clusterroles', forAnyKind(clusterRoleStrategy)],
  ['rbac.authorization.k8s.io/rolebindings', forAnyKind(roleBindingStrategy)],
  ['rbac.authorization.k8s.io/roles', forAnyKind(roleStrategy)],
  ['resource.k8s.io/deviceclasses', forAnyKind(deviceClassStrategy)],
  ['resource.k8s.io/devicetaintrules', forAnyKind(deviceTaintRuleStrategy)],
  ['resource.k8s.io/resourceclaims', forAnyKind(resourceClaimStrategy)],
  ['resource.k8s.io/resourceclaimtemplates', forAnyKind(resourceClaimTemplateStrategy)],
  ['resource.k8s.io/resourceslices', forAnyKind(resourceSliceStrategy)],
  ['scheduling.k8s.io/priorityclasses', forAnyKind(priorityClassStrategy)],
  ['storage.k8s.io/csidrivers', forAnyKind(csiDriverStrategy)],
  ['storage.k8s.io/csinodes', forAnyKind(csiNodeStrategy)],
  ['storage.k8s.io/csistoragecapacities', forAnyKind(csiStorageCapacityStrategy)],
  ['storage.k8s.io/storageclasses', forAnyKind(storageClassStrategy)],
  ['storage.k8s.io/volumeattachments', forAnyKind(volumeAttachmentStrategy)],
  ['storage.k8s.io/volumeattributesclasses', forAnyKind(volumeAttributesClassStrategy)],
]);

/** For kinds that nothing is particular about: the metadata rules, and no generation. */
const plainStrategy: Strategy = forAnyKind({ generation: 'none' });

/** The strategy of a built-in kind; one without rules of its own for those not in the table. */
export function strategyFor(group: string, resource: string): Strategy {
  return strategies.get(`${group}/${resource}`) ?? plainStrategy;
}

/** The labels that field selectors on a kind may use; undefined: its name and namespace alone. */
export function fieldLabelsFor(group: string, resource: string): readonly string[] | undefined {
  return group === 'events.k8s.io' && resource === 'events'
    ? groupEventFieldNames
    : strategyFor(group, resource).selectableFieldNames;
}
