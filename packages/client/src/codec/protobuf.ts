import type { JsonObject } from '../lib/json.ts';
import { apiVersionOf, type GroupVersionKind } from '../meta/resource.ts';
import { type DecodeOptions, type EncodeOptions, readEnvelope, writeEnvelope } from './envelope.ts';
import { kindsOf } from './message-type.ts';
import { BackwardWriter } from './wire/backward-writer.ts';
import { asBuffer } from './wire/wire-reader.ts';

/** True if objects of this kind can be read and written as protobuf. Custom resources cannot. */
export function hasProtobuf(gvk: GroupVersionKind): boolean {
  return kindsOf(apiVersionOf(gvk)).has(gvk.kind);
}

/**
 * Writes an object, of any built-in kind, as the body of a request or response.
 *
 * The bytes are those that the server itself would write. Fields are checked against their types
 * and the first wrong one throws; nothing is lost without a word, see {@link EncodeOptions}.
 *
 * Integers beyond 2^53 are refused (`CODEC_INEXACT_INTEGER`): a JavaScript number of that size may
 * have been rounded when it was read. A bigint is written exactly.
 */
export function encodeProtobuf(object: object, options: EncodeOptions = {}): Uint8Array {
  const writer = new BackwardWriter();
  writeEnvelope(writer, object as JsonObject, options);
  return writer.finish();
}

/**
 * Reads a protobuf body into the plain object that the server would have sent as JSON: the same
 * fields, `apiVersion` and `kind` included, with the same emptiness.
 *
 * Integers beyond 2^53 become the nearest number, as they do in `JSON.parse`; fields of a newer
 * server are kept aside, see `UNKNOWN_FIELDS`. `report` tells of both. No bytes, however broken,
 * give anything but an object or a `CodecError`.
 */
export function decodeProtobuf<T extends object = JsonObject>(
  bytes: Uint8Array,
  options: DecodeOptions = {},
): T {
  return readEnvelope(asBuffer(bytes), options, 0) as T;
}
