import type { JsonObject } from 'client-ts/internal';

/*
 * The protobuf form of an OpenAPI document, as far as the recordings summarise it: version, title,
 * and the names of paths and schemas. Field numbers are those of gnostic's messages.
 */

interface DocumentFields {
  readonly version: string;
  readonly infoVersion: number;
  readonly paths: number;
  readonly path: number;
  readonly schemas: number;
}

const V2: DocumentFields = { version: 'swagger', infoVersion: 2, paths: 8, path: 2, schemas: 9 };
const V3: DocumentFields = { version: 'openapi', infoVersion: 6, paths: 4, path: 1, schemas: 5 };

const VERSION = 1;
const INFO = 2;
const TITLE = 1;
/** Maps are lists of entries that start with their name. */
const ENTRY = 1;
const NAME = 1;

/**
 * Returns the outline of an OpenAPI document in protobuf, in the shape of its JSON form, with the
 * paths and schemas whose names `isKnown` accepts.
 */
export function openApiOutline(
  bytes: Uint8Array,
  version: 2 | 3,
  isKnown: (name: string) => boolean = () => true,
): JsonObject {
  const fields = version === 2 ? V2 : V3;
  const document = readMessage(bytes);
  const info = readMessage(first(document, INFO));
  const paths = readMessage(first(document, fields.paths));
  // OpenAPI 3 has its schemas one level deeper, among other components.
  const components = first(document, fields.schemas);
  const schemas = readMessage(version === 2 ? components : first(readMessage(components), ENTRY));
  const named = (entries: readonly Uint8Array[] = []): JsonObject =>
    Object.fromEntries(
      entries
        .map((entry) => text(first(readMessage(entry), NAME)))
        .filter(isKnown)
        .map((name) => [name, {}]),
    );
  const byName = named(schemas.get(ENTRY));
  return {
    [fields.version]: text(first(document, VERSION)),
    info: { title: text(first(info, TITLE)), version: text(first(info, fields.infoVersion)) },
    paths: named(paths.get(fields.path)),
    ...(version === 2 ? { definitions: byName } : { components: { schemas: byName } }),
  };
}

/** Returns the length-delimited fields of a message by number; all others are skipped. */
function readMessage(bytes: Uint8Array): Map<number, Uint8Array[]> {
  const fields = new Map<number, Uint8Array[]>();
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error(`message of ${bytes.length} bytes is cut off`);
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const wireType = tag % 8;
    if (wireType === 0) varint();
    else if (wireType === 1) at += 8;
    else if (wireType === 5) at += 4;
    else if (wireType === 2) {
      const length = varint();
      if (at + length > bytes.length) throw new Error(`field of ${length} bytes is cut off`);
      const number = Math.floor(tag / 8);
      const values = fields.get(number) ?? [];
      values.push(bytes.subarray(at, at + length));
      fields.set(number, values);
      at += length;
    } else throw new Error(`wire type ${wireType} is not supported`);
  }
  return fields;
}

function first(fields: ReadonlyMap<number, readonly Uint8Array[]>, number: number): Uint8Array {
  return fields.get(number)?.[0] ?? new Uint8Array();
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}
