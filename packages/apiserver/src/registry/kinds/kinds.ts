import type { Strategy } from '../strategy.ts';
import {
  mutatingAdmissionPolicyBindingStrategy,
  mutatingAdmissionPolicyStrategy,
  validatingAdmissionPolicyBindingStrategy,
  validatingAdmissionPolicyStrategy,
} from './admissionregistration/admission-policy.ts';
import { apiServiceStrategy } from './apiregistration/api-service.ts';
import { certificateSigningRequestStrategy } from './certificates/certificate-signing-request.ts';
import { configMapStrategy } from './core/config-map.ts';
import { controllerRevisionStrategy } from './apps/controller-revision.ts';
import { cronJobStrategy } from './batch/cron-job.ts';
import { csiDriverStrategy, csiNodeStrategy, csiStorageCapacityStrategy } from './storage/csi.ts';
import { definitionStrategy } from './apiextensions/custom-resource-definition.ts';
import { daemonSetStrategy } from './apps/daemon-set.ts';
import { deploymentStrategy } from './apps/deployment.ts';
import { endpointSliceStrategy } from './discovery/endpoint-slice.ts';
import { endpointsStrategy } from './core/endpoints.ts';
import { eventStrategy, groupEventFieldNames } from './core/event.ts';
import { flowSchemaStrategy } from './flowcontrol/flow-schema.ts';
import { horizontalPodAutoscalerStrategy } from './autoscaling/horizontal-pod-autoscaler.ts';
import { ingressStrategy } from './networking/ingress.ts';
import { ingressClassStrategy } from './networking/ingress-class.ts';
import { jobStrategy } from './batch/job.ts';
import { leaseStrategy } from './coordination/lease.ts';
import { leaseCandidateStrategy } from './coordination/lease-candidate.ts';
import { limitRangeStrategy } from './core/limit-range.ts';
import { namespaceStrategy } from './core/namespace.ts';
import { networkPolicyStrategy } from './networking/network-policy.ts';
import { nodeStrategy } from './core/node.ts';
import { persistentVolumeStrategy } from './core/persistent-volume.ts';
import { persistentVolumeClaimStrategy } from './core/persistent-volume-claim.ts';
import { podStrategy } from './core/pod/pod.ts';
import { podDisruptionBudgetStrategy } from './policy/pod-disruption-budget.ts';
import { podTemplateStrategy } from './core/pod-template.ts';
import { priorityClassStrategy } from './scheduling/priority-class.ts';
import { priorityLevelStrategy } from './flowcontrol/priority-level.ts';
import {
  clusterRoleBindingStrategy,
  clusterRoleStrategy,
  roleBindingStrategy,
  roleStrategy,
} from './rbac/rbac.ts';
import { replicaSetStrategy } from './apps/replica-set.ts';
import { replicationControllerStrategy } from './core/replication-controller.ts';
import {
  deviceClassStrategy,
  deviceTaintRuleStrategy,
  resourceClaimStrategy,
  resourceClaimTemplateStrategy,
  resourceSliceStrategy,
} from './resource/devices.ts';
import { resourceQuotaStrategy } from './core/resource-quota.ts';
import { runtimeClassStrategy } from './node/runtime-class.ts';
import { secretStrategy } from './core/secret.ts';
import { serviceStrategy } from './core/service/service.ts';
import { serviceAccountStrategy } from './core/service-account.ts';
import { ipAddressStrategy, serviceCIDRStrategy } from './networking/service-ranges.ts';
import { statefulSetStrategy } from './apps/stateful-set.ts';
import { storageClassStrategy, volumeAttributesClassStrategy } from './storage/storage-class.ts';
import { volumeAttachmentStrategy } from './storage/volume-attachment.ts';
import {
  mutatingWebhookStrategy,
  validatingWebhookStrategy,
} from './admissionregistration/webhooks.ts';
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
