// Getters for every group-version of Kubernetes 1.36.4. Written by `npm run generate`; do not edit.

import * as admissionregistrationV1 from '../../api/admissionregistration/v1.ts';
import * as admissionregistrationV1alpha1 from '../../api/admissionregistration/v1alpha1.ts';
import * as admissionregistrationV1beta1 from '../../api/admissionregistration/v1beta1.ts';
import * as apiextensionsV1 from '../../api/apiextensions/v1.ts';
import * as apiregistrationV1 from '../../api/apiregistration/v1.ts';
import * as internalV1alpha1 from '../../api/apiserverinternal/v1alpha1.ts';
import * as appsV1 from '../../api/apps/v1.ts';
import * as authenticationV1 from '../../api/authentication/v1.ts';
import * as authorizationV1 from '../../api/authorization/v1.ts';
import * as autoscalingV1 from '../../api/autoscaling/v1.ts';
import * as autoscalingV2 from '../../api/autoscaling/v2.ts';
import * as batchV1 from '../../api/batch/v1.ts';
import * as certificatesV1 from '../../api/certificates/v1.ts';
import * as coordinationV1 from '../../api/coordination/v1.ts';
import * as coordinationV1alpha2 from '../../api/coordination/v1alpha2.ts';
import * as coordinationV1beta1 from '../../api/coordination/v1beta1.ts';
import * as coreV1 from '../../api/core/v1.ts';
import * as discoveryV1 from '../../api/discovery/v1.ts';
import * as eventsV1 from '../../api/events/v1.ts';
import * as flowcontrolV1 from '../../api/flowcontrol/v1.ts';
import * as networkingV1 from '../../api/networking/v1.ts';
import * as networkingV1beta1 from '../../api/networking/v1beta1.ts';
import * as nodeV1 from '../../api/node/v1.ts';
import * as policyV1 from '../../api/policy/v1.ts';
import * as rbacV1 from '../../api/rbac/v1.ts';
import * as resourceV1 from '../../api/resource/v1.ts';
import * as resourceV1alpha3 from '../../api/resource/v1alpha3.ts';
import * as resourceV1beta1 from '../../api/resource/v1beta1.ts';
import * as resourceV1beta2 from '../../api/resource/v1beta2.ts';
import * as schedulingV1 from '../../api/scheduling/v1.ts';
import * as storageV1 from '../../api/storage/v1.ts';
import * as storageV1beta1 from '../../api/storage/v1beta1.ts';
import { GroupClients, groupOf } from '../group-client.ts';
import type {
  AdmissionregistrationV1Client,
  AdmissionregistrationV1alpha1Client,
  AdmissionregistrationV1beta1Client,
  ApiextensionsV1Client,
  ApiregistrationV1Client,
  AppsV1Client,
  AuthenticationV1Client,
  AuthorizationV1Client,
  AutoscalingV1Client,
  AutoscalingV2Client,
  BatchV1Client,
  CertificatesV1Client,
  CoordinationV1Client,
  CoordinationV1alpha2Client,
  CoordinationV1beta1Client,
  CoreV1Client,
  DiscoveryV1Client,
  EventsV1Client,
  FlowcontrolV1Client,
  InternalV1alpha1Client,
  NetworkingV1Client,
  NetworkingV1beta1Client,
  NodeV1Client,
  PolicyV1Client,
  RbacV1Client,
  ResourceV1Client,
  ResourceV1alpha3Client,
  ResourceV1beta1Client,
  ResourceV1beta2Client,
  SchedulingV1Client,
  StorageV1Client,
  StorageV1beta1Client,
} from './group-version-clients.ts';

/** A getter for each group-version. Its client is created on first use. */
export abstract class GroupVersions extends GroupClients {
  /** `v1` */
  get coreV1(): CoreV1Client {
    return groupOf(this, coreV1);
  }

  /** `apiregistration.k8s.io/v1` */
  get apiregistrationV1(): ApiregistrationV1Client {
    return groupOf(this, apiregistrationV1);
  }

  /** `apps/v1` */
  get appsV1(): AppsV1Client {
    return groupOf(this, appsV1);
  }

  /** `events.k8s.io/v1` */
  get eventsV1(): EventsV1Client {
    return groupOf(this, eventsV1);
  }

  /** `authentication.k8s.io/v1` */
  get authenticationV1(): AuthenticationV1Client {
    return groupOf(this, authenticationV1);
  }

  /** `authorization.k8s.io/v1` */
  get authorizationV1(): AuthorizationV1Client {
    return groupOf(this, authorizationV1);
  }

  /** `autoscaling/v2` */
  get autoscalingV2(): AutoscalingV2Client {
    return groupOf(this, autoscalingV2);
  }

  /** `autoscaling/v1` */
  get autoscalingV1(): AutoscalingV1Client {
    return groupOf(this, autoscalingV1);
  }

  /** `batch/v1` */
  get batchV1(): BatchV1Client {
    return groupOf(this, batchV1);
  }

  /** `certificates.k8s.io/v1` */
  get certificatesV1(): CertificatesV1Client {
    return groupOf(this, certificatesV1);
  }

  /** `networking.k8s.io/v1` */
  get networkingV1(): NetworkingV1Client {
    return groupOf(this, networkingV1);
  }

  /** `networking.k8s.io/v1beta1` */
  get networkingV1beta1(): NetworkingV1beta1Client {
    return groupOf(this, networkingV1beta1);
  }

  /** `policy/v1` */
  get policyV1(): PolicyV1Client {
    return groupOf(this, policyV1);
  }

  /** `rbac.authorization.k8s.io/v1` */
  get rbacV1(): RbacV1Client {
    return groupOf(this, rbacV1);
  }

  /** `storage.k8s.io/v1` */
  get storageV1(): StorageV1Client {
    return groupOf(this, storageV1);
  }

  /** `storage.k8s.io/v1beta1` */
  get storageV1beta1(): StorageV1beta1Client {
    return groupOf(this, storageV1beta1);
  }

  /** `admissionregistration.k8s.io/v1` */
  get admissionregistrationV1(): AdmissionregistrationV1Client {
    return groupOf(this, admissionregistrationV1);
  }

  /** `admissionregistration.k8s.io/v1beta1` */
  get admissionregistrationV1beta1(): AdmissionregistrationV1beta1Client {
    return groupOf(this, admissionregistrationV1beta1);
  }

  /** `admissionregistration.k8s.io/v1alpha1` */
  get admissionregistrationV1alpha1(): AdmissionregistrationV1alpha1Client {
    return groupOf(this, admissionregistrationV1alpha1);
  }

  /** `apiextensions.k8s.io/v1` */
  get apiextensionsV1(): ApiextensionsV1Client {
    return groupOf(this, apiextensionsV1);
  }

  /** `scheduling.k8s.io/v1` */
  get schedulingV1(): SchedulingV1Client {
    return groupOf(this, schedulingV1);
  }

  /** `coordination.k8s.io/v1` */
  get coordinationV1(): CoordinationV1Client {
    return groupOf(this, coordinationV1);
  }

  /** `coordination.k8s.io/v1beta1` */
  get coordinationV1beta1(): CoordinationV1beta1Client {
    return groupOf(this, coordinationV1beta1);
  }

  /** `coordination.k8s.io/v1alpha2` */
  get coordinationV1alpha2(): CoordinationV1alpha2Client {
    return groupOf(this, coordinationV1alpha2);
  }

  /** `node.k8s.io/v1` */
  get nodeV1(): NodeV1Client {
    return groupOf(this, nodeV1);
  }

  /** `discovery.k8s.io/v1` */
  get discoveryV1(): DiscoveryV1Client {
    return groupOf(this, discoveryV1);
  }

  /** `resource.k8s.io/v1` */
  get resourceV1(): ResourceV1Client {
    return groupOf(this, resourceV1);
  }

  /** `resource.k8s.io/v1beta2` */
  get resourceV1beta2(): ResourceV1beta2Client {
    return groupOf(this, resourceV1beta2);
  }

  /** `resource.k8s.io/v1beta1` */
  get resourceV1beta1(): ResourceV1beta1Client {
    return groupOf(this, resourceV1beta1);
  }

  /** `resource.k8s.io/v1alpha3` */
  get resourceV1alpha3(): ResourceV1alpha3Client {
    return groupOf(this, resourceV1alpha3);
  }

  /** `flowcontrol.apiserver.k8s.io/v1` */
  get flowcontrolV1(): FlowcontrolV1Client {
    return groupOf(this, flowcontrolV1);
  }

  /** `internal.apiserver.k8s.io/v1alpha1` */
  get internalV1alpha1(): InternalV1alpha1Client {
    return groupOf(this, internalV1alpha1);
  }
}
