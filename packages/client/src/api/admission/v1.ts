// admission.k8s.io/v1, the messages of admission webhooks. Written by hand: the API model does not have it.

import type { GroupVersionKind } from '../../meta/resource.ts';
import type { Status } from '../../meta/types.ts';
import type { UserInfo } from '../authentication/v1.ts';

/** A request to an admission webhook, and its answer: the body of both. */
export interface AdmissionReview {
  /** Group and version of the message. The answer repeats that of the request. */
  apiVersion?: 'admission.k8s.io/v1';
  /** Name of the message's schema. */
  kind?: 'AdmissionReview';
  /** What is to be admitted. Set by the API server. */
  request?: AdmissionRequest;
  /** The verdict. Set by the webhook. */
  response?: AdmissionResponse;
}

/** A resource by group, version and plural. */
export interface AdmittedResource {
  /** API group; empty for the core group. */
  group: string;
  /** Plural name, in lower case. */
  resource: string;
  /** Version of the group. */
  version: string;
}

/** What an API server asks an admission webhook. */
export interface AdmissionRequest {
  /** True if the webhook must have no side effects: the request will not be stored. */
  dryRun?: boolean;
  /** Kind of `object`, in the version that the webhook is registered for. */
  kind: GroupVersionKind;
  /** Name of the object. Empty on a creation with `generateName`. */
  name?: string;
  /** Namespace of the object; of a Namespace, its own name. */
  namespace?: string;
  /** The object to store; `null` on a deletion. */
  object?: unknown;
  /** What happens to the object. */
  operation: 'CONNECT' | 'CREATE' | 'DELETE' | 'UPDATE' | (string & {});
  /** Options of the request, such as a `CreateOptions`. */
  options?: unknown;
  /** The stored object; `null` on a creation. */
  oldObject?: unknown;
  /** Kind that the request used, if it was converted for the webhook. */
  requestKind?: GroupVersionKind;
  /** Resource that the request used, if it was converted for the webhook. */
  requestResource?: AdmittedResource;
  /** Subresource that the request used, if it was converted for the webhook. */
  requestSubResource?: string;
  /** Resource of the request, in the version that the webhook is registered for. */
  resource: AdmittedResource;
  /** Subresource of the request, such as `status`. */
  subResource?: string;
  /** Identifies the request. The answer repeats it. */
  uid: string;
  /** The user who sends the request. */
  userInfo: UserInfo;
}

/** What an admission webhook answers. */
export interface AdmissionResponse {
  /** True to admit the request. */
  allowed: boolean;
  /** Annotations for the audit log; the server prefixes the keys with the name of the webhook. */
  auditAnnotations?: Record<string, string>;
  /** A JSON patch of the object, encoded in base64. Only in answers of mutating webhooks. */
  patch?: string;
  /** Type of `patch`. Required with it. */
  patchType?: 'JSONPatch';
  /** Why the request is refused. `code` and `message` reach the client. */
  status?: Status;
  /** The uid of the request. */
  uid: string;
  /** Warnings for the client, each below 256 characters. */
  warnings?: string[];
}
