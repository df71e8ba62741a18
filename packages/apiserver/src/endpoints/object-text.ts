import { isJsonObject, type JsonObject, type JsonValue } from 'client-ts/internal';

import { sharedText } from '../store/shared-values.ts';
import type { StoredObject } from '../store/store.ts';

type FieldText = (value: JsonValue, key: string) => string;

/**
 * Returns the text of `JSON.stringify`, which is put together where a stored object may have parts that it
 * shares with others: their text is known. Without `typeMeta` kind and apiVersion are omitted.
 */
export function objectText(object: StoredObject, { typeMeta }: { typeMeta: boolean }): string {
  // The metadata alone is not worth it.
  if (!Object.hasOwn(object, 'spec')) {
    return JSON.stringify(typeMeta ? object : withoutTypeMeta(object));
  }
  return fieldsText(
    object as unknown as JsonObject,
    topText,
    (key) => typeMeta || (key !== 'kind' && key !== 'apiVersion'),
  );
}

const topText: FieldText = (value, key) => {
  if (isJsonObject(value)) {
    if (key === 'metadata') return fieldsText(value, metadataText);
    if (key === 'spec') return fieldsText(value, partText);
  }
  return JSON.stringify(value);
};

const metadataText: FieldText = (value, key) => {
  if (key !== 'managedFields' || !Array.isArray(value)) return partText(value, key);
  const entries = value.map((entry) =>
    isJsonObject(entry) ? fieldsText(entry, partText) : JSON.stringify(entry),
  );
  return `[${entries.join(',')}]`;
};

const partText: FieldText = (value) =>
  (typeof value === 'object' && value !== null ? sharedText(value) : undefined) ??
  JSON.stringify(value);

function fieldsText(
  object: JsonObject,
  textOf: FieldText,
  isWanted: (key: string) => boolean = () => true,
): string {
  let text = '';
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined || !isWanted(key)) continue;
    text += `${text === '' ? '{' : ','}${JSON.stringify(key)}:${textOf(value, key)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

/** Returns an object without kind and apiVersion, as built-in kinds are in lists. */
export function withoutTypeMeta(object: StoredObject): object {
  return { ...object, kind: undefined, apiVersion: undefined };
}
