// Kubernetes 1.36.4, certificates.k8s.io/v1. Written by `npm run generate`; do not edit.

import type { ResourceDescriptor, Verb } from '../../meta/resource.ts';
import type { Base64, ListMeta, ObjectMeta, Open, Time } from '../../meta/types.ts';

/** `/apis/certificates.k8s.io/v1/certificatesigningrequests` */
export const certificateSigningRequests: ResourceDescriptor<
  CertificateSigningRequest,
  'Cluster',
  Verb,
  'approval' | 'status'
> = {
  group: 'certificates.k8s.io',
  version: 'v1',
  resource: 'certificatesigningrequests',
  kind: 'CertificateSigningRequest',
  singular: 'certificatesigningrequest',
  scope: 'Cluster',
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: [
    {
      name: 'approval',
      kind: { group: 'certificates.k8s.io', version: 'v1', kind: 'CertificateSigningRequest' },
      verbs: ['get', 'patch', 'update'],
    },
    {
      name: 'status',
      kind: { group: 'certificates.k8s.io', version: 'v1', kind: 'CertificateSigningRequest' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
  shortNames: ['csr'],
  categories: [],
};

export interface CertificateSigningRequest {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'certificates.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'CertificateSigningRequest';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  spec: CertificateSigningRequestSpec;
  status?: CertificateSigningRequestStatus;
}

export interface CertificateSigningRequestCondition {
  lastTransitionTime?: Time;
  lastUpdateTime?: Time;
  message?: string;
  reason?: string;
  status: string;
  type: string;
}

/**
 * A list of CertificateSigningRequest objects, as a list request returns it. Large lists
 * come in pages.
 */
export interface CertificateSigningRequestList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'certificates.k8s.io/v1';
  /** The objects of this page. */
  items: CertificateSigningRequest[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'CertificateSigningRequestList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

export interface CertificateSigningRequestSpec {
  expirationSeconds?: number;
  extra?: Record<string, string[]>;
  groups?: string[];
  request: Base64;
  signerName: string;
  uid?: string;
  usages?: Open<
    | 'any'
    | 'cert sign'
    | 'client auth'
    | 'code signing'
    | 'content commitment'
    | 'crl sign'
    | 'data encipherment'
    | 'decipher only'
    | 'digital signature'
    | 'email protection'
    | 'encipher only'
    | 'ipsec end system'
    | 'ipsec tunnel'
    | 'ipsec user'
    | 'key agreement'
    | 'key encipherment'
    | 'microsoft sgc'
    | 'netscape sgc'
    | 'ocsp signing'
    | 's/mime'
    | 'server auth'
    | 'signing'
    | 'timestamping'
  >[];
  username?: string;
}

export interface CertificateSigningRequestStatus {
  certificate?: Base64;
  conditions?: CertificateSigningRequestCondition[];
}
