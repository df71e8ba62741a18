// Getters for the informers of every group-version of Kubernetes 1.36.4. Written by `npm run generate`; do not edit.

import { TypedInformerFactory } from '../typed-informer-factory.ts';
import type {
  AdmissionregistrationV1Informers,
  AdmissionregistrationV1alpha1Informers,
  AdmissionregistrationV1beta1Informers,
  ApiextensionsV1Informers,
  ApiregistrationV1Informers,
  AppsV1Informers,
  AutoscalingV1Informers,
  AutoscalingV2Informers,
  BatchV1Informers,
  CertificatesV1Informers,
  CoordinationV1Informers,
  CoordinationV1alpha2Informers,
  CoordinationV1beta1Informers,
  CoreV1Informers,
  DiscoveryV1Informers,
  EventsV1Informers,
  FlowcontrolV1Informers,
  InternalV1alpha1Informers,
  NetworkingV1Informers,
  NetworkingV1beta1Informers,
  NodeV1Informers,
  PolicyV1Informers,
  RbacV1Informers,
  ResourceV1Informers,
  ResourceV1alpha3Informers,
  ResourceV1beta1Informers,
  ResourceV1beta2Informers,
  SchedulingV1Informers,
  StorageV1Informers,
  StorageV1beta1Informers,
} from './group-version-getters.ts';

/** A getter for each group-version. Its informers are created on first use. */
export abstract class GroupVersionInformers extends TypedInformerFactory {
  #coreV1?: CoreV1Informers;
  #apiregistrationV1?: ApiregistrationV1Informers;
  #appsV1?: AppsV1Informers;
  #eventsV1?: EventsV1Informers;
  #autoscalingV2?: AutoscalingV2Informers;
  #autoscalingV1?: AutoscalingV1Informers;
  #batchV1?: BatchV1Informers;
  #certificatesV1?: CertificatesV1Informers;
  #networkingV1?: NetworkingV1Informers;
  #networkingV1beta1?: NetworkingV1beta1Informers;
  #policyV1?: PolicyV1Informers;
  #rbacV1?: RbacV1Informers;
  #storageV1?: StorageV1Informers;
  #storageV1beta1?: StorageV1beta1Informers;
  #admissionregistrationV1?: AdmissionregistrationV1Informers;
  #admissionregistrationV1beta1?: AdmissionregistrationV1beta1Informers;
  #admissionregistrationV1alpha1?: AdmissionregistrationV1alpha1Informers;
  #apiextensionsV1?: ApiextensionsV1Informers;
  #schedulingV1?: SchedulingV1Informers;
  #coordinationV1?: CoordinationV1Informers;
  #coordinationV1beta1?: CoordinationV1beta1Informers;
  #coordinationV1alpha2?: CoordinationV1alpha2Informers;
  #nodeV1?: NodeV1Informers;
  #discoveryV1?: DiscoveryV1Informers;
  #resourceV1?: ResourceV1Informers;
  #resourceV1beta2?: ResourceV1beta2Informers;
  #resourceV1beta1?: ResourceV1beta1Informers;
  #resourceV1alpha3?: ResourceV1alpha3Informers;
  #flowcontrolV1?: FlowcontrolV1Informers;
  #internalV1alpha1?: InternalV1alpha1Informers;

  /** `v1` */
  get coreV1(): CoreV1Informers {
    return (this.#coreV1 ??= this.group(this.client.coreV1));
  }

  /** `apiregistration.k8s.io/v1` */
  get apiregistrationV1(): ApiregistrationV1Informers {
    return (this.#apiregistrationV1 ??= this.group(this.client.apiregistrationV1));
  }

  /** `apps/v1` */
  get appsV1(): AppsV1Informers {
    return (this.#appsV1 ??= this.group(this.client.appsV1));
  }

  /** `events.k8s.io/v1` */
  get eventsV1(): EventsV1Informers {
    return (this.#eventsV1 ??= this.group(this.client.eventsV1));
  }

  /** `autoscaling/v2` */
  get autoscalingV2(): AutoscalingV2Informers {
    return (this.#autoscalingV2 ??= this.group(this.client.autoscalingV2));
  }

  /** `autoscaling/v1` */
  get autoscalingV1(): AutoscalingV1Informers {
    return (this.#autoscalingV1 ??= this.group(this.client.autoscalingV1));
  }

  /** `batch/v1` */
  get batchV1(): BatchV1Informers {
    return (this.#batchV1 ??= this.group(this.client.batchV1));
  }

  /** `certificates.k8s.io/v1` */
  get certificatesV1(): CertificatesV1Informers {
    return (this.#certificatesV1 ??= this.group(this.client.certificatesV1));
  }

  /** `networking.k8s.io/v1` */
  get networkingV1(): NetworkingV1Informers {
    return (this.#networkingV1 ??= this.group(this.client.networkingV1));
  }

  /** `networking.k8s.io/v1beta1` */
  get networkingV1beta1(): NetworkingV1beta1Informers {
    return (this.#networkingV1beta1 ??= this.group(this.client.networkingV1beta1));
  }

  /** `policy/v1` */
  get policyV1(): PolicyV1Informers {
    return (this.#policyV1 ??= this.group(this.client.policyV1));
  }

  /** `rbac.authorization.k8s.io/v1` */
  get rbacV1(): RbacV1Informers {
    return (this.#rbacV1 ??= this.group(this.client.rbacV1));
  }

  /** `storage.k8s.io/v1` */
  get storageV1(): StorageV1Informers {
    return (this.#storageV1 ??= this.group(this.client.storageV1));
  }

  /** `storage.k8s.io/v1beta1` */
  get storageV1beta1(): StorageV1beta1Informers {
    return (this.#storageV1beta1 ??= this.group(this.client.storageV1beta1));
  }

  /** `admissionregistration.k8s.io/v1` */
  get admissionregistrationV1(): AdmissionregistrationV1Informers {
    return (this.#admissionregistrationV1 ??= this.group(this.client.admissionregistrationV1));
  }

  /** `admissionregistration.k8s.io/v1beta1` */
  get admissionregistrationV1beta1(): AdmissionregistrationV1beta1Informers {
    return (this.#admissionregistrationV1beta1 ??= this.group(
      this.client.admissionregistrationV1beta1,
    ));
  }

  /** `admissionregistration.k8s.io/v1alpha1` */
  get admissionregistrationV1alpha1(): AdmissionregistrationV1alpha1Informers {
    return (this.#admissionregistrationV1alpha1 ??= this.group(
      this.client.admissionregistrationV1alpha1,
    ));
  }

  /** `apiextensions.k8s.io/v1` */
  get apiextensionsV1(): ApiextensionsV1Informers {
    return (this.#apiextensionsV1 ??= this.group(this.client.apiextensionsV1));
  }

  /** `scheduling.k8s.io/v1` */
  get schedulingV1(): SchedulingV1Informers {
    return (this.#schedulingV1 ??= this.group(this.client.schedulingV1));
  }

  /** `coordination.k8s.io/v1` */
  get coordinationV1(): CoordinationV1Informers {
    return (this.#coordinationV1 ??= this.group(this.client.coordinationV1));
  }

  /** `coordination.k8s.io/v1beta1` */
  get coordinationV1beta1(): CoordinationV1beta1Informers {
    return (this.#coordinationV1beta1 ??= this.group(this.client.coordinationV1beta1));
  }

  /** `coordination.k8s.io/v1alpha2` */
  get coordinationV1alpha2(): CoordinationV1alpha2Informers {
    return (this.#coordinationV1alpha2 ??= this.group(this.client.coordinationV1alpha2));
  }

  /** `node.k8s.io/v1` */
  get nodeV1(): NodeV1Informers {
    return (this.#nodeV1 ??= this.group(this.client.nodeV1));
  }

  /** `discovery.k8s.io/v1` */
  get discoveryV1(): DiscoveryV1Informers {
    return (this.#discoveryV1 ??= this.group(this.client.discoveryV1));
  }

  /** `resource.k8s.io/v1` */
  get resourceV1(): ResourceV1Informers {
    return (this.#resourceV1 ??= this.group(this.client.resourceV1));
  }

  /** `resource.k8s.io/v1beta2` */
  get resourceV1beta2(): ResourceV1beta2Informers {
    return (this.#resourceV1beta2 ??= this.group(this.client.resourceV1beta2));
  }

  /** `resource.k8s.io/v1beta1` */
  get resourceV1beta1(): ResourceV1beta1Informers {
    return (this.#resourceV1beta1 ??= this.group(this.client.resourceV1beta1));
  }

  /** `resource.k8s.io/v1alpha3` */
  get resourceV1alpha3(): ResourceV1alpha3Informers {
    return (this.#resourceV1alpha3 ??= this.group(this.client.resourceV1alpha3));
  }

  /** `flowcontrol.apiserver.k8s.io/v1` */
  get flowcontrolV1(): FlowcontrolV1Informers {
    return (this.#flowcontrolV1 ??= this.group(this.client.flowcontrolV1));
  }

  /** `internal.apiserver.k8s.io/v1alpha1` */
  get internalV1alpha1(): InternalV1alpha1Informers {
    return (this.#internalV1alpha1 ??= this.group(this.client.internalV1alpha1));
  }
}
