// The informers of every group-version of Kubernetes 1.36.4. Written by `npm run generate`; do not edit.

import type * as admissionregistrationV1 from '../../api/admissionregistration/v1.ts';
import type * as admissionregistrationV1alpha1 from '../../api/admissionregistration/v1alpha1.ts';
import type * as admissionregistrationV1beta1 from '../../api/admissionregistration/v1beta1.ts';
import type * as apiextensionsV1 from '../../api/apiextensions/v1.ts';
import type * as apiregistrationV1 from '../../api/apiregistration/v1.ts';
import type * as internalV1alpha1 from '../../api/apiserverinternal/v1alpha1.ts';
import type * as appsV1 from '../../api/apps/v1.ts';
import type * as autoscalingV1 from '../../api/autoscaling/v1.ts';
import type * as autoscalingV2 from '../../api/autoscaling/v2.ts';
import type * as batchV1 from '../../api/batch/v1.ts';
import type * as certificatesV1 from '../../api/certificates/v1.ts';
import type * as coordinationV1 from '../../api/coordination/v1.ts';
import type * as coordinationV1alpha2 from '../../api/coordination/v1alpha2.ts';
import type * as coordinationV1beta1 from '../../api/coordination/v1beta1.ts';
import type * as coreV1 from '../../api/core/v1.ts';
import type * as discoveryV1 from '../../api/discovery/v1.ts';
import type * as eventsV1 from '../../api/events/v1.ts';
import type * as flowcontrolV1 from '../../api/flowcontrol/v1.ts';
import type * as networkingV1 from '../../api/networking/v1.ts';
import type * as networkingV1beta1 from '../../api/networking/v1beta1.ts';
import type * as nodeV1 from '../../api/node/v1.ts';
import type * as policyV1 from '../../api/policy/v1.ts';
import type * as rbacV1 from '../../api/rbac/v1.ts';
import type * as resourceV1 from '../../api/resource/v1.ts';
import type * as resourceV1alpha3 from '../../api/resource/v1alpha3.ts';
import type * as resourceV1beta1 from '../../api/resource/v1beta1.ts';
import type * as resourceV1beta2 from '../../api/resource/v1beta2.ts';
import type * as schedulingV1 from '../../api/scheduling/v1.ts';
import type * as storageV1 from '../../api/storage/v1.ts';
import type * as storageV1beta1 from '../../api/storage/v1beta1.ts';
import type { InformerGetter } from '../typed-informer-factory.ts';

/** The resources of `v1`. */
export interface CoreV1Informers {
  /** `/api/v1/namespaces/{namespace}/configmaps` */
  readonly configMaps: InformerGetter<typeof coreV1.configMaps>;
  /** `/api/v1/namespaces/{namespace}/endpoints` */
  readonly endpoints: InformerGetter<typeof coreV1.endpoints>;
  /** `/api/v1/namespaces/{namespace}/events` */
  readonly events: InformerGetter<typeof coreV1.events>;
  /** `/api/v1/namespaces/{namespace}/limitranges` */
  readonly limitRanges: InformerGetter<typeof coreV1.limitRanges>;
  /** `/api/v1/namespaces` */
  readonly namespaces: InformerGetter<typeof coreV1.namespaces>;
  /** `/api/v1/nodes` */
  readonly nodes: InformerGetter<typeof coreV1.nodes>;
  /** `/api/v1/namespaces/{namespace}/persistentvolumeclaims` */
  readonly persistentVolumeClaims: InformerGetter<typeof coreV1.persistentVolumeClaims>;
  /** `/api/v1/persistentvolumes` */
  readonly persistentVolumes: InformerGetter<typeof coreV1.persistentVolumes>;
  /** `/api/v1/namespaces/{namespace}/pods` */
  readonly pods: InformerGetter<typeof coreV1.pods>;
  /** `/api/v1/namespaces/{namespace}/podtemplates` */
  readonly podTemplates: InformerGetter<typeof coreV1.podTemplates>;
  /** `/api/v1/namespaces/{namespace}/replicationcontrollers` */
  readonly replicationControllers: InformerGetter<typeof coreV1.replicationControllers>;
  /** `/api/v1/namespaces/{namespace}/resourcequotas` */
  readonly resourceQuotas: InformerGetter<typeof coreV1.resourceQuotas>;
  /** `/api/v1/namespaces/{namespace}/secrets` */
  readonly secrets: InformerGetter<typeof coreV1.secrets>;
  /** `/api/v1/namespaces/{namespace}/serviceaccounts` */
  readonly serviceAccounts: InformerGetter<typeof coreV1.serviceAccounts>;
  /** `/api/v1/namespaces/{namespace}/services` */
  readonly services: InformerGetter<typeof coreV1.services>;
}

/** The resources of `apiregistration.k8s.io/v1`. */
export interface ApiregistrationV1Informers {
  /** `/apis/apiregistration.k8s.io/v1/apiservices` */
  readonly apiServices: InformerGetter<typeof apiregistrationV1.apiServices>;
}

/** The resources of `apps/v1`. */
export interface AppsV1Informers {
  /** `/apis/apps/v1/namespaces/{namespace}/controllerrevisions` */
  readonly controllerRevisions: InformerGetter<typeof appsV1.controllerRevisions>;
  /** `/apis/apps/v1/namespaces/{namespace}/daemonsets` */
  readonly daemonSets: InformerGetter<typeof appsV1.daemonSets>;
  /** `/apis/apps/v1/namespaces/{namespace}/deployments` */
  readonly deployments: InformerGetter<typeof appsV1.deployments>;
  /** `/apis/apps/v1/namespaces/{namespace}/replicasets` */
  readonly replicaSets: InformerGetter<typeof appsV1.replicaSets>;
  /** `/apis/apps/v1/namespaces/{namespace}/statefulsets` */
  readonly statefulSets: InformerGetter<typeof appsV1.statefulSets>;
}

/** The resources of `events.k8s.io/v1`. */
export interface EventsV1Informers {
  /** `/apis/events.k8s.io/v1/namespaces/{namespace}/events` */
  readonly events: InformerGetter<typeof eventsV1.events>;
}

/** The resources of `autoscaling/v2`. */
export interface AutoscalingV2Informers {
  /** `/apis/autoscaling/v2/namespaces/{namespace}/horizontalpodautoscalers` */
  readonly horizontalPodAutoscalers: InformerGetter<typeof autoscalingV2.horizontalPodAutoscalers>;
}

/** The resources of `autoscaling/v1`. */
export interface AutoscalingV1Informers {
  /** `/apis/autoscaling/v1/namespaces/{namespace}/horizontalpodautoscalers` */
  readonly horizontalPodAutoscalers: InformerGetter<typeof autoscalingV1.horizontalPodAutoscalers>;
}

/** The resources of `batch/v1`. */
export interface BatchV1Informers {
  /** `/apis/batch/v1/namespaces/{namespace}/cronjobs` */
  readonly cronJobs: InformerGetter<typeof batchV1.cronJobs>;
  /** `/apis/batch/v1/namespaces/{namespace}/jobs` */
  readonly jobs: InformerGetter<typeof batchV1.jobs>;
}

/** The resources of `certificates.k8s.io/v1`. */
export interface CertificatesV1Informers {
  /** `/apis/certificates.k8s.io/v1/certificatesigningrequests` */
  readonly certificateSigningRequests: InformerGetter<
    typeof certificatesV1.certificateSigningRequests
  >;
}

/** The resources of `networking.k8s.io/v1`. */
export interface NetworkingV1Informers {
  /** `/apis/networking.k8s.io/v1/ingressclasses` */
  readonly ingressClasses: InformerGetter<typeof networkingV1.ingressClasses>;
  /** `/apis/networking.k8s.io/v1/namespaces/{namespace}/ingresses` */
  readonly ingresses: InformerGetter<typeof networkingV1.ingresses>;
  /** `/apis/networking.k8s.io/v1/ipaddresses` */
  readonly ipAddresses: InformerGetter<typeof networkingV1.ipAddresses>;
  /** `/apis/networking.k8s.io/v1/namespaces/{namespace}/networkpolicies` */
  readonly networkPolicies: InformerGetter<typeof networkingV1.networkPolicies>;
  /** `/apis/networking.k8s.io/v1/servicecidrs` */
  readonly serviceCIDRs: InformerGetter<typeof networkingV1.serviceCIDRs>;
}

/** The resources of `networking.k8s.io/v1beta1`. */
export interface NetworkingV1beta1Informers {
  /** `/apis/networking.k8s.io/v1beta1/ipaddresses` */
  readonly ipAddresses: InformerGetter<typeof networkingV1beta1.ipAddresses>;
  /** `/apis/networking.k8s.io/v1beta1/servicecidrs` */
  readonly serviceCIDRs: InformerGetter<typeof networkingV1beta1.serviceCIDRs>;
}

/** The resources of `policy/v1`. */
export interface PolicyV1Informers {
  /** `/apis/policy/v1/namespaces/{namespace}/poddisruptionbudgets` */
  readonly podDisruptionBudgets: InformerGetter<typeof policyV1.podDisruptionBudgets>;
}

/** The resources of `rbac.authorization.k8s.io/v1`. */
export interface RbacV1Informers {
  /** `/apis/rbac.authorization.k8s.io/v1/clusterrolebindings` */
  readonly clusterRoleBindings: InformerGetter<typeof rbacV1.clusterRoleBindings>;
  /** `/apis/rbac.authorization.k8s.io/v1/clusterroles` */
  readonly clusterRoles: InformerGetter<typeof rbacV1.clusterRoles>;
  /** `/apis/rbac.authorization.k8s.io/v1/namespaces/{namespace}/rolebindings` */
  readonly roleBindings: InformerGetter<typeof rbacV1.roleBindings>;
  /** `/apis/rbac.authorization.k8s.io/v1/namespaces/{namespace}/roles` */
  readonly roles: InformerGetter<typeof rbacV1.roles>;
}

/** The resources of `storage.k8s.io/v1`. */
export interface StorageV1Informers {
  /** `/apis/storage.k8s.io/v1/csidrivers` */
  readonly csiDrivers: InformerGetter<typeof storageV1.csiDrivers>;
  /** `/apis/storage.k8s.io/v1/csinodes` */
  readonly csiNodes: InformerGetter<typeof storageV1.csiNodes>;
  /** `/apis/storage.k8s.io/v1/namespaces/{namespace}/csistoragecapacities` */
  readonly csiStorageCapacities: InformerGetter<typeof storageV1.csiStorageCapacities>;
  /** `/apis/storage.k8s.io/v1/storageclasses` */
  readonly storageClasses: InformerGetter<typeof storageV1.storageClasses>;
  /** `/apis/storage.k8s.io/v1/volumeattachments` */
  readonly volumeAttachments: InformerGetter<typeof storageV1.volumeAttachments>;
  /** `/apis/storage.k8s.io/v1/volumeattributesclasses` */
  readonly volumeAttributesClasses: InformerGetter<typeof storageV1.volumeAttributesClasses>;
}

/** The resources of `storage.k8s.io/v1beta1`. */
export interface StorageV1beta1Informers {
  /** `/apis/storage.k8s.io/v1beta1/volumeattributesclasses` */
  readonly volumeAttributesClasses: InformerGetter<typeof storageV1beta1.volumeAttributesClasses>;
}

/** The resources of `admissionregistration.k8s.io/v1`. */
export interface AdmissionregistrationV1Informers {
  /** `/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies` */
  readonly mutatingAdmissionPolicies: InformerGetter<
    typeof admissionregistrationV1.mutatingAdmissionPolicies
  >;
  /** `/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings` */
  readonly mutatingAdmissionPolicyBindings: InformerGetter<
    typeof admissionregistrationV1.mutatingAdmissionPolicyBindings
  >;
  /** `/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations` */
  readonly mutatingWebhookConfigurations: InformerGetter<
    typeof admissionregistrationV1.mutatingWebhookConfigurations
  >;
  /** `/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies` */
  readonly validatingAdmissionPolicies: InformerGetter<
    typeof admissionregistrationV1.validatingAdmissionPolicies
  >;
  /** `/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings` */
  readonly validatingAdmissionPolicyBindings: InformerGetter<
    typeof admissionregistrationV1.validatingAdmissionPolicyBindings
  >;
  /** `/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations` */
  readonly validatingWebhookConfigurations: InformerGetter<
    typeof admissionregistrationV1.validatingWebhookConfigurations
  >;
}

/** The resources of `admissionregistration.k8s.io/v1beta1`. */
export interface AdmissionregistrationV1beta1Informers {
  /** `/apis/admissionregistration.k8s.io/v1beta1/mutatingadmissionpolicies` */
  readonly mutatingAdmissionPolicies: InformerGetter<
    typeof admissionregistrationV1beta1.mutatingAdmissionPolicies
  >;
  /** `/apis/admissionregistration.k8s.io/v1beta1/mutatingadmissionpolicybindings` */
  readonly mutatingAdmissionPolicyBindings: InformerGetter<
    typeof admissionregistrationV1beta1.mutatingAdmissionPolicyBindings
  >;
}

/** The resources of `admissionregistration.k8s.io/v1alpha1`. */
export interface AdmissionregistrationV1alpha1Informers {
  /** `/apis/admissionregistration.k8s.io/v1alpha1/mutatingadmissionpolicies` */
  readonly mutatingAdmissionPolicies: InformerGetter<
    typeof admissionregistrationV1alpha1.mutatingAdmissionPolicies
  >;
  /** `/apis/admissionregistration.k8s.io/v1alpha1/mutatingadmissionpolicybindings` */
  readonly mutatingAdmissionPolicyBindings: InformerGetter<
    typeof admissionregistrationV1alpha1.mutatingAdmissionPolicyBindings
  >;
}

/** The resources of `apiextensions.k8s.io/v1`. */
export interface ApiextensionsV1Informers {
  /** `/apis/apiextensions.k8s.io/v1/customresourcedefinitions` */
  readonly customResourceDefinitions: InformerGetter<
    typeof apiextensionsV1.customResourceDefinitions
  >;
}

/** The resources of `scheduling.k8s.io/v1`. */
export interface SchedulingV1Informers {
  /** `/apis/scheduling.k8s.io/v1/priorityclasses` */
  readonly priorityClasses: InformerGetter<typeof schedulingV1.priorityClasses>;
}

/** The resources of `coordination.k8s.io/v1`. */
export interface CoordinationV1Informers {
  /** `/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases` */
  readonly leases: InformerGetter<typeof coordinationV1.leases>;
}

/** The resources of `coordination.k8s.io/v1beta1`. */
export interface CoordinationV1beta1Informers {
  /** `/apis/coordination.k8s.io/v1beta1/namespaces/{namespace}/leasecandidates` */
  readonly leaseCandidates: InformerGetter<typeof coordinationV1beta1.leaseCandidates>;
}

/** The resources of `coordination.k8s.io/v1alpha2`. */
export interface CoordinationV1alpha2Informers {
  /** `/apis/coordination.k8s.io/v1alpha2/namespaces/{namespace}/leasecandidates` */
  readonly leaseCandidates: InformerGetter<typeof coordinationV1alpha2.leaseCandidates>;
}

/** The resources of `node.k8s.io/v1`. */
export interface NodeV1Informers {
  /** `/apis/node.k8s.io/v1/runtimeclasses` */
  readonly runtimeClasses: InformerGetter<typeof nodeV1.runtimeClasses>;
}

/** The resources of `discovery.k8s.io/v1`. */
export interface DiscoveryV1Informers {
  /** `/apis/discovery.k8s.io/v1/namespaces/{namespace}/endpointslices` */
  readonly endpointSlices: InformerGetter<typeof discoveryV1.endpointSlices>;
}

/** The resources of `resource.k8s.io/v1`. */
export interface ResourceV1Informers {
  /** `/apis/resource.k8s.io/v1/deviceclasses` */
  readonly deviceClasses: InformerGetter<typeof resourceV1.deviceClasses>;
  /** `/apis/resource.k8s.io/v1/namespaces/{namespace}/resourceclaims` */
  readonly resourceClaims: InformerGetter<typeof resourceV1.resourceClaims>;
  /** `/apis/resource.k8s.io/v1/namespaces/{namespace}/resourceclaimtemplates` */
  readonly resourceClaimTemplates: InformerGetter<typeof resourceV1.resourceClaimTemplates>;
  /** `/apis/resource.k8s.io/v1/resourceslices` */
  readonly resourceSlices: InformerGetter<typeof resourceV1.resourceSlices>;
}

/** The resources of `resource.k8s.io/v1beta2`. */
export interface ResourceV1beta2Informers {
  /** `/apis/resource.k8s.io/v1beta2/deviceclasses` */
  readonly deviceClasses: InformerGetter<typeof resourceV1beta2.deviceClasses>;
  /** `/apis/resource.k8s.io/v1beta2/devicetaintrules` */
  readonly deviceTaintRules: InformerGetter<typeof resourceV1beta2.deviceTaintRules>;
  /** `/apis/resource.k8s.io/v1beta2/namespaces/{namespace}/resourceclaims` */
  readonly resourceClaims: InformerGetter<typeof resourceV1beta2.resourceClaims>;
  /** `/apis/resource.k8s.io/v1beta2/namespaces/{namespace}/resourceclaimtemplates` */
  readonly resourceClaimTemplates: InformerGetter<typeof resourceV1beta2.resourceClaimTemplates>;
  /** `/apis/resource.k8s.io/v1beta2/resourceslices` */
  readonly resourceSlices: InformerGetter<typeof resourceV1beta2.resourceSlices>;
}

/** The resources of `resource.k8s.io/v1beta1`. */
export interface ResourceV1beta1Informers {
  /** `/apis/resource.k8s.io/v1beta1/deviceclasses` */
  readonly deviceClasses: InformerGetter<typeof resourceV1beta1.deviceClasses>;
  /** `/apis/resource.k8s.io/v1beta1/namespaces/{namespace}/resourceclaims` */
  readonly resourceClaims: InformerGetter<typeof resourceV1beta1.resourceClaims>;
  /** `/apis/resource.k8s.io/v1beta1/namespaces/{namespace}/resourceclaimtemplates` */
  readonly resourceClaimTemplates: InformerGetter<typeof resourceV1beta1.resourceClaimTemplates>;
  /** `/apis/resource.k8s.io/v1beta1/resourceslices` */
  readonly resourceSlices: InformerGetter<typeof resourceV1beta1.resourceSlices>;
}

/** The resources of `resource.k8s.io/v1alpha3`. */
export interface ResourceV1alpha3Informers {
  /** `/apis/resource.k8s.io/v1alpha3/devicetaintrules` */
  readonly deviceTaintRules: InformerGetter<typeof resourceV1alpha3.deviceTaintRules>;
  /** `/apis/resource.k8s.io/v1alpha3/resourcepoolstatusrequests` */
  readonly resourcePoolStatusRequests: InformerGetter<
    typeof resourceV1alpha3.resourcePoolStatusRequests
  >;
}

/** The resources of `flowcontrol.apiserver.k8s.io/v1`. */
export interface FlowcontrolV1Informers {
  /** `/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas` */
  readonly flowSchemas: InformerGetter<typeof flowcontrolV1.flowSchemas>;
  /** `/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations` */
  readonly priorityLevelConfigurations: InformerGetter<
    typeof flowcontrolV1.priorityLevelConfigurations
  >;
}

/** The resources of `internal.apiserver.k8s.io/v1alpha1`. */
export interface InternalV1alpha1Informers {
  /** `/apis/internal.apiserver.k8s.io/v1alpha1/storageversions` */
  readonly storageVersions: InformerGetter<typeof internalV1alpha1.storageVersions>;
}
