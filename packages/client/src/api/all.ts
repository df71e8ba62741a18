// Every built-in resource of Kubernetes 1.36.4. Written by `npm run generate`; do not edit.

import type { ResourceDescriptor } from '../meta/resource.ts';
import * as admissionregistrationV1 from './admissionregistration/v1.ts';
import * as admissionregistrationV1alpha1 from './admissionregistration/v1alpha1.ts';
import * as admissionregistrationV1beta1 from './admissionregistration/v1beta1.ts';
import * as apiextensionsV1 from './apiextensions/v1.ts';
import * as apiregistrationV1 from './apiregistration/v1.ts';
import * as apiserverinternalV1alpha1 from './apiserverinternal/v1alpha1.ts';
import * as appsV1 from './apps/v1.ts';
import * as authenticationV1 from './authentication/v1.ts';
import * as authorizationV1 from './authorization/v1.ts';
import * as autoscalingV1 from './autoscaling/v1.ts';
import * as autoscalingV2 from './autoscaling/v2.ts';
import * as batchV1 from './batch/v1.ts';
import * as certificatesV1 from './certificates/v1.ts';
import * as coordinationV1 from './coordination/v1.ts';
import * as coordinationV1alpha2 from './coordination/v1alpha2.ts';
import * as coordinationV1beta1 from './coordination/v1beta1.ts';
import * as coreV1 from './core/v1.ts';
import * as discoveryV1 from './discovery/v1.ts';
import * as eventsV1 from './events/v1.ts';
import * as flowcontrolV1 from './flowcontrol/v1.ts';
import * as networkingV1 from './networking/v1.ts';
import * as networkingV1beta1 from './networking/v1beta1.ts';
import * as nodeV1 from './node/v1.ts';
import * as policyV1 from './policy/v1.ts';
import * as rbacV1 from './rbac/v1.ts';
import * as resourceV1 from './resource/v1.ts';
import * as resourceV1alpha3 from './resource/v1alpha3.ts';
import * as resourceV1beta1 from './resource/v1beta1.ts';
import * as resourceV1beta2 from './resource/v1beta2.ts';
import * as schedulingV1 from './scheduling/v1.ts';
import * as storageV1 from './storage/v1.ts';
import * as storageV1beta1 from './storage/v1beta1.ts';

/**
 * The descriptors of every built-in resource, in the order in which a server lists its
 * group-versions. Importing this loads them all; a program that knows its resources imports
 * `client-ts/api/<group>/<version>` instead.
 */
export const groupVersions: readonly {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly ResourceDescriptor[];
}[] = [
  {
    group: '',
    version: 'v1',
    resources: [
      coreV1.bindings,
      coreV1.componentStatuses,
      coreV1.configMaps,
      coreV1.endpoints,
      coreV1.events,
      coreV1.limitRanges,
      coreV1.namespaces,
      coreV1.nodes,
      coreV1.persistentVolumeClaims,
      coreV1.persistentVolumes,
      coreV1.pods,
      coreV1.podTemplates,
      coreV1.replicationControllers,
      coreV1.resourceQuotas,
      coreV1.secrets,
      coreV1.serviceAccounts,
      coreV1.services,
    ],
  },
  {
    group: 'apiregistration.k8s.io',
    version: 'v1',
    resources: [apiregistrationV1.apiServices],
  },
  {
    group: 'apps',
    version: 'v1',
    resources: [
      appsV1.controllerRevisions,
      appsV1.daemonSets,
      appsV1.deployments,
      appsV1.replicaSets,
      appsV1.statefulSets,
    ],
  },
  {
    group: 'events.k8s.io',
    version: 'v1',
    resources: [eventsV1.events],
  },
  {
    group: 'authentication.k8s.io',
    version: 'v1',
    resources: [authenticationV1.selfSubjectReviews, authenticationV1.tokenReviews],
  },
  {
    group: 'authorization.k8s.io',
    version: 'v1',
    resources: [
      authorizationV1.localSubjectAccessReviews,
      authorizationV1.selfSubjectAccessReviews,
      authorizationV1.selfSubjectRulesReviews,
      authorizationV1.subjectAccessReviews,
    ],
  },
  {
    group: 'autoscaling',
    version: 'v2',
    resources: [autoscalingV2.horizontalPodAutoscalers],
  },
  {
    group: 'autoscaling',
    version: 'v1',
    resources: [autoscalingV1.horizontalPodAutoscalers],
  },
  {
    group: 'batch',
    version: 'v1',
    resources: [batchV1.cronJobs, batchV1.jobs],
  },
  {
    group: 'certificates.k8s.io',
    version: 'v1',
    resources: [certificatesV1.certificateSigningRequests],
  },
  {
    group: 'networking.k8s.io',
    version: 'v1',
    resources: [
      networkingV1.ingressClasses,
      networkingV1.ingresses,
      networkingV1.ipAddresses,
      networkingV1.networkPolicies,
      networkingV1.serviceCIDRs,
    ],
  },
  {
    group: 'networking.k8s.io',
    version: 'v1beta1',
    resources: [networkingV1beta1.ipAddresses, networkingV1beta1.serviceCIDRs],
  },
  {
    group: 'policy',
    version: 'v1',
    resources: [policyV1.podDisruptionBudgets],
  },
  {
    group: 'rbac.authorization.k8s.io',
    version: 'v1',
    resources: [rbacV1.clusterRoleBindings, rbacV1.clusterRoles, rbacV1.roleBindings, rbacV1.roles],
  },
  {
    group: 'storage.k8s.io',
    version: 'v1',
    resources: [
      storageV1.csiDrivers,
      storageV1.csiNodes,
      storageV1.csiStorageCapacities,
      storageV1.storageClasses,
      storageV1.volumeAttachments,
      storageV1.volumeAttributesClasses,
    ],
  },
  {
    group: 'storage.k8s.io',
    version: 'v1beta1',
    resources: [storageV1beta1.volumeAttributesClasses],
  },
  {
    group: 'admissionregistration.k8s.io',
    version: 'v1',
    resources: [
      admissionregistrationV1.mutatingAdmissionPolicies,
      admissionregistrationV1.mutatingAdmissionPolicyBindings,
      admissionregistrationV1.mutatingWebhookConfigurations,
      admissionregistrationV1.validatingAdmissionPolicies,
      admissionregistrationV1.validatingAdmissionPolicyBindings,
      admissionregistrationV1.validatingWebhookConfigurations,
    ],
  },
  {
    group: 'admissionregistration.k8s.io',
    version: 'v1beta1',
    resources: [
      admissionregistrationV1beta1.mutatingAdmissionPolicies,
      admissionregistrationV1beta1.mutatingAdmissionPolicyBindings,
    ],
  },
  {
    group: 'admissionregistration.k8s.io',
    version: 'v1alpha1',
    resources: [
      admissionregistrationV1alpha1.mutatingAdmissionPolicies,
      admissionregistrationV1alpha1.mutatingAdmissionPolicyBindings,
    ],
  },
  {
    group: 'apiextensions.k8s.io',
    version: 'v1',
    resources: [apiextensionsV1.customResourceDefinitions],
  },
  {
    group: 'scheduling.k8s.io',
    version: 'v1',
    resources: [schedulingV1.priorityClasses],
  },
  {
    group: 'coordination.k8s.io',
    version: 'v1',
    resources: [coordinationV1.leases],
  },
  {
    group: 'coordination.k8s.io',
    version: 'v1beta1',
    resources: [coordinationV1beta1.leaseCandidates],
  },
  {
    group: 'coordination.k8s.io',
    version: 'v1alpha2',
    resources: [coordinationV1alpha2.leaseCandidates],
  },
  {
    group: 'node.k8s.io',
    version: 'v1',
    resources: [nodeV1.runtimeClasses],
  },
  {
    group: 'discovery.k8s.io',
    version: 'v1',
    resources: [discoveryV1.endpointSlices],
  },
  {
    group: 'resource.k8s.io',
    version: 'v1',
    resources: [
      resourceV1.deviceClasses,
      resourceV1.resourceClaims,
      resourceV1.resourceClaimTemplates,
      resourceV1.resourceSlices,
    ],
  },
  {
    group: 'resource.k8s.io',
    version: 'v1beta2',
    resources: [
      resourceV1beta2.deviceClasses,
      resourceV1beta2.deviceTaintRules,
      resourceV1beta2.resourceClaims,
      resourceV1beta2.resourceClaimTemplates,
      resourceV1beta2.resourceSlices,
    ],
  },
  {
    group: 'resource.k8s.io',
    version: 'v1beta1',
    resources: [
      resourceV1beta1.deviceClasses,
      resourceV1beta1.resourceClaims,
      resourceV1beta1.resourceClaimTemplates,
      resourceV1beta1.resourceSlices,
    ],
  },
  {
    group: 'resource.k8s.io',
    version: 'v1alpha3',
    resources: [resourceV1alpha3.deviceTaintRules, resourceV1alpha3.resourcePoolStatusRequests],
  },
  {
    group: 'flowcontrol.apiserver.k8s.io',
    version: 'v1',
    resources: [flowcontrolV1.flowSchemas, flowcontrolV1.priorityLevelConfigurations],
  },
  {
    group: 'internal.apiserver.k8s.io',
    version: 'v1alpha1',
    resources: [apiserverinternalV1alpha1.storageVersions],
  },
];
