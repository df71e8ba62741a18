import type { WebhookConversion } from 'client-ts/api/apiextensions/v1';
import {
  aggregateMessage,
  cloneJson,
  getKey,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  quoteGo,
  type Random,
  setKey,
} from 'client-ts/internal';
import { type ApiError, newUnknownError, parseApiVersion } from 'client-ts/meta';
import { validateLabels } from '../validation/labels.ts';
import { validateAnnotations } from '../validation/object-meta.ts';
import { WebhookCallError } from './failures.ts';
import type { WebhookClient } from './webhook-client.ts';

const GROUP = 'apiextensions.k8s.io';
const VERSIONS = ['v1', 'v1beta1'];
const TIMEOUT_SECONDS = 30;

/** The dependencies of {@link ConversionWebhook}. */
export interface ConversionWebhookOptions {
  readonly client: WebhookClient;
  readonly random: Random;
  /** The conversion of the definition. */
  readonly webhook: WebhookConversion;
}

/** The webhook that converts between the versions of one custom resource. */
export class ConversionWebhook {
  readonly #client: WebhookClient;
  readonly #random: Random;
  readonly #webhook: WebhookConversion;

  constructor({ client, random, webhook }: ConversionWebhookOptions) {
    this.#client = client;
    this.#random = random;
    this.#webhook = webhook;
  }

  /**
   * Converts objects of one kind, of which none has the desired version. Neither identity nor
   * metadata can change, except labels and annotations. Rejects with the error of a real server.
   */
  async convert(objects: readonly JsonObject[], desired: string): Promise<JsonObject[]> {
    const [first] = objects;
    if (first === undefined) return [];
    const subject = `conversion webhook for ${kindOf(first)}`;
    const converted = await this.#call(objects, desired).catch((error: unknown) => {
      if (!(error instanceof WebhookCallError)) throw error;
      throw newUnknownError(`${subject} failed: ${error.message}`);
    });
    if (converted.length !== objects.length) {
      throw newUnknownError(
        `${subject} returned ${converted.length} objects, expected ${objects.length}`,
      );
    }
    return objects.map((original, index) => checked(original, converted[index], desired, subject));
  }

  async #call(objects: readonly JsonObject[], desired: string): Promise<readonly JsonValue[]> {
    const { conversionReviewVersions, clientConfig = {} } = this.#webhook;
    const version = conversionReviewVersions.find((candidate) => VERSIONS.includes(candidate));
    if (version === undefined) {
      throw new WebhookCallError('no supported conversion review versions');
    }
    const uid = this.#random.uuid();
    const answer = await this.#client.call({
      config: clientConfig,
      body: {
        kind: 'ConversionReview',
        apiVersion: `${GROUP}/${version}`,
        request: { uid, desiredAPIVersion: desired, objects },
        response: { uid: '', convertedObjects: null, result: { metadata: {} } },
      },
      deadlineSeconds: TIMEOUT_SECONDS,
      userAgent: 'kube-apiserver',
    });
    return convertedObjects(answer, version, uid);
  }
}

/** Returns the objects of a response; throws if it is not a success. */
function convertedObjects(answer: JsonObject, version: string, uid: string): readonly JsonValue[] {
  const { response = null } = answer;
  if (version === 'v1') {
    const found = kindOf(answer);
    const expected = `${GROUP}/v1, Kind=ConversionReview`;
    if (found !== expected) {
      throw new WebhookCallError(`expected webhook response of ${expected}, got ${found}`);
    }
  }
  if (!isJsonObject(response)) throw new WebhookCallError('no response provided');
  const given = textIn(response, 'uid');
  if (version === 'v1' && given !== uid) {
    throw new WebhookCallError(`expected response.uid=${quoteGo(uid)}, got ${quoteGo(given)}`);
  }
  const { result = {}, convertedObjects: objects = null } = response;
  const status = isJsonObject(result) ? textIn(result, 'status') : '';
  if (status !== 'Success') {
    const message = isJsonObject(result) ? textIn(result, 'message') : '';
    throw new WebhookCallError(
      message === '' ? `response.result.status was '${status}', not 'Success'` : message,
    );
  }
  return Array.isArray(objects) ? objects : [];
}

/** Returns a converted object with the metadata of the original. */
function checked(
  original: JsonObject,
  converted: JsonValue | undefined,
  desired: string,
  subject: string,
): JsonObject {
  const refuse = (detail: string): ApiError => newUnknownError(`${subject} returned ${detail}`);
  const version = isJsonObject(converted) ? textIn(converted, 'apiVersion') : '';
  if (!isJsonObject(converted) || version !== desired) {
    throw refuse(
      `invalid object at index 0: invalid groupVersion (expected ${desired}, received ${version})`,
    );
  }
  const [kind, received] = [textIn(original, 'kind'), textIn(converted, 'kind')];
  if (kind !== received) {
    throw refuse(
      `invalid object at index 0: invalid kind (expected ${kind}, received ${received})`,
    );
  }
  const [before, after] = [metadataOf(original), metadataOf(converted) ?? {}];
  for (const [field, name] of IDENTITY) {
    const [was, is] = [textIn(before ?? {}, field), textIn(after, field)];
    if (was === is) continue;
    throw refuse(`invalid object: must have the same ${name}: ${was} != ${is}`);
  }
  try {
    return { ...converted, metadata: restoredMetadata(before ?? {}, converted['metadata']) };
  } catch (error) {
    if (!(error instanceof WebhookCallError)) throw error;
    throw refuse(`invalid metadata: ${error.message}`);
  }
}

const IDENTITY = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
] as const;

/** Returns the original metadata with the labels and annotations of the response. */
function restoredMetadata(before: JsonObject, response: JsonValue | undefined): JsonObject {
  if (response === undefined) {
    throw new WebhookCallError('missing metadata in converted object');
  }
  if (!isJsonObject(response)) {
    throw new WebhookCallError(`invalid metadata of type ${goType(response)} in converted object`);
  }
  const metadata = cloneJson(before);
  for (const field of ['labels', 'annotations'] as const) {
    const given = response[field] ?? null;
    if (given === null) delete metadata[field];
    else setKey(metadata, field, checkedMap(field, given));
  }
  return metadata;
}

function checkedMap(field: 'annotations' | 'labels', given: JsonValue): JsonObject {
  if (!isJsonObject(given)) {
    throw new WebhookCallError(
      `invalid metadata.${field} of type ${goType(given)} in converted object`,
    );
  }
  for (const [key, value] of Object.entries(given)) {
    if (typeof value === 'string') continue;
    throw new WebhookCallError(
      `metadata.${field}[${key}] must be a string, but is ${goType(value ?? null)} in converted object`,
    );
  }
  const texts = given as Record<string, string>;
  const findings =
    field === 'labels'
      ? validateLabels(texts, 'metadata.labels')
      : validateAnnotations(texts, 'metadata.annotation');
  if (findings.length === 0) return given;
  throw new WebhookCallError(
    aggregateMessage(findings.map(({ field: path, message }) => `${path}: ${message}`)),
  );
}

function metadataOf(object: JsonObject): JsonObject | undefined {
  const { metadata } = object;
  return isJsonObject(metadata) ? metadata : undefined;
}

function textIn(object: JsonObject, field: string): string {
  const value = getKey(object, field);
  return typeof value === 'string' ? value : '';
}

/** Returns the kind of an object as messages show it. */
function kindOf(object: JsonObject): string {
  const { group, version } = parseApiVersion(textIn(object, 'apiVersion'));
  return `${group}/${version}, Kind=${textIn(object, 'kind')}`;
}

/** Returns the Go type of decoded JSON. */
function goType(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'object' ? 'map[string]interface {}' : 'string';
}
