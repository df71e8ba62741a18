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

/** Asks a signer for a certificate. It needs an approval, and is deleted after a while. */
export interface CertificateSigningRequest {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'certificates.k8s.io/v1';
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'CertificateSigningRequest';
  /** Name, namespace, labels, annotations and everything else that all objects have in common. */
  metadata?: ObjectMeta;
  /** The request. Cannot change. */
  spec: CertificateSigningRequestSpec;
  /** Approval, and the certificate once it is issued. */
  status?: CertificateSigningRequestStatus;
}

/** A decision about a request, `Approved`, `Denied` or `Failed`. */
export interface CertificateSigningRequestCondition {
  /**
   * When `status` last changed from one value to another. A new message or reason alone does
   * not move it.
   */
  lastTransitionTime?: Time;
  /** When this condition was last written. */
  lastUpdateTime?: Time;
  /** Details for people. May be empty; not meant to be parsed. */
  message?: string;
  /** The cause of the last transition as one CamelCase word, for programs. */
  reason?: string;
  /** Whether the condition holds. `Approved`, `Denied` and `Failed` are always true. */
  status: string;
  /**
   * Name of the condition in CamelCase, such as `Ready`; other projects prefix it with their
   * domain.
   */
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

/** What certificate is asked for, and by whom. */
export interface CertificateSigningRequestSpec {
  /** Lifetime to ask for. The signer may ignore it. At least 600. */
  expirationSeconds?: number;
  /** Further attributes of the requester. Filled in by the server. */
  extra?: Record<string, string[]>;
  /** Groups of the requester. Filled in by the server. */
  groups?: string[];
  /** The PKCS#10 request in PEM. */
  request: Base64;
  /** Signer that should issue the certificate, such as `kubernetes.io/kube-apiserver-client`. */
  signerName: string;
  /** ID of the requester. Filled in by the server. */
  uid?: string;
  /** What the certificate may be used for, such as `client auth`. Signers may restrict them. */
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
  /** Name of the requester. Filled in by the server. */
  username?: string;
}

/** Approval and certificate of a request. */
export interface CertificateSigningRequestStatus {
  /** The issued certificate and its chain in PEM. Empty until it is issued. Cannot change. */
  certificate?: Base64;
  /** Decisions about the request. */
  conditions?: CertificateSigningRequestCondition[];
}
