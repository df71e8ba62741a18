import type { JsonObject } from 'client-ts/internal';
import { apiVersionOf } from 'client-ts/meta';
import type { Schema } from './schema.ts';
import { zeroStruct } from './zero.ts';

interface KindInfo {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: Schema;
  /** Set for custom resources, which have no fields of their own to write. */
  readonly crd?: string;
}

/**
 * An object with nothing in it, as the server writes it: fields that are always written have their
 * zero value. Bookmarks look like this.
 */
export function emptyObject(info: KindInfo): JsonObject {
  const typeMeta = { kind: info.kind, apiVersion: apiVersionOf(info) };
  return info.crd === undefined ? { ...typeMeta, ...zeroStruct(info.schema) } : typeMeta;
}
