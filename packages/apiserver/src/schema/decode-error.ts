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
 * A body that does not fit its type. The message is the one of the real server, without the words
 * about the request that stand before it.
 */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
  readonly #mismatch: TypeMismatch | undefined;

  constructor(message: string, mismatch?: TypeMismatch) {
    super(message);
    this.#mismatch = mismatch;
  }

  /** A value of another type than the field's. */
  static ofType(found: string, type: string, { structure, path }: GoField): DecodeError {
    const target = structure === '' ? 'Go value' : `Go struct field ${structure}.${path.join('.')}`;
    const message = `json: cannot unmarshal ${found} into ${target} of type ${type}`;
    return new DecodeError(message, { found, type, structure, path });
  }

  /** The same error, seen from a structure around the one that it was found in. */
  within({ structure, path }: GoField): DecodeError {
    const inner = this.#mismatch;
    if (inner === undefined || structure === '') return this;
    const field = { structure, path: [...path, ...inner.path] };
    return DecodeError.ofType(inner.found, inner.type, field);
  }
}

/** Where in an object the decoder is; a list from the inside out. */
export interface Place {
  readonly parent: Place | undefined;
  /** The name of a field, the key of a map, or the index in a list. */
  readonly step: string | number;
  /** Set for fields: the structure that the field belongs to. */
  readonly owner?: Schema;
  readonly property?: Property;
}

/** The path as strict decoding reports it: `spec.containers[0].image`. */
export function strictPath(place: Place | undefined): string {
  if (place === undefined) return '';
  const before = strictPath(place.parent);
  if (typeof place.step === 'number') return `${before}[${place.step}]`;
  return before === '' ? place.step : `${before}.${place.step}`;
}

/**
 * The field as type errors name it: the innermost structure, then the path of fields only, with the
 * names of inlined structures: `Volume.spec.volumes.VolumeSource.emptyDir`. Empty outside of fields.
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

/** The Go type of what belongs at a place: `int32`, `[]v1.Container`, `map[string]string`. */
export function goTypeAt(place: Place | undefined, schema: Schema): string {
  if (place === undefined) return goType(schema);
  if (place.owner !== undefined) return place.property?.typeName ?? goType(schema);
  const owner = place.parent?.property?.typeName ?? '';
  // The name of a named list or map type does not show what is in it; the schema does.
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
