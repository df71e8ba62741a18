import { getKey, isJsonObject, type JsonObject, type JsonValue, quoteGo } from 'client-ts/internal';
import { ApiError, type JsonPatchOperation, type Status } from 'client-ts/meta';
import { DecodeError, decodeTyped } from '../schema/decode.ts';
import { kindOf } from '../schema/decode-scalar.ts';
import { JsonSyntaxError } from '../schema/json-parser.ts';
import { loadModel } from '../schema/model.ts';
import { parseJson, plainJson } from '../schema/parse-json.ts';
import type { Schema } from '../schema/schema.ts';
import { WebhookCallError } from '../webhook/failures.ts';
import type { AdmissionAttributes, AdmissionForm } from './attributes.ts';
import type { SelectedObjects } from './matching.ts';

const GROUP = 'admission.k8s.io';
const VERSIONS = ['v1', 'v1beta1'];

/** The AdmissionReview of one call. */
export interface Review {
  readonly uid: string;
  readonly version: string;
  readonly body: JsonObject;
}

/** Returns a request as a review shows it, without its objects. */
export function describeRequest(
  request: AdmissionAttributes,
  { resource, kind }: AdmissionForm,
): { readonly dryRun: boolean; readonly options?: JsonObject } & JsonObject {
  const { subresource, form, name, namespace, user, options } = request;
  const part = (field: string): JsonObject => (subresource === '' ? {} : { [field]: subresource });
  return {
    kind: { group: kind.group, version: kind.version, kind: kind.kind },
    resource: resourceOf(resource),
    ...part('subResource'),
    requestKind: { group: form.kind.group, version: form.kind.version, kind: form.kind.kind },
    requestResource: resourceOf(form.resource),
    ...part('requestSubResource'),
    ...(name !== '' && { name }),
    ...(namespace !== '' && { namespace }),
    operation: request.operation,
    userInfo: userInfo(user),
    dryRun: request.dryRun,
    ...(options !== undefined && { options }),
  };
}

/** Builds the review in the first version that the webhook and this server know. */
export function createReview(
  uid: string,
  versions: readonly string[],
  request: AdmissionAttributes,
  shownIn: AdmissionForm,
  { object, oldObject }: SelectedObjects,
): Review {
  const version = versions.find((candidate) => VERSIONS.includes(candidate));
  if (version === undefined) {
    throw new WebhookCallError(
      'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)',
    );
  }
  const { dryRun, options = null, ...described } = describeRequest(request, shownIn);
  const body: JsonObject = {
    kind: 'AdmissionReview',
    apiVersion: `${GROUP}/${version}`,
    request: {
      uid,
      ...described,
      object: object ?? null,
      oldObject: oldObject ?? null,
      dryRun,
      options,
    },
  };
  return { uid, version, body };
}

function resourceOf({ group, version, resource }: AdmissionForm['resource']): JsonObject {
  return { group, version, resource };
}

function userInfo({ name, uid = '', groups, extra = {} }: AdmissionAttributes['user']): JsonObject {
  return {
    username: name,
    ...(uid !== '' && { uid }),
    ...(groups.length > 0 && { groups: [...groups] }),
    ...(Object.keys(extra).length > 0 && {
      extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]])),
    }),
  };
}

/** The verdict of a webhook. */
export interface Verdict {
  readonly allowed: boolean;
  /** Empty if the webhook changes nothing. */
  readonly patch: readonly JsonPatchOperation[];
  readonly warnings: readonly string[];
  readonly result: Partial<Status> | undefined;
}

/** Checks the response of a webhook. Throws a {@link WebhookCallError} if it is not valid. */
export function readVerdict(review: Review, answer: JsonObject, mutating: boolean): Verdict {
  const apiVersion = textIn(answer, 'apiVersion');
  const kind = textIn(answer, 'kind');
  const expected = `${GROUP}/${review.version}`;
  checkConvertible(apiVersion, review.version);
  const { response = null } = answer;
  if (response === null) throw invalidResponse('webhook response was absent');
  if (!isJsonObject(response)) throw mismatch(response, 'response', 'v1.AdmissionResponse');
  const patch = textIn(response, 'patch');
  const patchType = optionalText(response, 'patchType');
  if (review.version === 'v1') {
    const uid = textIn(response, 'uid');
    if (uid !== review.uid) {
      throw invalidResponse(`expected response.uid=${quoteGo(review.uid)}, got ${quoteGo(uid)}`);
    }
    if (apiVersion !== expected || kind !== 'AdmissionReview') {
      const found = `${apiVersion === '' ? '/' : apiVersion}, Kind=${kind}`;
      throw invalidResponse(
        `expected webhook response of ${expected}, Kind=AdmissionReview, got ${found}`,
      );
    }
    checkPatchType(patch, patchType, mutating);
  }
  return {
    allowed: booleanIn(response, 'allowed'),
    patch: mutating ? decodePatch(patch, patchType) : [],
    warnings: textsIn(response, 'warnings'),
    result: statusIn(response),
  };
}

/** A response in the other known version cannot be read as the one that was asked for. */
function checkConvertible(apiVersion: string, version: string): void {
  const other = VERSIONS.find((candidate) => candidate !== version) as string;
  if (apiVersion !== `${GROUP}/${other}`) return;
  throw new WebhookCallError(
    `failed to call webhook: converting (${other}.AdmissionReview) to (${version}.AdmissionReview): unknown conversion`,
  );
}

function checkPatchType(patch: string, patchType: string | undefined, mutating: boolean): void {
  if (!mutating) {
    if (patch !== '') throw invalidResponse('validating webhook may not return response.patch');
    if (patchType !== undefined) {
      throw invalidResponse('validating webhook may not return response.patchType');
    }
    return;
  }
  if (patch !== '' && patchType === undefined) {
    throw invalidResponse('webhook returned response.patch but not response.patchType');
  }
  if (patch === '' && patchType !== undefined) {
    throw invalidResponse('webhook returned response.patchType but not response.patch');
  }
  if (patchType === '') {
    throw invalidResponse('webhook returned invalid response.patchType of ""');
  }
}

/** In v1beta1 the patch type may be missing: there is only one. */
function decodePatch(base64: string, patchType = 'JSONPatch'): readonly JsonPatchOperation[] {
  if (base64 === '') return [];
  let patch: JsonValue;
  try {
    patch = plainJson(parseJson(Buffer.from(base64, 'base64').toString('utf8')));
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw undecodablePatch(error.message);
  }
  if (patch === null) return [];
  if (!Array.isArray(patch)) {
    throw undecodablePatch(
      `json: cannot unmarshal ${kindOf(patch)} into Go value of type jsonpatch.Patch`,
    );
  }
  const wrong = patch.find((operation) => !isJsonObject(operation));
  if (wrong !== undefined) {
    throw undecodablePatch(
      `json: cannot unmarshal ${kindOf(wrong)} into Go value of type jsonpatch.Operation`,
    );
  }
  if (patchType !== 'JSONPatch' && patch.length > 0) {
    throw new WebhookCallError(`unsupported patch type ${quoteGo(patchType)}`);
  }
  return patch as unknown as JsonPatchOperation[];
}

function undecodablePatch(detail: string): WebhookCallError {
  return new WebhookCallError(`received undecodable patch in webhook response: ${detail}`);
}

function invalidResponse(detail: string): WebhookCallError {
  return new WebhookCallError(`received invalid webhook response: ${detail}`);
}

function mismatch(value: JsonValue, field: string, type: string): WebhookCallError {
  return new WebhookCallError(
    `failed to call webhook: json: cannot unmarshal ${kindOf(value)} into Go struct field AdmissionReview.${field} of type ${type}`,
  );
}

function optionalText(response: JsonObject, field: string): string | undefined {
  const value = getKey(response, field) ?? null;
  if (value === null) return undefined;
  if (typeof value === 'string') return value;
  throw mismatch(value, `response.${field}`, 'string');
}

function textIn(response: JsonObject, field: string): string {
  return optionalText(response, field) ?? '';
}

function booleanIn(response: JsonObject, field: string): boolean {
  const value = getKey(response, field) ?? false;
  if (typeof value === 'boolean') return value;
  throw mismatch(value, `response.${field}`, 'bool');
}

function textsIn(response: JsonObject, field: string): string[] {
  const value = getKey(response, field) ?? [];
  if (!Array.isArray(value)) throw mismatch(value, `response.${field}`, '[]string');
  return value.map((item) => {
    if (typeof item === 'string') return item;
    throw mismatch(item, `response.${field}`, 'string');
  });
}

/** Its fields are the same in every release. */
const STATUS = 'io.k8s.apimachinery.pkg.apis.meta.v1.Status';

function statusIn(response: JsonObject): Partial<Status> | undefined {
  const { status = null } = response;
  if (status === null) return undefined;
  try {
    return decodeTyped(loadModel().schemaById(STATUS) as Schema, status).object;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new WebhookCallError(`failed to call webhook: ${error.message}`);
  }
}

/** Returns the error of a denied request. */
export function denial(webhook: string, result: Partial<Status> = {}): ApiError {
  const deniedBy = `admission webhook ${quoteGo(webhook)} denied the request`;
  const { message = '', reason = '', code = 0, status = '', details } = result;
  const explanation = message === '' ? reason : message;
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: status === '' || status === 'Success' ? 'Failure' : status,
    message: explanation === '' ? `${deniedBy} without explanation` : `${deniedBy}: ${explanation}`,
    ...(reason !== '' && { reason }),
    ...(details && { details }),
    code: code < 400 ? 400 : code,
  });
}
