import { ClientError, defineErrors } from 'client-ts/internal';

import type { Property, Schema } from './schema.ts';

interface GoField {
  readonly structure: string;
  readonly path: readonly string[];
}

interface TypeMismatch extends GoField {
  readonly found: string;
  readonly type: string;
}

/**
 * A body that does not fit its type, with the message of a real server, without the prefix about
 * the request.
 */
export class DecodeError extends ClientError {
  readonly #mismatch: TypeMismatch | undefined;

  constructor(message: string, mismatch?: TypeMismatch) {
    super('APISERVER_DECODE_FAILED', message);
    this.#mismatch = mismatch;
  }

  static {
    defineErrors(this, 'DecodeError', 'APISERVER', {
      APISERVER_DECODE_FAILED: { retry: 'never' },
    });
  }

  /** A value of the wrong type. */
  static ofType(found: string, type: string, { structure, path }: GoField): DecodeError {
    const target = structure === '' ? 'Go value' : `Go struct field ${structure}.${path.join('.')}`;
    const message = `json: cannot unmarshal ${found} into ${target} of type ${type}`;
    return new DecodeError(message, { found, type, structure, path });
  }

  /** Returns the same error relative to an enclosing structure. */
  within({ structure, path }: GoField): DecodeError {
    const inner = this.#mismatch;
    if (inner === undefined || structure === '') return this;
    const field = { structure, path: [...path, ...inner.path] };
    return DecodeError.ofType(inner.found, inner.type, field);
  }
}

/** The position of the decoder in an object, as a linked list from the inside out. */
export interface Place {
  readonly parent: Place | undefined;
  /** The name of a field, the key of a map, or the index in a list. */
  readonly step: string | number;
  /** Set for fields: the structure of the field. */
  readonly owner?: Schema;
  readonly property?: Property;
}

/** Returns the path as strict decoding reports it: `spec.containers[0].image`. */
export function strictPath(place: Place | undefined): string {
  if (place === undefined) return '';
  const before = strictPath(place.parent);
  if (typeof place.step === 'number') return `${before}[${place.step}]`;
  return before === '' ? place.step : `${before}.${place.step}`;
}

/**
 * Returns the field as type errors name it: the innermost structure, then the path of fields only,
 * with the names of inlined structures: `Volume.spec.volumes.VolumeSource.emptyDir`. Empty outside
 * of fields.
 */
export function goField(place: Place | undefined): { structure: string; path: string[] } {
  const path: string[] = [];
  let structure = '';
  for (let at = place; at !== undefined; at = at.parent) {
    if (at.owner === undefined) continue;
    if (structure === '') structure = simpleName(at.owner);
    path.unshift(String(at.step));
    if (at.property?.inlined !== undefined) path.unshift(at.property.inlined);
  }
  return { structure, path };
}

/** Returns the Go type at a position: `int32`, `[]v1.Container`, `map[string]string`. */
export function goTypeAt(place: Place | undefined, schema: Schema): string {
  if (place === undefined) return goType(schema);
  if (place.owner !== undefined) return place.property?.typeName ?? goType(schema);
  const owner = place.parent?.property?.typeName ?? '';
  // The name of a named list or map type does not show its elements; the schema does.
  const element = /^(?:\[\]|map\[[^\]]*\])(.*)$/.exec(owner)?.[1];
  return element ?? goType(schema);
}

function goType(schema: Schema): string {
  if (schema.id !== undefined) return schema.id.split('.').slice(-2).join('.');
  switch (schema.type) {
    case 'string':
      return schema.special === 'bytes' ? '[]uint8' : 'string';
    case 'integer':
      return schema.format ?? 'int64';
    case 'number':
      return 'float64';
    case 'boolean':
      return 'bool';
    case 'array':
      return `[]${goType(schema.items ?? {})}`;
    case 'object':
      return `map[string]${goType(schema.additionalProperties ?? {})}`;
    default:
      return 'interface {}';
  }
}

function simpleName(schema: Schema): string {
  return schema.id?.slice(schema.id.lastIndexOf('.') + 1) ?? '';
}
