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

export interface HTTPIngressPath {
  backend: IngressBackend;
  path?: string;
  pathType: Open<'Exact' | 'ImplementationSpecific' | 'Prefix'>;
}

export interface HTTPIngressRuleValue {
  paths: HTTPIngressPath[];
}

export interface IPAddress {
  apiVersion?: 'networking.k8s.io/v1';
  kind?: 'IPAddress';
  metadata?: ObjectMeta;
  spec: IPAddressSpec;
}

export interface IPAddressList {
  apiVersion?: 'networking.k8s.io/v1';
  items: IPAddress[];
  kind?: 'IPAddressList';
  metadata?: ListMeta;
}

export interface IPAddressSpec {
  parentRef: ParentReference;
}

export interface IPBlock {
  cidr: string;
  except?: string[];
}

export interface Ingress {
  apiVersion?: 'networking.k8s.io/v1';
  kind?: 'Ingress';
  metadata?: ObjectMeta;
  spec?: IngressSpec;
  status?: IngressStatus;
}

export interface IngressBackend {
  resource?: TypedLocalObjectReference;
  service?: IngressServiceBackend;
}

export interface IngressClass {
  apiVersion?: 'networking.k8s.io/v1';
  kind?: 'IngressClass';
  metadata?: ObjectMeta;
  spec?: IngressClassSpec;
}

export interface IngressClassList {
  apiVersion?: 'networking.k8s.io/v1';
  items: IngressClass[];
  kind?: 'IngressClassList';
  metadata?: ListMeta;
}

export interface IngressClassParametersReference {
  apiGroup?: string;
  kind: string;
  name: string;
  namespace?: string;
  scope?: string;
}

export interface IngressClassSpec {
  controller?: string;
  parameters?: IngressClassParametersReference;
}

export interface IngressList {
  apiVersion?: 'networking.k8s.io/v1';
  items: Ingress[];
  kind?: 'IngressList';
  metadata?: ListMeta;
}

export interface IngressLoadBalancerIngress {
  hostname?: string;
  ip?: string;
  ports?: IngressPortStatus[];
}

export interface IngressLoadBalancerStatus {
  ingress?: IngressLoadBalancerIngress[];
}

export interface IngressPortStatus {
  error?: string;
  port: number;
  protocol: Open<'SCTP' | 'TCP' | 'UDP'>;
}

export interface IngressRule {
  host?: string;
  http?: HTTPIngressRuleValue;
}

export interface IngressServiceBackend {
  name: string;
  port?: ServiceBackendPort;
}

export interface IngressSpec {
  defaultBackend?: IngressBackend;
  ingressClassName?: string;
  rules?: IngressRule[];
  tls?: IngressTLS[];
}

export interface IngressStatus {
  loadBalancer?: IngressLoadBalancerStatus;
}

export interface IngressTLS {
  hosts?: string[];
  secretName?: string;
}

export interface NetworkPolicy {
  apiVersion?: 'networking.k8s.io/v1';
  kind?: 'NetworkPolicy';
  metadata?: ObjectMeta;
  spec?: NetworkPolicySpec;
}

export interface NetworkPolicyEgressRule {
  ports?: NetworkPolicyPort[];
  to?: NetworkPolicyPeer[];
}

export interface NetworkPolicyIngressRule {
  from?: NetworkPolicyPeer[];
  ports?: NetworkPolicyPort[];
}

export interface NetworkPolicyList {
  apiVersion?: 'networking.k8s.io/v1';
  items: NetworkPolicy[];
  kind?: 'NetworkPolicyList';
  metadata?: ListMeta;
}

export interface NetworkPolicyPeer {
  ipBlock?: IPBlock;
  namespaceSelector?: LabelSelector;
  podSelector?: LabelSelector;
}

export interface NetworkPolicyPort {
  endPort?: number;
  port?: IntOrString;
  protocol?: Open<'SCTP' | 'TCP' | 'UDP'>;
}

export interface NetworkPolicySpec {
  egress?: NetworkPolicyEgressRule[];
  ingress?: NetworkPolicyIngressRule[];
  podSelector?: LabelSelector;
  policyTypes?: Open<'Egress' | 'Ingress'>[];
}

export interface ParentReference {
  group?: string;
  name: string;
  namespace?: string;
  resource: string;
}

export interface ServiceBackendPort {
  name?: string;
  number?: number;
}

export interface ServiceCIDR {
  apiVersion?: 'networking.k8s.io/v1';
  kind?: 'ServiceCIDR';
  metadata?: ObjectMeta;
  spec?: ServiceCIDRSpec;
  status?: ServiceCIDRStatus;
}

export interface ServiceCIDRList {
  apiVersion?: 'networking.k8s.io/v1';
  items: ServiceCIDR[];
  kind?: 'ServiceCIDRList';
  metadata?: ListMeta;
}

export interface ServiceCIDRSpec {
  cidrs?: string[];
}

export interface ServiceCIDRStatus {
  conditions?: Condition[];
}
