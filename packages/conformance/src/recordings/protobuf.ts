import { decodeProtobuf, decodeWatchFrame } from 'client-ts/codec';
import type { JsonObject, JsonValue } from 'client-ts/internal';

/** Turns protobuf into the JSON that the server would send for the same thing. */
export interface ProtobufDecoder {
  /** An object, list or Status in its envelope; `path` is what was asked for. */
  object(bytes: Uint8Array, path: string): JsonValue;
  /** One event of a watch, without the length in front. */
  watchEvent(bytes: Uint8Array): JsonObject;
}

/** Reads protobuf with the client's own codec. */
export const protobufDecoder: ProtobufDecoder = {
  object(bytes, path) {
    const kind = discoveryKind(path);
    if (kind === undefined) return decodeProtobuf(bytes);
    return decodeProtobuf(bytes, { defaultKind: { group: '', version: 'v1', kind } });
  },
  watchEvent: (bytes) => ({ ...decodeWatchFrame(bytes) }),
};

/** Discovery answers do not say in their envelope what they are; their address does. */
function discoveryKind(path: string): string | undefined {
  const [root, ...rest] = path.split(/[/?]/).slice(1);
  if (root === 'api') return ['APIVersions', 'APIResourceList'][rest.length];
  if (root === 'apis') return ['APIGroupList', 'APIGroup', 'APIResourceList'][rest.length];
  return undefined;
}
