// Kubernetes 1.36.4, networking.k8s.io/v1. Written by `npm run generate`; do not edit.

import type { ResourceDescriptor, Verb } from '../../meta/resource.ts';
import type {
  Condition,
  IntOrString,
  LabelSelector,
  ListMeta,
  ObjectMeta,
  Open,
} from '../../meta/types.ts';
import type { TypedLocalObjectReference } from '../core/v1.ts';

const everyVerb: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

/** `/apis/networking.k8s.io/v1/ingressclasses` */
export const ingressClasses: ResourceDescriptor<IngressClass, 'Cluster', Verb, never> = {
  group: 'networking.k8s.io',
  version: 'v1',
  resource: 'ingressclasses',
  kind: 'IngressClass',
  singular: 'ingressclass',
  scope: 'Cluster',
  verbs: everyVerb,
  subresources: [],
  shortNames: [],
  categories: [],
};

/** `/apis/networking.k8s.io/v1/namespaces/{namespace}/ingresses` */
export const ingresses: ResourceDescriptor<Ingress, 'Namespaced', Verb, 'status'> = {
  group: 'networking.k8s.io',
  version: 'v1',
  resource: 'ingresses',
  kind: 'Ingress',
  singular: 'ingress',
  scope: 'Namespaced',
  verbs: everyVerb,
  subresources: [
    {
      name: 'status',
      kind: { group: 'networking.k8s.io', version: 'v1', kind: 'Ingress' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: ['ing'],
  categories: [],
};

/** `/apis/networking.k8s.io/v1/ipaddresses` */
export const ipAddresses: ResourceDescriptor<IPAddress, 'Cluster', Verb, never> = {
  group: 'networking.k8s.io',
  version: 'v1',
  resource: 'ipaddresses',
  kind: 'IPAddress',
  singular: 'ipaddress',
  scope: 'Cluster',
  verbs: everyVerb,
  subresources: [],
  shortNames: ['ip'],
  categories: [],
};

/** `/apis/networking.k8s.io/v1/namespaces/{namespace}/networkpolicies` */
export const networkPolicies: ResourceDescriptor<NetworkPolicy, 'Namespaced', Verb, never> = {
  group: 'networking.k8s.io',
  version: 'v1',
  resource: 'networkpolicies',
  kind: 'NetworkPolicy',
  singular: 'networkpolicy',
  scope: 'Namespaced',
  verbs: everyVerb,
  subresources: [],
  shortNames: ['netpol'],
  categories: [],
};

/** `/apis/networking.k8s.io/v1/servicecidrs` */
export const serviceCIDRs: ResourceDescriptor<ServiceCIDR, 'Cluster', Verb, 'status'> = {
  group: 'networking.k8s.io',
  version: 'v1',
  resource: 'servicecidrs',
  kind: 'ServiceCIDR',
  singular: 'servicecidr',
  scope: 'Cluster',
  verbs: everyVerb,
  subresources: [
    {
      name: 'status',
      kind: { group: 'networking.k8s.io', version: 'v1', kind: 'ServiceCIDR' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: [],
  categories: [],
};

/** Sends requests for a path to a backend. */
export interface HTTPIngressPath {
  /** Where matching requests go. */
  backend: IngressBackend;
  /** Path to match. Must begin with `/` for `Exact` and `Prefix`. */
  path?: string;
  /**
   * How the path is matched. `Exact` compares all of it, `Prefix` whole elements between
   * slashes; `ImplementationSpecific` is up to the controller.
   */
  pathType: Open<'Exact' | 'ImplementationSpecific' | 'Prefix'>;
}

/** Paths of a host and their backends. */
export interface HTTPIngressRuleValue {
  /** The paths. The longest match wins; `Exact` wins over `Prefix`. */
  paths: HTTPIngressPath[];
}

/**
 * An address in use, so that it is allocated once. Named after the address; managed by the
 * server for Services.
 */
export interface IPAddress {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'networking.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'IPAddress';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** What uses the address. */
  spec: IPAddressSpec;
}

/** A list of IPAddress objects, as a list request returns it. Large lists come in pages. */
export interface IPAddressList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'networking.k8s.io/v1';
  /** The objects of this page. */
  items: IPAddress[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'IPAddressList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** What uses an address. */
export interface IPAddressSpec {
  /** The object that uses the address. */
  parentRef: ParentReference;
}

/** A range of IP addresses, without some parts. */
export interface IPBlock {
  /** The range, such as `192.168.0.0/16` or `2001:db8::/64`. */
  cidr: string;
  /** Parts of the range that are left out. */
  except?: string[];
}

/**
 * Routes HTTP requests from outside the cluster to Services. It needs an ingress controller
 * to have an effect.
 */
export interface Ingress {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'networking.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'Ingress';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** Rules and certificates. */
  spec?: IngressSpec;
  /** The observed state, with the addresses of the load balancer. Read-only. */
  status?: IngressStatus;
}

/** Where requests go. Exactly one field is set. */
export interface IngressBackend {
  /** Another object in the Ingress' namespace, such as a storage bucket. */
  resource?: TypedLocalObjectReference;
  /** A Service in the Ingress' namespace. */
  service?: IngressServiceBackend;
}

/**
 * A kind of Ingress, and the controller that handles it. One class may be the default by the
 * annotation `ingressclass.kubernetes.io/is-default-class`.
 */
export interface IngressClass {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'networking.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'IngressClass';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The controller and its parameters. */
  spec?: IngressClassSpec;
}

/** A list of IngressClass objects, as a list request returns it. Large lists come in pages. */
export interface IngressClassList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'networking.k8s.io/v1';
  /** The objects of this page. */
  items: IngressClass[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'IngressClassList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** An object with parameters for an ingress controller. */
export interface IngressClassParametersReference {
  /** API group of the object. Empty for the core group. */
  apiGroup?: string;
  /** Kind of the object. */
  kind: string;
  /** Name of the object. */
  name: string;
  /** Namespace of the object. Required with scope `Namespace` and not allowed otherwise. */
  namespace?: string;
  /** `Cluster` (the default) or `Namespace`. */
  scope?: string;
}

/** The controller of an IngressClass and its parameters. */
export interface IngressClassSpec {
  /** Name of the controller, such as `example.com/ingress-controller`. Cannot change. */
  controller?: string;
  /** Object with further configuration of the controller. */
  parameters?: IngressClassParametersReference;
}

/** A list of Ingress objects, as a list request returns it. Large lists come in pages. */
export interface IngressList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'networking.k8s.io/v1';
  /** The objects of this page. */
  items: Ingress[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'IngressList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** One address of an Ingress' load balancer. */
export interface IngressLoadBalancerIngress {
  /** Host name of the load balancer. */
  hostname?: string;
  /** IP address of the load balancer. */
  ip?: string;
  /** State of each port. */
  ports?: IngressPortStatus[];
}

/** The addresses of an Ingress' load balancer. */
export interface IngressLoadBalancerStatus {
  /** Addresses at which traffic enters. */
  ingress?: IngressLoadBalancerIngress[];
}

/** State of one port of a load balancer. */
export interface IngressPortStatus {
  /**
   * Problem with the port as one CamelCase word; other projects prefix it with their domain.
   * Empty if the port works.
   */
  error?: string;
  /** Number of the port. */
  port: number;
  /** Protocol of the port. */
  protocol: Open<'SCTP' | 'TCP' | 'UDP'>;
}

/** What to do with requests for a host. */
export interface IngressRule {
  /**
   * Host name to match, such as `www.example.com`, or `*.example.com` for one label in front.
   * Empty matches all hosts. No addresses or ports.
   */
  host?: string;
  /** Paths of the host and their backends. Without it all requests go to the default backend. */
  http?: HTTPIngressRuleValue;
}

/** A port of a Service. */
export interface IngressServiceBackend {
  /** Name of the Service. */
  name: string;
  /** The port, by name or number. */
  port?: ServiceBackendPort;
}

/** Rules and certificates of an Ingress. */
export interface IngressSpec {
  /** Where requests go that no rule matches. Required if there are no rules. */
  defaultBackend?: IngressBackend;
  /** IngressClass whose controller handles this Ingress. Without it the default class applies. */
  ingressClassName?: string;
  /** Rules by host. Without any, all requests go to the default backend. */
  rules?: IngressRule[];
  /** Certificates by host. Port 443 is used; the host is chosen by SNI. */
  tls?: IngressTLS[];
}

/** The observed state of an Ingress. */
export interface IngressStatus {
  /** Addresses of the load balancer. Empty until it is ready. */
  loadBalancer?: IngressLoadBalancerStatus;
}

/** A certificate and the hosts that it is for. */
export interface IngressTLS {
  /** Host names in the certificate. The default is all hosts of the controller. */
  hosts?: string[];
  /**
   * Secret of type `kubernetes.io/tls` with the certificate and key, in the Ingress'
   * namespace. Without it the controller's default certificate is used.
   */
  secretName?: string;
}

/**
 * Limits which traffic pods accept and send. Policies only add permissions; traffic is
 * denied once any policy selects a pod. It needs a network plug-in that enforces it.
 */
export interface NetworkPolicy {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'networking.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'NetworkPolicy';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The pods and their rules. */
  spec?: NetworkPolicySpec;
}

/** Traffic that the pods may send. Port and peer must both match. */
export interface NetworkPolicyEgressRule {
  /** Ports of the destination; one must match. Empty allows all ports. */
  ports?: NetworkPolicyPort[];
  /** Destinations; one must match. Empty allows all. */
  to?: NetworkPolicyPeer[];
}

/** Traffic that the pods may receive. Port and peer must both match. */
export interface NetworkPolicyIngressRule {
  /** Sources; one must match. Empty allows all. */
  from?: NetworkPolicyPeer[];
  /** Ports of the pods; one must match. Empty allows all ports. */
  ports?: NetworkPolicyPort[];
}

/** A list of NetworkPolicy objects, as a list request returns it. Large lists come in pages. */
export interface NetworkPolicyList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'networking.k8s.io/v1';
  /** The objects of this page. */
  items: NetworkPolicy[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'NetworkPolicyList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** Sources or destinations of traffic. Either `ipBlock` alone, or selectors. */
export interface NetworkPolicyPeer {
  /** A range of addresses, meant for those outside the cluster. Not together with selectors. */
  ipBlock?: IPBlock;
  /**
   * Selects namespaces by label; an empty selector means all. With `podSelector` the peer is
   * those pods in these namespaces, without it all pods in them.
   */
  namespaceSelector?: LabelSelector;
  /**
   * Selects pods by label, in the policy's own namespace unless `namespaceSelector` is set. An
   * empty selector means all.
   */
  podSelector?: LabelSelector;
}

/** A port or range of ports. */
export interface NetworkPolicyPort {
  /** Last port of a range that begins with `port`, which must then be a number. */
  endPort?: number;
  /** Number or name of the port. Empty means all ports of the protocol. */
  port?: IntOrString;
  /** Transport protocol. Default `TCP`. */
  protocol?: Open<'SCTP' | 'TCP' | 'UDP'>;
}

/** The pods that a policy applies to, and what they may receive and send. */
export interface NetworkPolicySpec {
  /**
   * Traffic that the pods may send. If the policy covers egress and this is empty, they may
   * send none.
   */
  egress?: NetworkPolicyEgressRule[];
  /** Traffic that the pods may receive. If this is empty, they may receive none. */
  ingress?: NetworkPolicyIngressRule[];
  /**
   * Selects the pods that the policy applies to, in its namespace. An empty selector means
   * all.
   */
  podSelector?: LabelSelector;
  /**
   * Directions that the policy covers. The default is `Ingress`, and `Egress` too if there is
   * an egress rule.
   */
  policyTypes?: Open<'Egress' | 'Ingress'>[];
}

/** The object that an address belongs to. */
export interface ParentReference {
  /** API group of the object. */
  group?: string;
  /** Name of the object. */
  name: string;
  /** Namespace of the object. */
  namespace?: string;
  /** Plural name of the resource. */
  resource: string;
}

/** A port of a Service. Exactly one field is set. */
export interface ServiceBackendPort {
  /** Name of the port. */
  name?: string;
  /** Number of the port. */
  number?: number;
}

/** A range of addresses for Services. Several ranges add up. */
export interface ServiceCIDR {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'networking.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ServiceCIDR';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The ranges. */
  spec?: ServiceCIDRSpec;
  /** The observed state. Read-only. */
  status?: ServiceCIDRStatus;
}

/** A list of ServiceCIDR objects, as a list request returns it. Large lists come in pages. */
export interface ServiceCIDRList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'networking.k8s.io/v1';
  /** The objects of this page. */
  items: ServiceCIDR[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'ServiceCIDRList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** Ranges of addresses. */
export interface ServiceCIDRSpec {
  /** Ranges, at most one IPv4 and one IPv6. Cannot change. */
  cidrs?: string[];
}

/** The observed state of a range of addresses. */
export interface ServiceCIDRStatus {
  /** Aspects of the state. `Ready` is false while the range is being removed. */
  conditions?: Condition[];
}
