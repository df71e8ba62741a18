import { certificateSigningRequestPrinter, roleBindingPrinter } from './access.ts';
import {
  admissionPolicyBindingPrinter,
  mutatingAdmissionPolicyPrinter,
  validatingAdmissionPolicyPrinter,
  webhookConfigurationPrinter,
} from './admission.ts';
import { horizontalPodAutoscalerPrinter } from './autoscaling.ts';
import { cronJobPrinter, jobPrinter } from './batch.ts';
import {
  apiServicePrinter,
  flowSchemaPrinter,
  leaseCandidatePrinter,
  leasePrinter,
  podDisruptionBudgetPrinter,
  priorityClassPrinter,
  priorityLevelConfigurationPrinter,
  runtimeClassPrinter,
  storageVersionPrinter,
} from './cluster.ts';
import {
  componentStatusPrinter,
  configMapPrinter,
  namespacePrinter,
  nodePrinter,
  resourceQuotaPrinter,
  secretPrinter,
  serviceAccountPrinter,
} from './core.ts';
import { defaultPrinter } from './default.ts';
import {
  deviceClassPrinter,
  deviceTaintRulePrinter,
  resourceClaimPrinter,
  resourceClaimTemplatePrinter,
  resourcePoolStatusRequestPrinter,
  resourceSlicePrinter,
} from './devices.ts';
import { eventPrinter } from './event.ts';
import {
  endpointSlicePrinter,
  endpointsPrinter,
  ingressClassPrinter,
  ingressPrinter,
  ipAddressPrinter,
  networkPolicyPrinter,
  serviceCidrPrinter,
  servicePrinter,
} from './networking.ts';
import { podPrinter, podTemplatePrinter } from './pod.ts';
import type { Printer } from './printer.ts';
import {
  csiDriverPrinter,
  csiNodePrinter,
  persistentVolumeClaimPrinter,
  persistentVolumePrinter,
  storageClassPrinter,
  volumeAttachmentPrinter,
  volumeAttributesClassPrinter,
} from './storage.ts';
import {
  controllerRevisionPrinter,
  daemonSetPrinter,
  deploymentPrinter,
  replicaSetPrinter,
  replicationControllerPrinter,
  statefulSetPrinter,
} from './workloads.ts';

/** By group and plural. Kinds that are not here, such as roles, get the default table. */
const PRINTERS: ReadonlyMap<string, Printer> = new Map<string, Printer>([
  ['/componentstatuses', componentStatusPrinter],
  ['/configmaps', configMapPrinter],
  ['/endpoints', endpointsPrinter],
  ['/events', eventPrinter],
  ['/namespaces', namespacePrinter],
  ['/nodes', nodePrinter],
  ['/persistentvolumeclaims', persistentVolumeClaimPrinter],
  ['/persistentvolumes', persistentVolumePrinter],
  ['/pods', podPrinter],
  ['/podtemplates', podTemplatePrinter],
  ['/replicationcontrollers', replicationControllerPrinter],
  ['/resourcequotas', resourceQuotaPrinter],
  ['/secrets', secretPrinter],
  ['/serviceaccounts', serviceAccountPrinter],
  ['/services', servicePrinter],
  ['admissionregistration.k8s.io/mutatingadmissionpolicies', mutatingAdmissionPolicyPrinter],
  ['admissionregistration.k8s.io/mutatingadmissionpolicybindings', admissionPolicyBindingPrinter],
  ['admissionregistration.k8s.io/mutatingwebhookconfigurations', webhookConfigurationPrinter],
  ['admissionregistration.k8s.io/validatingadmissionpolicies', validatingAdmissionPolicyPrinter],
  ['admissionregistration.k8s.io/validatingadmissionpolicybindings', admissionPolicyBindingPrinter],
  ['admissionregistration.k8s.io/validatingwebhookconfigurations', webhookConfigurationPrinter],
  ['apiregistration.k8s.io/apiservices', apiServicePrinter],
  ['apps/controllerrevisions', controllerRevisionPrinter],
  ['apps/daemonsets', daemonSetPrinter],
  ['apps/deployments', deploymentPrinter],
  ['apps/replicasets', replicaSetPrinter],
  ['apps/statefulsets', statefulSetPrinter],
  ['autoscaling/horizontalpodautoscalers', horizontalPodAutoscalerPrinter],
  ['batch/cronjobs', cronJobPrinter],
  ['batch/jobs', jobPrinter],
  ['certificates.k8s.io/certificatesigningrequests', certificateSigningRequestPrinter],
  ['coordination.k8s.io/leasecandidates', leaseCandidatePrinter],
  ['coordination.k8s.io/leases', leasePrinter],
  ['discovery.k8s.io/endpointslices', endpointSlicePrinter],
  ['events.k8s.io/events', eventPrinter],
  ['flowcontrol.apiserver.k8s.io/flowschemas', flowSchemaPrinter],
  ['flowcontrol.apiserver.k8s.io/prioritylevelconfigurations', priorityLevelConfigurationPrinter],
  ['internal.apiserver.k8s.io/storageversions', storageVersionPrinter],
  ['networking.k8s.io/ingressclasses', ingressClassPrinter],
  ['networking.k8s.io/ingresses', ingressPrinter],
  ['networking.k8s.io/ipaddresses', ipAddressPrinter],
  ['networking.k8s.io/networkpolicies', networkPolicyPrinter],
  ['networking.k8s.io/servicecidrs', serviceCidrPrinter],
  ['node.k8s.io/runtimeclasses', runtimeClassPrinter],
  ['policy/poddisruptionbudgets', podDisruptionBudgetPrinter],
  ['rbac.authorization.k8s.io/clusterrolebindings', roleBindingPrinter],
  ['rbac.authorization.k8s.io/rolebindings', roleBindingPrinter],
  ['resource.k8s.io/deviceclasses', deviceClassPrinter],
  ['resource.k8s.io/devicetaintrules', deviceTaintRulePrinter],
  ['resource.k8s.io/resourceclaims', resourceClaimPrinter],
  ['resource.k8s.io/resourceclaimtemplates', resourceClaimTemplatePrinter],
  ['resource.k8s.io/resourcepoolstatusrequests', resourcePoolStatusRequestPrinter],
  ['resource.k8s.io/resourceslices', resourceSlicePrinter],
  ['scheduling.k8s.io/priorityclasses', priorityClassPrinter],
  ['storage.k8s.io/csidrivers', csiDriverPrinter],
  ['storage.k8s.io/csinodes', csiNodePrinter],
  ['storage.k8s.io/storageclasses', storageClassPrinter],
  ['storage.k8s.io/volumeattachments', volumeAttachmentPrinter],
  ['storage.k8s.io/volumeattributesclasses', volumeAttributesClassPrinter],
]);

/** The printer of a built-in resource. It takes objects in the form that they are stored in. */
export function printerFor(group: string, resource: string): Printer {
  return PRINTERS.get(`${group}/${resource}`) ?? defaultPrinter;
}
