import type { AdmissionRequest, AdmissionResponse, AdmissionReview } from '../api/admission/v1.ts';
import type { ConversionReview } from './conversion.ts';
import type { ResourceDescriptor } from '../meta/resource.ts';
import type { ObjectMeta } from '../meta/types.ts';
import type { WebhookRequest, WebhookResponse, Webhooks } from './webhooks.ts';

export interface Site {
  apiVersion?: string;
  kind?: string;
  metadata?: ObjectMeta;
  spec: { image?: string; replicas?: number; ports?: number[] };
}

export function siteDescriptor(version: string): ResourceDescriptor<Site> {
  return {
    group: 'example.com',
    version,
    resource: 'sites',
    kind: 'Site',
    singular: 'site',
    scope: 'Namespaced',
    verbs: ['create', 'get'],
    subresources: [],
    shortNames: [],
    categories: [],
  };
}

export const sites: ResourceDescriptor<Site> = siteDescriptor('v1');

export function siteObject(spec: Site['spec'], metadata: ObjectMeta = {}): Site {
  return {
    apiVersion: 'example.com/v1',
    kind: 'Site',
    metadata: { namespace: 'ns', name: 'web', ...metadata },
    spec,
  };
}

export function admissionRequest(changes: Partial<AdmissionRequest>): AdmissionRequest {
  return {
    uid: 'call-1',
    kind: { group: 'example.com', version: 'v1', kind: 'Site' },
    resource: { group: 'example.com', version: 'v1', resource: 'sites' },
    namespace: 'ns',
    name: 'web',
    operation: 'CREATE',
    userInfo: { username: 'ada', groups: ['dev'] },
    ...changes,
  };
}

export function post(path: string, body: unknown): WebhookRequest {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = { 'content-type': 'application/json' };
  return { method: 'POST', path, headers, body: new TextEncoder().encode(text) };
}

/** Sends an admission request to the webhook at a path. */
export async function review(
  webhooks: Webhooks,
  path: string,
  changes: Partial<AdmissionRequest>,
): Promise<{ http: WebhookResponse; response: AdmissionResponse | undefined }> {
  const request = admissionRequest(changes);
  const body = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
  const http = await webhooks.handle(post(path, body));
  const { response } = http.status === 200 ? (JSON.parse(http.body) as AdmissionReview) : {};
  return { http, response };
}

/** Sends objects to the conversion at a path. */
export async function convert(
  webhooks: Webhooks,
  path: string,
  desiredAPIVersion: string,
  objects: readonly object[],
): Promise<ConversionReview['response']> {
  const request = { uid: 'call-2', desiredAPIVersion, objects };
  const body = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', request };
  const http = await webhooks.handle(post(path, body));
  return (JSON.parse(http.body) as ConversionReview).response;
}
