import { encodeProtobuf, hasProtobuf } from 'client-ts/codec';
import { newUnknownError, parseApiVersion } from 'client-ts/meta';

import type { ApiObject } from './object.ts';

/** etcd's default limit of a request. */
const STORE_LIMIT_BYTES = 1.5 * 1024 * 1024;
/** The limit of messages that the etcd client sends. */
const SEND_LIMIT_BYTES = 2 * 1024 * 1024;
/** Approximate size of the rest of the request. */
const OVERHEAD_BYTES = 64;
/** The most bytes that one character takes, in JSON or protobuf: `\u0000`. */
const MOST_BYTES_PER_UNIT = 6;

/**
 * Throws the error of etcd for an object that is too large. Estimates the size first, and encodes
 * the object only if the estimate is near the limit.
 */
export function checkSize(key: string, object: ApiObject): void {
  if (estimateSize(object) * MOST_BYTES_PER_UNIT <= STORE_LIMIT_BYTES) return;
  const bytes = storedBytes(object) + 2 * key.length + OVERHEAD_BYTES;
  if (bytes > SEND_LIMIT_BYTES) {
    throw newUnknownError(
      'rpc error: code = ResourceExhausted desc = trying to send message larger than max ' +
        `(${bytes} vs. ${SEND_LIMIT_BYTES})`,
    );
  }
  if (bytes > STORE_LIMIT_BYTES) throw newUnknownError('etcdserver: request is too large');
}

/** Built-in kinds are stored as protobuf, custom resources as JSON. */
function storedBytes(object: ApiObject): number {
  const { apiVersion = '', kind = '' } = object;
  return hasProtobuf({ ...parseApiVersion(apiVersion), kind })
    ? encodeProtobuf(object).length
    : Buffer.byteLength(JSON.stringify(object));
}

/** Overhead per value: quotes, tags, lengths, digits. */
const PER_VALUE = 8;

function estimateSize(value: unknown): number {
  if (typeof value === 'string') return value.length + PER_VALUE;
  if (typeof value !== 'object' || value === null) return PER_VALUE;
  let size = PER_VALUE;
  if (Array.isArray(value)) {
    for (const item of value) size += estimateSize(item);
    return size;
  }
  for (const [key, item] of Object.entries(value)) size += key.length + estimateSize(item);
  return size;
}
