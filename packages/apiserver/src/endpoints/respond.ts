import { ApiError, apiVersionOf, failureStatus, type ListMeta } from 'client-ts/meta';

import type { ApiResponse } from '../http.ts';
import type { ResourceInfo } from '../registry/resource.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import type { StoredObject } from '../store/store.ts';
import {
  encode,
  EncodedObjects,
  encodeJsonList,
  encodeProtobufItems,
  partialMetadata,
  partialMetadataList,
} from './encoder.ts';
import { type ResourceExchange, respond, responseHeaders, preferencesOf } from './exchange.ts';
import { contentType, negotiate, type Projection, type Representation } from './negotiation.ts';
import { withoutTypeMeta } from './object-text.ts';
import { tableOf, tableOfOne } from './table.ts';

const encodedObjects = new WeakMap<ServedResource, EncodedObjects>();

/** Returns the encoded objects of a resource in a version, which all responses share. */
export function encodedObjectsOf(served: ServedResource): EncodedObjects {
  let found = encodedObjects.get(served);
  if (found === undefined) {
    found = new EncodedObjects(served.info);
    encodedObjects.set(served, found);
  }
  return found;
}

export const PROJECTIONS: readonly Projection[] = [
  'Table',
  'PartialObjectMetadata',
  'PartialObjectMetadataList',
];

/**
 * Negotiates the representation of a response. A mismatch between object and list is only noticed
 * when the response is written.
 */
export function negotiateFor(
  { request, served }: ResourceExchange,
  projections: readonly Projection[] = PROJECTIONS,
  { stream = false, watchable = false }: { stream?: boolean; watchable?: boolean } = {},
): Representation {
  const isCustom = served.info.crd !== undefined;
  return negotiate(preferencesOf(request), {
    projections,
    stream,
    watchable,
    behindWebLayer: !isCustom,
    ...(isCustom && { encodings: ['json', 'yaml'] }),
  });
}

/** Responds with one object of the resource, in the negotiated form. */
export function respondWithObject(
  exchange: ResourceExchange,
  status: number,
  object: StoredObject,
  representation: Representation,
): ApiResponse {
  const { projection, projectionVersion = 'v1' } = representation;
  if (projection === 'PartialObjectMetadataList') throw notAListError(exchange.served.info);
  if (projection === 'PartialObjectMetadata') {
    return respond(exchange, status, partialMetadata(object, projectionVersion), representation);
  }
  if (projection === 'Table') {
    return respond(
      exchange,
      status,
      tableOfOne(exchange, object, projectionVersion),
      representation,
    );
  }
  return respond(exchange, status, object, representation);
}

/** Responds with a list of the resource. */
export async function respondWithList(
  exchange: ResourceExchange,
  objects: readonly StoredObject[],
  metadata: ListMeta,
  representation: Representation,
): Promise<ApiResponse> {
  const { served, core } = exchange;
  const { info } = served;
  const { projection, projectionVersion = 'v1', encoding, pretty } = representation;
  if (projection === 'PartialObjectMetadata') throw isAListError(info);
  if (projection === 'PartialObjectMetadataList') {
    const partial = partialMetadataList(objects, metadata, projectionVersion);
    return respond(exchange, 200, partial, representation);
  }
  if (projection === 'Table') {
    const table = tableOf(exchange, objects, metadata, projectionVersion);
    return respond(exchange, 200, table, representation);
  }
  const headers = responseHeaders(exchange, contentType(representation));
  // Lists of custom resources always have `continue`.
  const listMeta = info.crd === undefined ? metadata : { continue: '', ...metadata };
  if (encoding === 'protobuf' || (encoding === 'json' && !pretty)) {
    const encoded = encodedObjectsOf(served);
    const list = { info, objects, metadata: listMeta, encoded, pause: core.pause };
    const body = encoding === 'json' ? encodeJsonList(list) : await encodeProtobufItems(list);
    return { status: 200, headers, body, compressible: true };
  }
  const apiVersion = apiVersionOf(info);
  const items = info.crd === undefined ? objects.map(withoutTypeMeta) : objects;
  const whole = { kind: info.listKind, apiVersion, metadata: listMeta, items };
  return { status: 200, headers, body: encode(whole, representation) };
}

/** The error if PartialObjectMetadata is requested for a list. */
function isAListError(info: ResourceInfo): ApiError {
  const type = goTypeName(info, 'List');
  return mismatch(
    `you requested PartialObjectMetadata, but the requested object is a list (${type})`,
  );
}

/** The error if PartialObjectMetadataList is requested for a single object. */
function notAListError(info: ResourceInfo): ApiError {
  if (info.crd !== undefined) {
    // A real server fails with a 500 here.
    return new ApiError(failureStatus({ code: 500, message: 'content is not a list' }));
  }
  const type = goTypeName(info);
  return mismatch(
    `you requested PartialObjectMetadataList, but the requested object is not a list (${type})`,
  );
}

function mismatch(message: string): ApiError {
  return new ApiError(failureStatus({ code: 406, reason: 'NotAcceptable', message }));
}

/** Groups whose Go package differs from the first part of their name. */
const PACKAGES: ReadonlyMap<string, string> = new Map([
  ['', 'core'],
  ['events.k8s.io', 'core'],
  ['internal.apiserver.k8s.io', 'apiserverinternal'],
]);

/** Returns the Go type name, which appears in messages. */
function goTypeName({ group, kind, crd }: ResourceInfo, suffix = ''): string {
  if (crd !== undefined) return `*unstructured.Unstructured${suffix}`;
  return `*${PACKAGES.get(group) ?? group.split('.', 1)[0]}.${kind}${suffix}`;
}
