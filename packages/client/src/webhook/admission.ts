import type { AdmissionRequest, AdmissionResponse, AdmissionReview } from '../api/admission/v1.ts';
import type { UserInfo } from '../api/authentication/v1.ts';
import { cloneJson, isJsonObject, type JsonObject, type JsonValue } from '../lib/json.ts';
import { createJsonPatch } from '../meta/patch.ts';
import {
  apiVersionOf,
  type GroupVersionKind,
  type GroupVersionResource,
  type ResourceDescriptor,
} from '../meta/resource.ts';
import type { KubernetesObject, Status, StatusCause } from '../meta/types.ts';
import { invalidReview } from './webhook-error.ts';

/** What every {@link Admission} has. */
export interface AdmissionDetails {
  /** Identifies this call. */
  readonly uid: string;
  /** Empty for a creation in which the server chooses the name. */
  readonly name: string;
  /** Empty for a cluster-scoped object. */
  readonly namespace: string;
  /** Empty for the resource itself; `status`, `scale`. */
  readonly subresource: string;
  /** True if nothing is stored: the webhook must then have no effects elsewhere. */
  readonly dryRun: boolean;
  /** Who made the request. */
  readonly userInfo: UserInfo;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  /** The request as the server sent it. */
  readonly request: AdmissionRequest;
  /** Aborts when the server no longer waits for the answer. */
  readonly signal: AbortSignal;
}

/**
 * A request that a webhook admits or rejects. `object` is the object as it would be stored, `oldObject`
 * the stored one. They have the type of the resource; for subresources such as `scale`, that of the
 * subresource. The options of a `CONNECT` are in `request.object`.
 */
export type Admission<T> = AdmissionDetails &
  (
    | { readonly operation: 'CONNECT'; readonly object?: undefined; readonly oldObject?: undefined }
    | { readonly operation: 'CREATE'; readonly object: T; readonly oldObject?: undefined }
    | { readonly operation: 'DELETE'; readonly object?: undefined; readonly oldObject: T }
    | { readonly operation: 'UPDATE'; readonly object: T; readonly oldObject: T }
  );

const verdictKey: unique symbol = Symbol.for('client-ts.webhook.verdict');

/** What a webhook decides. Made by {@link allowed} and {@link denied}. */
export interface AdmissionVerdict {
  readonly [verdictKey]: true;
  readonly allowed: boolean;
  readonly status?: Status | undefined;
  readonly warnings?: readonly string[] | undefined;
  readonly auditAnnotations?: Readonly<Record<string, string>> | undefined;
}

/** Options of {@link allowed}. */
export interface AllowedOptions {
  /** Shown to the user by kubectl. At most 256 characters each are sure to arrive. */
  readonly warnings?: readonly string[] | undefined;
  /** Added to the audit event of the request. Keys have no prefix: the server adds the webhook's name. */
  readonly auditAnnotations?: Readonly<Record<string, string>> | undefined;
}

/** Options of {@link denied}. */
export interface DeniedOptions extends AllowedOptions {
  /** The HTTP status of the answer. Default 403. */
  readonly code?: number | undefined;
  /** The reason for programs. Default `Forbidden` for 403, `Invalid` for 422. */
  readonly reason?: string | undefined;
  /** The fields that are wrong: `{ field: 'spec.replicas', message: 'must be odd' }`. */
  readonly causes?: readonly StatusCause[] | undefined;
}

/** Returns the verdict that admits a request. */
export function allowed(options: AllowedOptions = {}): AdmissionVerdict {
  return { [verdictKey]: true, allowed: true, ...options };
}

/** Returns the verdict that rejects a request. The user sees the message. */
export function denied(message: string, options: DeniedOptions = {}): AdmissionVerdict {
  const { code = 403, reason = reasonOf(code), causes, ...rest } = options;
  const status: Status = {
    status: 'Failure',
    code,
    message,
    ...(reason !== undefined && { reason }),
    ...(causes !== undefined && { details: { causes: [...causes] } }),
  };
  return { [verdictKey]: true, allowed: false, status, ...rest };
}

function reasonOf(code: number): string | undefined {
  if (code === 403) return 'Forbidden';
  return code === 422 ? 'Invalid' : undefined;
}

/**
 * Decides about a request. Nothing, or {@link allowed}, admits it. If it throws, the server applies the
 * `failurePolicy` of the webhook.
 */
export type Validator<T> = (
  admission: Admission<T>,
) => AdmissionVerdict | Promise<AdmissionVerdict | void> | void;

/**
 * Changes an object before it is stored: in place, or by returning another one. `denied` rejects the
 * request, and `allowed` adds warnings. Called again for the same object, it should change nothing.
 */
export type Mutator<T> = (
  object: T,
  admission: Admission<T> & { readonly operation: 'CREATE' | 'UPDATE' },
) => AdmissionVerdict | Promise<AdmissionVerdict | T | void> | T | void;

/** Answers the request of an `AdmissionReview`. */
export type AdmissionHandler = (
  request: AdmissionRequest,
  signal: AbortSignal,
) => Promise<AdmissionResponse>;

/** Returns the handler of a validating webhook. */
export function validatingHandler<T extends KubernetesObject>(
  resource: ResourceDescriptor<T>,
  validate: Validator<T>,
): AdmissionHandler {
  return async (request, signal) => {
    const verdict = (await validate(admissionOf(resource, request, signal))) ?? allowed();
    return responseOf(request, verdict);
  };
}

/** Returns the handler of a mutating webhook. */
export function mutatingHandler<T extends KubernetesObject>(
  resource: ResourceDescriptor<T>,
  mutate: Mutator<T>,
): AdmissionHandler {
  return async (request, signal) => {
    const admission = admissionOf(resource, request, signal);
    const { operation, object } = admission;
    if (operation !== 'CREATE' && operation !== 'UPDATE') return responseOf(request, allowed());
    const copy = cloneJson(object);
    const result = await mutate(copy, admission);
    const verdict = isVerdict(result) ? result : allowed();
    const after = result === undefined || isVerdict(result) ? copy : result;
    return verdict.allowed
      ? withPatch(responseOf(request, verdict), object, after)
      : responseOf(request, verdict);
  };
}

/** Returns the request of a review. Throws if it is not an `AdmissionReview` of version 1. */
export function admissionRequestOf(review: JsonValue): AdmissionRequest {
  if (!isJsonObject(review) || review['kind'] !== 'AdmissionReview') {
    throw invalidReview('the body is not an AdmissionReview');
  }
  if (review['apiVersion'] !== 'admission.k8s.io/v1') {
    const found = JSON.stringify(review['apiVersion']);
    throw invalidReview(`apiVersion is ${found}, not "admission.k8s.io/v1"`);
  }
  const { request } = review;
  if (!isJsonObject(request) || typeof request['uid'] !== 'string' || request['uid'] === '') {
    throw invalidReview('the AdmissionReview has no request with a uid');
  }
  return request as JsonObject & AdmissionRequest;
}

/** Returns the review that answers. */
export function admissionReviewOf(response: AdmissionResponse): AdmissionReview {
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response };
}

function isVerdict(value: unknown): value is AdmissionVerdict {
  return typeof value === 'object' && value !== null && Reflect.get(value, verdictKey) === true;
}

function admissionOf<T extends KubernetesObject>(
  resource: ResourceDescriptor<T>,
  request: AdmissionRequest,
  signal: AbortSignal,
): Admission<T> {
  const { uid, name = '', namespace = '', subResource: subresource = '', dryRun = false } = request;
  const { kind, userInfo, operation } = request;
  if (!isJsonObject(kind) || !isJsonObject(request.resource)) {
    throw invalidReview('the request has no kind or no resource');
  }
  const details = { uid, name, namespace, subresource, dryRun, userInfo, kind, request, signal };
  const common = { ...details, resource: request.resource };
  // A subresource has a kind of its own, except status.
  const isWhole = subresource === '' || subresource === 'status';
  const read = (field: 'object' | 'oldObject'): T => {
    const value: unknown = request[field];
    if (!isJsonObject(value)) throw invalidReview(`the ${operation} request has no ${field}`);
    if (isWhole) checkType(resource, value, field);
    return value as unknown as T;
  };
  switch (operation) {
    case 'CREATE':
      return { ...common, operation: 'CREATE', object: read('object') };
    case 'UPDATE':
      return {
        ...common,
        operation: 'UPDATE',
        object: read('object'),
        oldObject: read('oldObject'),
      };
    case 'DELETE':
      return { ...common, operation: 'DELETE', oldObject: read('oldObject') };
    case 'CONNECT':
      return { ...common, operation: 'CONNECT' };
    default:
      throw invalidReview(`the operation ${JSON.stringify(operation)} is unknown`);
  }
}

function checkType(resource: ResourceDescriptor, value: JsonObject, field: string): void {
  const apiVersion = apiVersionOf(resource);
  if (value['apiVersion'] === apiVersion && value['kind'] === resource.kind) return;
  const found = JSON.stringify({ apiVersion: value['apiVersion'], kind: value['kind'] });
  throw invalidReview(`${field} is ${found}, not a ${resource.kind} of ${apiVersion}`);
}

function responseOf(
  { uid }: AdmissionRequest,
  { allowed: isAllowed, status, warnings = [], auditAnnotations }: AdmissionVerdict,
): AdmissionResponse {
  return {
    uid,
    allowed: isAllowed,
    ...(status !== undefined && { status }),
    ...(warnings.length > 0 && { warnings: [...warnings] }),
    ...(auditAnnotations !== undefined && { auditAnnotations: { ...auditAnnotations } }),
  };
}

/** Adds the changes that turn `before` into `after`, if there are any. */
function withPatch(response: AdmissionResponse, before: object, after: object): AdmissionResponse {
  // As JSON, so that undefined fields and dates become what the server would see.
  const plain = JSON.parse(JSON.stringify(after)) as JsonValue;
  const patch = createJsonPatch(before as JsonObject, plain);
  if (patch.length === 0) return response;
  const bytes = Buffer.from(JSON.stringify(patch));
  return { ...response, patchType: 'JSONPatch', patch: bytes.toString('base64') };
}
