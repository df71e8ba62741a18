// The clients of every group-version of Kubernetes 1.36.4. Written by `npm run generate`; do not edit.

import type * as admissionregistrationV1 from '../../api/admissionregistration/v1.ts';
import type * as admissionregistrationV1alpha1 from '../../api/admissionregistration/v1alpha1.ts';
import type * as admissionregistrationV1beta1 from '../../api/admissionregistration/v1beta1.ts';
import type * as apiextensionsV1 from '../../api/apiextensions/v1.ts';
import type * as apiregistrationV1 from '../../api/apiregistration/v1.ts';
import type * as internalV1alpha1 from '../../api/apiserverinternal/v1alpha1.ts';
import type * as appsV1 from '../../api/apps/v1.ts';
import type * as authenticationV1 from '../../api/authentication/v1.ts';
import type * as authorizationV1 from '../../api/authorization/v1.ts';
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
import type { ClusterResource, NamespacedResource } from '../group-client.ts';

/** The resources of `v1`. */
export interface CoreV1Client {
  /** `/api/v1/namespaces/{namespace}/bindings` */
  readonly bindings: NamespacedResource<typeof coreV1.bindings>;
  /** `/api/v1/componentstatuses` */
  readonly componentStatuses: ClusterResource<typeof coreV1.componentStatuses>;
  /** `/api/v1/namespaces/{namespace}/configmaps` */
  readonly configMaps: NamespacedResource<typeof coreV1.configMaps>;
  /** `/api/v1/namespaces/{namespace}/endpoints` */
  readonly endpoints: NamespacedResource<typeof coreV1.endpoints>;
  /** `/api/v1/namespaces/{namespace}/events` */
  readonly events: NamespacedResource<typeof coreV1.events>;
  /** `/api/v1/namespaces/{namespace}/limitranges` */
  readonly limitRanges: NamespacedResource<typeof coreV1.limitRanges>;
  /** `/api/v1/namespaces` */
  readonly namespaces: ClusterResource<typeof coreV1.namespaces>;
  /** `/api/v1/nodes` */
  readonly nodes: ClusterResource<typeof coreV1.nodes>;
  /** `/api/v1/namespaces/{namespace}/persistentvolumeclaims` */
  readonly persistentVolumeClaims: NamespacedResource<typeof coreV1.persistentVolumeClaims>;
  /** `/api/v1/persistentvolumes` */
  readonly persistentVolumes: ClusterResource<typeof coreV1.persistentVolumes>;
  /** `/api/v1/namespaces/{namespace}/pods` */
  readonly pods: NamespacedResource<typeof coreV1.pods>;
  /** `/api/v1/namespaces/{namespace}/podtemplates` */
  readonly podTemplates: NamespacedResource<typeof coreV1.podTemplates>;
  /** `/api/v1/namespaces/{namespace}/replicationcontrollers` */
  readonly replicationControllers: NamespacedResource<typeof coreV1.replicationControllers>;
  /** `/api/v1/namespaces/{namespace}/resourcequotas` */
  readonly resourceQuotas: NamespacedResource<typeof coreV1.resourceQuotas>;
  /** `/api/v1/namespaces/{namespace}/secrets` */
  readonly secrets: NamespacedResource<typeof coreV1.secrets>;
  /** `/api/v1/namespaces/{namespace}/serviceaccounts` */
  readonly serviceAccounts: NamespacedResource<typeof coreV1.serviceAccounts>;
  /** `/api/v1/namespaces/{namespace}/services` */
  readonly services: NamespacedResource<typeof coreV1.services>;
}

/** The resources of `apiregistration.k8s.io/v1`. */
export interface ApiregistrationV1Client {
  /** `/apis/apiregistration.k8s.io/v1/apiservices` */
  readonly apiServices: ClusterResource<typeof apiregistrationV1.apiServices>;
}

/** The resources of `apps/v1`. */
export interface AppsV1Client {
  /** `/apis/apps/v1/namespaces/{namespace}/controllerrevisions` */
  readonly controllerRevisions: NamespacedResource<typeof appsV1.controllerRevisions>;
  /** `/apis/apps/v1/namespaces/{namespace}/daemonsets` */
  readonly daemonSets: NamespacedResource<typeof appsV1.daemonSets>;
  /** `/apis/apps/v1/namespaces/{namespace}/deployments` */
  readonly deployments: NamespacedResource<typeof appsV1.deployments>;
  /** `/apis/apps/v1/namespaces/{namespace}/replicasets` */
  readonly replicaSets: NamespacedResource<typeof appsV1.replicaSets>;
  /** `/apis/apps/v1/namespaces/{namespace}/statefulsets` */
  readonly statefulSets: NamespacedResource<typeof appsV1.statefulSets>;
}

/** The resources of `events.k8s.io/v1`. */
export interface EventsV1Client {
  /** `/apis/events.k8s.io/v1/namespaces/{namespace}/events` */
  readonly events: NamespacedResource<typeof eventsV1.events>;
}

/** The resources of `authentication.k8s.io/v1`. */
export interface AuthenticationV1Client {
  /** `/apis/authentication.k8s.io/v1/selfsubjectreviews` */
  readonly selfSubjectReviews: ClusterResource<typeof authenticationV1.selfSubjectReviews>;
  /** `/apis/authentication.k8s.io/v1/tokenreviews` */
  readonly tokenReviews: ClusterResource<typeof authenticationV1.tokenReviews>;
}

/** The resources of `authorization.k8s.io/v1`. */
export interface AuthorizationV1Client {
  /** `/apis/authorization.k8s.io/v1/namespaces/{namespace}/localsubjectaccessreviews` */
  readonly localSubjectAccessReviews: NamespacedResource<
    typeof authorizationV1.localSubjectAccessReviews
  >;
  /** `/apis/authorization.k8s.io/v1/selfsubjectaccessreviews` */
  readonly selfSubjectAccessReviews: ClusterResource<
    typeof authorizationV1.selfSubjectAccessReviews
  >;
  /** `/apis/authorization.k8s.io/v1/selfsubjectrulesreviews` */
  readonly selfSubjectRulesReviews: ClusterResource<typeof authorizationV1.selfSubjectRulesReviews>;
  /** `/apis/authorization.k8s.io/v1/subjectaccessreviews` */
  readonly subjectAccessReviews: ClusterResource<typeof authorizationV1.subjectAccessReviews>;
}

/** The resources of `autoscaling/v2`. */
export interface AutoscalingV2Client {
  /** `/apis/autoscaling/v2/namespaces/{namespace}/horizontalpodautoscalers` */
  readonly horizontalPodAutoscalers: NamespacedResource<
    typeof autoscalingV2.horizontalPodAutoscalers
  >;
}

/** The resources of `autoscaling/v1`. */
export interface AutoscalingV1Client {
  /** `/apis/autoscaling/v1/namespaces/{namespace}/horizontalpodautoscalers` */
  readonly horizontalPodAutoscalers: NamespacedResource<
    typeof autoscalingV1.horizontalPodAutoscalers
  >;
}

/** The resources of `batch/v1`. */
export interface BatchV1Client {
  /** `/apis/batch/v1/namespaces/{namespace}/cronjobs` */
  readonly cronJobs: NamespacedResource<typeof batchV1.cronJobs>;
  /** `/apis/batch/v1/namespaces/{namespace}/jobs` */
  readonly jobs: NamespacedResource<typeof batchV1.jobs>;
}

/** The resources of `certificates.k8s.io/v1`. */
export interface CertificatesV1Client {
  /** `/apis/certificates.k8s.io/v1/certificatesigningrequests` */
  readonly certificateSigningRequests: ClusterResource<
    typeof certificatesV1.certificateSigningRequests
  >;
}

/** The resources of `networking.k8s.io/v1`. */
export interface NetworkingV1Client {
  /** `/apis/networking.k8s.io/v1/ingressclasses` */
  readonly ingressClasses: ClusterResource<typeof networkingV1.ingressClasses>;
  /** `/apis/networking.k8s.io/v1/namespaces/{namespace}/ingresses` */
  readonly ingresses: NamespacedResource<typeof networkingV1.ingresses>;
  /** `/apis/networking.k8s.io/v1/ipaddresses` */
  readonly ipAddresses: ClusterResource<typeof networkingV1.ipAddresses>;
  /** `/apis/networking.k8s.io/v1/namespaces/{namespace}/networkpolicies` */
  readonly networkPolicies: NamespacedResource<typeof networkingV1.networkPolicies>;
  /** `/apis/networking.k8s.io/v1/servicecidrs` */
  readonly serviceCIDRs: ClusterResource<typeof networkingV1.serviceCIDRs>;
}

/** The resources of `networking.k8s.io/v1beta1`. */
export interface NetworkingV1beta1Client {
  /** `/apis/networking.k8s.io/v1beta1/ipaddresses` */
  readonly ipAddresses: ClusterResource<typeof networkingV1beta1.ipAddresses>;
  /** `/apis/networking.k8s.io/v1beta1/servicecidrs` */
  readonly serviceCIDRs: ClusterResource<typeof networkingV1beta1.serviceCIDRs>;
}

/** The resources of `policy/v1`. */
export interface PolicyV1Client {
  /** `/apis/policy/v1/namespaces/{namespace}/poddisruptionbudgets` */
  readonly podDisruptionBudgets: NamespacedResource<typeof policyV1.podDisruptionBudgets>;
}

/** The resources of `rbac.authorization.k8s.io/v1`. */
export interface RbacV1Client {
  /** `/apis/rbac.authorization.k8s.io/v1/clusterrolebindings` */
  readonly clusterRoleBindings: ClusterResource<typeof rbacV1.clusterRoleBindings>;
  /** `/apis/rbac.authorization.k8s.io/v1/clusterroles` */
  readonly clusterRoles: ClusterResource<typeof rbacV1.clusterRoles>;
  /** `/apis/rbac.authorization.k8s.io/v1/namespaces/{namespace}/rolebindings` */
  readonly roleBindings: NamespacedResource<typeof rbacV1.roleBindings>;
  /** `/apis/rbac.authorization.k8s.io/v1/namespaces/{namespace}/roles` */
  readonly roles: NamespacedResource<typeof rbacV1.roles>;
}

/** The resources of `storage.k8s.io/v1`. */
export interface StorageV1Client {
  /** `/apis/storage.k8s.io/v1/csidrivers` */
  readonly csiDrivers: ClusterResource<typeof storageV1.csiDrivers>;
  /** `/apis/storage.k8s.io/v1/csinodes` */
  readonly csiNodes: ClusterResource<typeof storageV1.csiNodes>;
  /** `/apis/storage.k8s.io/v1/namespaces/{namespace}/csistoragecapacities` */
  readonly csiStorageCapacities: NamespacedResource<typeof storageV1.csiStorageCapacities>;
  /** `/apis/storage.k8s.io/v1/storageclasses` */
  readonly storageClasses: ClusterResource<typeof storageV1.storageClasses>;
  /** `/apis/storage.k8s.io/v1/volumeattachments` */
  readonly volumeAttachments: ClusterResource<typeof storageV1.volumeAttachments>;
  /** `/apis/storage.k8s.io/v1/volumeattributesclasses` */
  readonly volumeAttributesClasses: ClusterResource<typeof storageV1.volumeAttributesClasses>;
}

/** The resources of `storage.k8s.io/v1beta1`. */
export interface StorageV1beta1Client {
  /** `/apis/storage.k8s.io/v1beta1/volumeattributesclasses` */
  readonly volumeAttributesClasses: ClusterResource<typeof storageV1beta1.volumeAttributesClasses>;
}

/** The resources of `admissionregistration.k8s.io/v1`. */
export interface AdmissionregistrationV1Client {
  /** `/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies` */
  readonly mutatingAdmissionPolicies: ClusterResource<
    typeof admissionregistrationV1.mutatingAdmissionPolicies
  >;
  /** `/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings` */
  readonly mutatingAdmissionPolicyBindings: ClusterResource<
    typeof admissionregistrationV1.mutatingAdmissionPolicyBindings
  >;
  /** `/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations` */
  readonly mutatingWebhookConfigurations: ClusterResource<
    typeof admissionregistrationV1.mutatingWebhookConfigurations
  >;
  /** `/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies` */
  readonly validatingAdmissionPolicies: ClusterResource<
    typeof admissionregistrationV1.validatingAdmissionPolicies
  >;
  /** `/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings` */
  readonly validatingAdmissionPolicyBindings: ClusterResource<
    typeof admissionregistrationV1.validatingAdmissionPolicyBindings
  >;
  /** `/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations` */
  readonly validatingWebhookConfigurations: ClusterResource<
    typeof admissionregistrationV1.validatingWebhookConfigurations
  >;
}

/** The resources of `admissionregistration.k8s.io/v1beta1`. */
export interface AdmissionregistrationV1beta1Client {
  /** `/apis/admissionregistration.k8s.io/v1beta1/mutatingadmissionpolicies` */
  readonly mutatingAdmissionPolicies: ClusterResource<
    typeof admissionregistrationV1beta1.mutatingAdmissionPolicies
  >;
  /** `/apis/admissionregistration.k8s.io/v1beta1/mutatingadmissionpolicybindings` */
  readonly mutatingAdmissionPolicyBindings: ClusterResource<
    typeof admissionregistrationV1beta1.mutatingAdmissionPolicyBindings
  >;
}

/** The resources of `admissionregistration.k8s.io/v1alpha1`. */
export interface AdmissionregistrationV1alpha1Client {
  /** `/apis/admissionregistration.k8s.io/v1alpha1/mutatingadmissionpolicies` */
  readonly mutatingAdmissionPolicies: ClusterResource<
    typeof admissionregistrationV1alpha1.mutatingAdmissionPolicies
  >;
  /** `/apis/admissionregistration.k8s.io/v1alpha1/mutatingadmissionpolicybindings` */
  readonly mutatingAdmissionPolicyBindings: ClusterResource<
    typeof admissionregistrationV1alpha1.mutatingAdmissionPolicyBindings
  >;
}

/** The resources of `apiextensions.k8s.io/v1`. */
export interface ApiextensionsV1Client {
  /** `/apis/apiextensions.k8s.io/v1/customresourcedefinitions` */
  readonly customResourceDefinitions: ClusterResource<
    typeof apiextensionsV1.customResourceDefinitions
  >;
}

/** The resources of `scheduling.k8s.io/v1`. */
export interface SchedulingV1Client {
  /** `/apis/scheduling.k8s.io/v1/priorityclasses` */
  readonly priorityClasses: ClusterResource<typeof schedulingV1.priorityClasses>;
}

/** The resources of `coordination.k8s.io/v1`. */
export interface CoordinationV1Client {
  /** `/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases` */
  readonly leases: NamespacedResource<typeof coordinationV1.leases>;
}

/** The resources of `coordination.k8s.io/v1beta1`. */
export interface CoordinationV1beta1Client {
  /** `/apis/coordination.k8s.io/v1beta1/namespaces/{namespace}/leasecandidates` */
  readonly leaseCandidates: NamespacedResource<typeof coordinationV1beta1.leaseCandidates>;
}

/** The resources of `coordination.k8s.io/v1alpha2`. */
export interface CoordinationV1alpha2Client {
  /** `/apis/coordination.k8s.io/v1alpha2/namespaces/{namespace}/leasecandidates` */
  readonly leaseCandidates: NamespacedResource<typeof coordinationV1alpha2.leaseCandidates>;
}

/** The resources of `node.k8s.io/v1`. */
export interface NodeV1Client {
  /** `/apis/node.k8s.io/v1/runtimeclasses` */
  readonly runtimeClasses: ClusterResource<typeof nodeV1.runtimeClasses>;
}

/** The resources of `discovery.k8s.io/v1`. */
export interface DiscoveryV1Client {
  /** `/apis/discovery.k8s.io/v1/namespaces/{namespace}/endpointslices` */
  readonly endpointSlices: NamespacedResource<typeof discoveryV1.endpointSlices>;
}

/** The resources of `resource.k8s.io/v1`. */
export interface ResourceV1Client {
  /** `/apis/resource.k8s.io/v1/deviceclasses` */
  readonly deviceClasses: ClusterResource<typeof resourceV1.deviceClasses>;
  /** `/apis/resource.k8s.io/v1/namespaces/{namespace}/resourceclaims` */
  readonly resourceClaims: NamespacedResource<typeof resourceV1.resourceClaims>;
  /** `/apis/resource.k8s.io/v1/namespaces/{namespace}/resourceclaimtemplates` */
  readonly resourceClaimTemplates: NamespacedResource<typeof resourceV1.resourceClaimTemplates>;
  /** `/apis/resource.k8s.io/v1/resourceslices` */
  readonly resourceSlices: ClusterResource<typeof resourceV1.resourceSlices>;
}

/** The resources of `resource.k8s.io/v1beta2`. */
export interface ResourceV1beta2Client {
  /** `/apis/resource.k8s.io/v1beta2/deviceclasses` */
  readonly deviceClasses: ClusterResource<typeof resourceV1beta2.deviceClasses>;
  /** `/apis/resource.k8s.io/v1beta2/devicetaintrules` */
  readonly deviceTaintRules: ClusterResource<typeof resourceV1beta2.deviceTaintRules>;
  /** `/apis/resource.k8s.io/v1beta2/namespaces/{namespace}/resourceclaims` */
  readonly resourceClaims: NamespacedResource<typeof resourceV1beta2.resourceClaims>;
  /** `/apis/resource.k8s.io/v1beta2/namespaces/{namespace}/resourceclaimtemplates` */
  readonly resourceClaimTemplates: NamespacedResource<
    typeof resourceV1beta2.resourceClaimTemplates
  >;
  /** `/apis/resource.k8s.io/v1beta2/resourceslices` */
  readonly resourceSlices: ClusterResource<typeof resourceV1beta2.resourceSlices>;
}

/** The resources of `resource.k8s.io/v1beta1`. */
export interface ResourceV1beta1Client {
  /** `/apis/resource.k8s.io/v1beta1/deviceclasses` */
  readonly deviceClasses: ClusterResource<typeof resourceV1beta1.deviceClasses>;
  /** `/apis/resource.k8s.io/v1beta1/namespaces/{namespace}/resourceclaims` */
  readonly resourceClaims: NamespacedResource<typeof resourceV1beta1.resourceClaims>;
  /** `/apis/resource.k8s.io/v1beta1/namespaces/{namespace}/resourceclaimtemplates` */
  readonly resourceClaimTemplates: NamespacedResource<
    typeof resourceV1beta1.resourceClaimTemplates
  >;
  /** `/apis/resource.k8s.io/v1beta1/resourceslices` */
  readonly resourceSlices: ClusterResource<typeof resourceV1beta1.resourceSlices>;
}

/** The resources of `resource.k8s.io/v1alpha3`. */
export interface ResourceV1alpha3Client {
  /** `/apis/resource.k8s.io/v1alpha3/devicetaintrules` */
  readonly deviceTaintRules: ClusterResource<typeof resourceV1alpha3.deviceTaintRules>;
  /** `/apis/resource.k8s.io/v1alpha3/resourcepoolstatusrequests` */
  readonly resourcePoolStatusRequests: ClusterResource<
    typeof resourceV1alpha3.resourcePoolStatusRequests
  >;
}

/** The resources of `flowcontrol.apiserver.k8s.io/v1`. */
export interface FlowcontrolV1Client {
  /** `/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas` */
  readonly flowSchemas: ClusterResource<typeof flowcontrolV1.flowSchemas>;
  /** `/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations` */
  readonly priorityLevelConfigurations: ClusterResource<
    typeof flowcontrolV1.priorityLevelConfigurations
  >;
}

/** The resources of `internal.apiserver.k8s.io/v1alpha1`. */
export interface InternalV1alpha1Client {
  /** `/apis/internal.apiserver.k8s.io/v1alpha1/storageversions` */
  readonly storageVersions: ClusterResource<typeof internalV1alpha1.storageVersions>;
}
