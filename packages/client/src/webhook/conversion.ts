import {
  cloneJson,
  getKey,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setKey,
} from '../lib/json.ts';
import { messageOf } from '../lib/errors.ts';
import type { GroupKind } from '../meta/resource.ts';
import { groupKindName, parseApiVersion } from '../meta/resource.ts';
import type { RawExtension, Status } from '../meta/types.ts';
import { invalidReview } from './webhook-error.ts';

/** What a server sends to a conversion webhook, and what the webhook answers. It is not stored. */
export interface ConversionReview {
  /** `apiextensions.k8s.io/v1`. */
  apiVersion?: 'apiextensions.k8s.io/v1' | undefined;
  /** `ConversionReview`. */
  kind?: 'ConversionReview' | undefined;
  /** The objects to convert. Only the server sets it. */
  request?: ConversionRequest | undefined;
  /** The converted objects. Only the webhook sets it. */
  response?: ConversionResponse | undefined;
}

/** Custom objects that a server needs in another version. */
export interface ConversionRequest {
  /** Group and version to convert to: `example.com/v1`. */
  desiredAPIVersion: string;
  /** The objects, which may have different versions. */
  objects: RawExtension[];
  /** Identifies this call. The answer must have the same. */
  uid: string;
}

/** The answer of a conversion webhook. */
export interface ConversionResponse {
  /** The objects of the request in the desired version, in the same order. Empty after a failure. */
  convertedObjects: RawExtension[];
  /** `Success`, or why the conversion failed. */
  result: Status;
  /** The `uid` of the request. */
  uid: string;
}

/** An object that has its `apiVersion`, by which the type of several versions is narrowed. */
export type VersionedObject<T> = T extends { apiVersion?: infer Version }
  ? T & { apiVersion: Exclude<Version, undefined> }
  : T;

/**
 * Converts one object to another version: in place, or by returning another object. The server
 * calls it for each stored object that is read in another version, so it must be fast, never fail
 * for an object that was accepted, and lose nothing on the way back.
 *
 * `apiVersion` and `kind` are set afterwards. Of the metadata only labels and annotations may change;
 * the rest is that of the original, and all of it if the result has no metadata.
 */
export type Converter<T> = (
  object: VersionedObject<T>,
  toVersion: string,
) => Promise<object | void> | object | void;

/** Returns the request of a review. Throws if it is not a `ConversionReview` of version 1. */
export function conversionRequestOf(review: JsonValue): ConversionRequest {
  if (!isJsonObject(review) || review['kind'] !== 'ConversionReview') {
    throw invalidReview('the body is not a ConversionReview');
  }
  if (review['apiVersion'] !== 'apiextensions.k8s.io/v1') {
    const found = JSON.stringify(review['apiVersion']);
    throw invalidReview(`apiVersion is ${found}, not "apiextensions.k8s.io/v1"`);
  }
  const { request } = review;
  if (
    !isJsonObject(request) ||
    typeof request['uid'] !== 'string' ||
    typeof request['desiredAPIVersion'] !== 'string' ||
    !Array.isArray(request['objects'])
  ) {
    throw invalidReview(
      'the ConversionReview has no request with uid, desiredAPIVersion and objects',
    );
  }
  return request as JsonObject & ConversionRequest;
}

/** Answers the request of a `ConversionReview`. A failure is part of the answer, and never thrown. */
export async function convertAll<T>(
  groupKind: GroupKind,
  convert: Converter<T>,
  { uid, desiredAPIVersion, objects }: ConversionRequest,
  onFailure?: (error: unknown) => void,
): Promise<ConversionReview> {
  const convertedObjects: RawExtension[] = [];
  let result: Status = { status: 'Success' };
  try {
    for (const object of objects) {
      convertedObjects.push(await convertOne(groupKind, convert, object, desiredAPIVersion));
    }
  } catch (error) {
    onFailure?.(error);
    convertedObjects.length = 0;
    result = { status: 'Failure', message: messageOf(error) };
  }
  const response: ConversionResponse = { uid, convertedObjects, result };
  return { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', response };
}

async function convertOne<T>(
  groupKind: GroupKind,
  convert: Converter<T>,
  object: RawExtension,
  desiredAPIVersion: string,
): Promise<RawExtension> {
  if (!isJsonObject(object)) throw invalidReview('what is to be converted is not an object');
  const { apiVersion, kind } = object;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') {
    throw invalidReview('an object has no apiVersion or no kind');
  }
  const { group } = parseApiVersion(apiVersion);
  if (group !== groupKind.group || kind !== groupKind.kind) {
    const found = groupKindName({ group, kind });
    throw invalidReview(`cannot convert a ${found}: this is for ${groupKindName(groupKind)}`);
  }
  if (apiVersion === desiredAPIVersion) return object;
  const { version } = parseApiVersion(desiredAPIVersion);
  const copy = cloneJson(object) as VersionedObject<T>;
  const converted = (await convert(copy, version)) ?? copy;
  return withMetadataOf(object, { ...converted, apiVersion: desiredAPIVersion, kind });
}

/** Servers refuse a conversion that changes more of the metadata than labels and annotations. */
function withMetadataOf(original: RawExtension, converted: RawExtension): RawExtension {
  const { metadata: before } = original;
  const { metadata: after } = converted;
  if (!isJsonObject(before)) return converted;
  if (after === undefined) return { ...converted, metadata: before };
  const { labels: _labels, annotations: _annotations, ...rest } = before;
  const metadata: JsonObject = rest;
  for (const field of ['labels', 'annotations']) {
    const value = isJsonObject(after) ? getKey(after, field) : undefined;
    if (value !== undefined) setKey(metadata, field, value);
  }
  return { ...converted, metadata };
}
