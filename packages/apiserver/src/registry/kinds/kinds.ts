// Upstream: pkg/controlplane/instance.go
// Upstream: pkg/printers/internalversion/printers.go: AddHandlers
import { cloneJson } from 'client-ts/internal';
import type { KubernetesObject } from 'client-ts/meta';
import type { ApiObject } from '../object.ts';
import { defaultPrinter, type Printer } from '../printers/printer.ts';
import type { ResourceInfo } from '../resource.ts';
import type { Conversion } from '../served-resource.ts';
import type { Strategy } from '../strategy.ts';
import {
  admissionPolicyBindingPrinter,
  mutatingAdmissionPolicyBindingStrategy,
  mutatingAdmissionPolicyPrinter,
  mutatingAdmissionPolicyStrategy,
  validatingAdmissionPolicyBindingStrategy,
  validatingAdmissionPolicyPrinter,
  validatingAdmissionPolicyStrategy,
} from './admissionregistration/admission-policy.ts';
import {
  mutatingWebhookStrategy,
  validatingWebhookStrategy,
  webhookConfigurationPrinter,
} from './admissionregistration/webhooks.ts';
import { definitionStrategy } from './apiextensions/custom-resource-definition.ts';
import { apiServicePrinter, apiServiceStrategy } from './apiregistration/api-service.ts';
import { storageVersionPrinter } from './apiserverinternal/storage-version.ts';
import {
  controllerRevisionPrinter,
  controllerRevisionStrategy,
} from './apps/controller-revision.ts';
import { daemonSetPrinter, daemonSetStrategy } from './apps/daemon-set.ts';
import { deploymentPrinter, deploymentStrategy } from './apps/deployment.ts';
import { replicaSetPrinter, replicaSetStrategy } from './apps/replica-set.ts';
import { statefulSetPrinter, statefulSetStrategy } from './apps/stateful-set.ts';
import { hpaFromV2, hpaToV2 } from './autoscaling/conversion.ts';
import {
  horizontalPodAutoscalerPrinter,
  horizontalPodAutoscalerStrategy,
} from './autoscaling/horizontal-pod-autoscaler.ts';
import { cronJobPrinter, cronJobStrategy } from './batch/cron-job.ts';
import { jobPrinter, jobStrategy } from './batch/job.ts';
import {
  certificateSigningRequestPrinter,
  certificateSigningRequestStrategy,
} from './certificates/certificate-signing-request.ts';
import { leaseCandidatePrinter, leaseCandidateStrategy } from './coordination/lease-candidate.ts';
import { leasePrinter, leaseStrategy } from './coordination/lease.ts';
import { componentStatusPrinter } from './core/component-status.ts';
import { configMapPrinter, configMapStrategy } from './core/config-map.ts';
import { endpointsPrinter, endpointsStrategy } from './core/endpoints.ts';
import {
  eventFromCore,
  eventPrinter,
  eventStrategy,
  eventToCore,
  groupEventFieldNames,
} from './core/event.ts';
import { limitRangeStrategy } from './core/limit-range.ts';
import { namespacePrinter, namespaceStrategy } from './core/namespace.ts';
import { nodePrinter, nodeStrategy } from './core/node.ts';
import {
  persistentVolumeClaimPrinter,
  persistentVolumeClaimStrategy,
} from './core/persistent-volume-claim.ts';
import { persistentVolumePrinter, persistentVolumeStrategy } from './core/persistent-volume.ts';
import { podTemplatePrinter, podTemplateStrategy } from './core/pod-template.ts';
import { podStrategy } from './core/pod/pod.ts';
import { podPrinter } from './core/pod/printer.ts';
import {
  replicationControllerPrinter,
  replicationControllerStrategy,
} from './core/replication-controller.ts';
import { resourceQuotaPrinter, resourceQuotaStrategy } from './core/resource-quota.ts';
import { secretPrinter, secretStrategy } from './core/secret.ts';
import { serviceAccountPrinter, serviceAccountStrategy } from './core/service-account.ts';
import { servicePrinter, serviceStrategy } from './core/service/service.ts';
import { endpointSlicePrinter, endpointSliceStrategy } from './discovery/endpoint-slice.ts';
import { flowSchemaPrinter, flowSchemaStrategy } from './flowcontrol/flow-schema.ts';
import {
  priorityLevelConfigurationPrinter,
  priorityLevelStrategy,
} from './flowcontrol/priority-level.ts';
import { ingressClassPrinter, ingressClassStrategy } from './networking/ingress-class.ts';
import { ingressPrinter, ingressStrategy } from './networking/ingress.ts';
import { networkPolicyPrinter, networkPolicyStrategy } from './networking/network-policy.ts';
import {
  ipAddressPrinter,
  ipAddressStrategy,
  serviceCidrPrinter,
  serviceCIDRStrategy,
} from './networking/service-ranges.ts';
import { runtimeClassPrinter, runtimeClassStrategy } from './node/runtime-class.ts';
import {
  podDisruptionBudgetPrinter,
  podDisruptionBudgetStrategy,
} from './policy/pod-disruption-budget.ts';
import {
  clusterRoleBindingStrategy,
  clusterRoleStrategy,
  roleBindingPrinter,
  roleBindingStrategy,
  roleStrategy,
} from './rbac/rbac.ts';
import {
  deviceClassPrinter,
  deviceClassStrategy,
  deviceTaintRulePrinter,
  deviceTaintRuleStrategy,
  resourceClaimPrinter,
  resourceClaimStrategy,
  resourceClaimTemplatePrinter,
  resourceClaimTemplateStrategy,
  resourcePoolStatusRequestPrinter,
  resourceSlicePrinter,
  resourceSliceStrategy,
} from './resource/devices.ts';
import { priorityClassPrinter, priorityClassStrategy } from './scheduling/priority-class.ts';
import {
  csiDriverPrinter,
  csiDriverStrategy,
  csiNodePrinter,
  csiNodeStrategy,
  csiStorageCapacityStrategy,
} from './storage/csi.ts';
import {
  storageClassPrinter,
  storageClassStrategy,
  volumeAttributesClassPrinter,
  volumeAttributesClassStrategy,
} from './storage/storage-class.ts';
import { volumeAttachmentPrinter, volumeAttachmentStrategy } from './storage/volume-attachment.ts';
import { dropNulls, forAnyKind } from './support.ts';

/** The rules of a built-in kind, and the columns of its table. */
interface Kind {
  readonly strategy: Strategy;
  readonly printer: Printer;
}

/** The strategy of kinds without rules of their own: the metadata rules alone, no generation. */
const plainStrategy: Strategy = { generation: 'none' };

function kind<T extends KubernetesObject>(
  strategy: Strategy<T>,
  printer: Printer = defaultPrinter,
): Kind {
  return { strategy: forAnyKind(strategy), printer };
}

const plainKind = kind(plainStrategy);

/** The built-in kinds, by `group/resource`; the core group is empty. */
export const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['/componentstatuses', kind(plainStrategy, componentStatusPrinter)],
  ['/configmaps', kind(configMapStrategy, configMapPrinter)],
  ['/endpoints', kind(endpointsStrategy, endpointsPrinter)],
  ['/events', kind(eventStrategy, eventPrinter)],
  ['/limitranges', kind(limitRangeStrategy)],
  ['/namespaces', kind(namespaceStrategy, namespacePrinter)],
  ['/nodes', kind(nodeStrategy, nodePrinter)],
  ['/persistentvolumeclaims', kind(persistentVolumeClaimStrategy, persistentVolumeClaimPrinter)],
  ['/persistentvolumes', kind(persistentVolumeStrategy, persistentVolumePrinter)],
  ['/pods', kind(podStrategy, podPrinter)],
  ['/podtemplates', kind(podTemplateStrategy, podTemplatePrinter)],
  ['/replicationcontrollers', kind(replicationControllerStrategy, replicationControllerPrinter)],
  ['/resourcequotas', kind(resourceQuotaStrategy, resourceQuotaPrinter)],
  ['/secrets', kind(secretStrategy, secretPrinter)],
  ['/serviceaccounts', kind(serviceAccountStrategy, serviceAccountPrinter)],
  ['/services', kind(serviceStrategy, servicePrinter)],
  [
    'admissionregistration.k8s.io/mutatingadmissionpolicies',
    kind(mutatingAdmissionPolicyStrategy, mutatingAdmissionPolicyPrinter),
  ],
  [
    'admissionregistration.k8s.io/mutatingadmissionpolicybindings',
    kind(mutatingAdmissionPolicyBindingStrategy, admissionPolicyBindingPrinter),
  ],
  [
    'admissionregistration.k8s.io/mutatingwebhookconfigurations',
    kind(mutatingWebhookStrategy, webhookConfigurationPrinter),
  ],
  [
    'admissionregistration.k8s.io/validatingadmissionpolicies',
    kind(validatingAdmissionPolicyStrategy, validatingAdmissionPolicyPrinter),
  ],
  [
    'admissionregistration.k8s.io/validatingadmissionpolicybindings',
    kind(validatingAdmissionPolicyBindingStrategy, admissionPolicyBindingPrinter),
  ],
  [
    'admissionregistration.k8s.io/validatingwebhookconfigurations',
    kind(validatingWebhookStrategy, webhookConfigurationPrinter),
  ],
  ['apiextensions.k8s.io/customresourcedefinitions', kind(definitionStrategy)],
  ['apiregistration.k8s.io/apiservices', kind(apiServiceStrategy, apiServicePrinter)],
  ['apps/controllerrevisions', kind(controllerRevisionStrategy, controllerRevisionPrinter)],
  ['apps/daemonsets', kind(daemonSetStrategy, daemonSetPrinter)],
  ['apps/deployments', kind(deploymentStrategy, deploymentPrinter)],
  ['apps/replicasets', kind(replicaSetStrategy, replicaSetPrinter)],
  ['apps/statefulsets', kind(statefulSetStrategy, statefulSetPrinter)],
  [
    'autoscaling/horizontalpodautoscalers',
    kind(horizontalPodAutoscalerStrategy, horizontalPodAutoscalerPrinter),
  ],
  ['batch/cronjobs', kind(cronJobStrategy, cronJobPrinter)],
  ['batch/jobs', kind(jobStrategy, jobPrinter)],
  [
    'certificates.k8s.io/certificatesigningrequests',
    kind(certificateSigningRequestStrategy, certificateSigningRequestPrinter),
  ],
  ['coordination.k8s.io/leasecandidates', kind(leaseCandidateStrategy, leaseCandidatePrinter)],
  ['coordination.k8s.io/leases', kind(leaseStrategy, leasePrinter)],
  ['discovery.k8s.io/endpointslices', kind(endpointSliceStrategy, endpointSlicePrinter)],
  ['events.k8s.io/events', kind(eventStrategy, eventPrinter)],
  ['flowcontrol.apiserver.k8s.io/flowschemas', kind(flowSchemaStrategy, flowSchemaPrinter)],
  [
    'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations',
    kind(priorityLevelStrategy, priorityLevelConfigurationPrinter),
  ],
  ['internal.apiserver.k8s.io/storageversions', kind(plainStrategy, storageVersionPrinter)],
  ['networking.k8s.io/ingressclasses', kind(ingressClassStrategy, ingressClassPrinter)],
  ['networking.k8s.io/ingresses', kind(ingressStrategy, ingressPrinter)],
  ['networking.k8s.io/ipaddresses', kind(ipAddressStrategy, ipAddressPrinter)],
  ['networking.k8s.io/networkpolicies', kind(networkPolicyStrategy, networkPolicyPrinter)],
  ['networking.k8s.io/servicecidrs', kind(serviceCIDRStrategy, serviceCidrPrinter)],
  ['node.k8s.io/runtimeclasses', kind(runtimeClassStrategy, runtimeClassPrinter)],
  ['policy/poddisruptionbudgets', kind(podDisruptionBudgetStrategy, podDisruptionBudgetPrinter)],
  [
    'rbac.authorization.k8s.io/clusterrolebindings',
    kind(clusterRoleBindingStrategy, roleBindingPrinter),
  ],
  ['rbac.authorization.k8s.io/clusterroles', kind(clusterRoleStrategy)],
  ['rbac.authorization.k8s.io/rolebindings', kind(roleBindingStrategy, roleBindingPrinter)],
  ['rbac.authorization.k8s.io/roles', kind(roleStrategy)],
  ['resource.k8s.io/deviceclasses', kind(deviceClassStrategy, deviceClassPrinter)],
  ['resource.k8s.io/devicetaintrules', kind(deviceTaintRuleStrategy, deviceTaintRulePrinter)],
  ['resource.k8s.io/resourceclaims', kind(resourceClaimStrategy, resourceClaimPrinter)],
  [
    'resource.k8s.io/resourceclaimtemplates',
    kind(resourceClaimTemplateStrategy, resourceClaimTemplatePrinter),
  ],
  [
    'resource.k8s.io/resourcepoolstatusrequests',
    kind({ ...plainStrategy, deleteReturnsObject: true }, resourcePoolStatusRequestPrinter),
  ],
  ['resource.k8s.io/resourceslices', kind(resourceSliceStrategy, resourceSlicePrinter)],
  ['scheduling.k8s.io/priorityclasses', kind(priorityClassStrategy, priorityClassPrinter)],
  ['storage.k8s.io/csidrivers', kind(csiDriverStrategy, csiDriverPrinter)],
  ['storage.k8s.io/csinodes', kind(csiNodeStrategy, csiNodePrinter)],
  ['storage.k8s.io/csistoragecapacities', kind(csiStorageCapacityStrategy)],
  ['storage.k8s.io/storageclasses', kind(storageClassStrategy, storageClassPrinter)],
  ['storage.k8s.io/volumeattachments', kind(volumeAttachmentStrategy, volumeAttachmentPrinter)],
  [
    'storage.k8s.io/volumeattributesclasses',
    kind(volumeAttributesClassStrategy, volumeAttributesClassPrinter),
  ],
]);

/** Returns the strategy of a built-in kind; kinds outside the table have the metadata rules alone. */
export function strategyFor(group: string, resource: string): Strategy {
  return (kinds.get(`${group}/${resource}`) ?? plainKind).strategy;
}

/** Returns the printer of a built-in kind. It prints objects in the version that is stored. */
export function printerFor(group: string, resource: string): Printer {
  return (kinds.get(`${group}/${resource}`) ?? plainKind).printer;
}

/** Returns the labels that field selectors may use; undefined for name and namespace alone. */
export function fieldLabelsFor(group: string, resource: string): readonly string[] | undefined {
  return group === 'events.k8s.io' && resource === 'events'
    ? groupEventFieldNames
    : strategyFor(group, resource).selectableFieldNames;
}

/** Versions whose objects differ from the stored ones in shape, by `group/version/resource`. */
const conversions: ReadonlyMap<string, Conversion> = new Map([
  ['events.k8s.io/v1/events', conversion(eventFromCore, eventToCore)],
  ['autoscaling/v1/horizontalpodautoscalers', conversion(hpaFromV2, hpaToV2)],
]);

/** Returns the conversion for a version; undefined if only its `apiVersion` differs. */
export function conversionFor({
  group,
  version,
  resource,
}: Pick<ResourceInfo, 'group' | 'resource' | 'version'>): Conversion | undefined {
  return conversions.get(`${group}/${version}/${resource}`);
}

function conversion<Stored extends KubernetesObject, Served extends KubernetesObject>(
  fromStorage: (object: Stored) => Served,
  toStorage: (object: Served) => Stored,
): Conversion {
  return {
    fromStorage: (stored) => {
      const copy = cloneJson(stored);
      dropNulls(copy);
      return fromStorage(copy as unknown as Stored);
    },
    toStorage: (object) => toStorage(object as unknown as Served) as unknown as ApiObject,
  };
}
