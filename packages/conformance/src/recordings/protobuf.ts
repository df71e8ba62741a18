import { decodeProtobuf, decodeWatchFrame } from 'client-ts/codec';
import type { JsonObject, JsonValue } from 'client-ts/internal';

/** Converts protobuf to the JSON that the server would send for the same content. */
export interface ProtobufDecoder {
  /** Decodes an object, list or Status with its envelope; `path` is that of the request. */
  object(bytes: Uint8Array, path: string): JsonValue;
  /** Decodes one event of a watch, without its length prefix. */
  watchEvent(bytes: Uint8Array): JsonObject;
}

/** Decodes protobuf with the client's codec. */
export const protobufDecoder: ProtobufDecoder = {
  object(bytes, path) {
    const kind = discoveryKind(path);
    if (kind === undefined) return decodeProtobuf(bytes);
    return decodeProtobuf(bytes, { defaultKind: { group: '', version: 'v1', kind } });
  },
  watchEvent: (bytes) => ({ ...decodeWatchFrame(bytes) }),
};

/** Discovery responses have no kind in their envelope; the path determines it. */
function discoveryKind(path: string): string | undefined {
  const [root, ...rest] = path.split(/[/?]/).slice(1);
  if (root === 'api') return ['APIVersions', 'APIResourceList'][rest.length];
  if (root === 'apis') return ['APIGroupList', 'APIGroup', 'APIResourceList'][rest.length];
  return undefined;
}
