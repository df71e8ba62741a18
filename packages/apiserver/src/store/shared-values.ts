import { markConstant } from 'client-ts/codec';
import { deepFreeze, getKey, isJsonObject, type JsonObject, setKey } from 'client-ts/internal';

import type { StoredObject } from './store.ts';

/** Recent values by their JSON, those used last at the end. */
const recent = new Map<string, object>();
const MAX_RECENT = 512;
/** Larger values are rarely alike, and this bounds what is kept of objects that are gone. */
const MAX_LENGTH = 8 * 1024;

const texts = new WeakMap<object, string>();

/**
 * Returns an equal value that is deeply frozen: mostly the same one for equal values. Objects that are made
 * from one template are alike in most of their parts, which then are in memory once, and are encoded once.
 */
export function sharedValue<T extends object>(value: T): T {
  if (texts.has(value)) return value;
  const text = JSON.stringify(value);
  if (text.length > MAX_LENGTH) return value;
  const known = recent.get(text) as T | undefined;
  if (known !== undefined) recent.delete(text);
  else if (recent.size >= MAX_RECENT) forgetOldest();
  const shared = known ?? constant(value, text);
  recent.set(text, shared);
  return shared;
}

function forgetOldest(): void {
  const [oldest] = recent.keys();
  if (oldest !== undefined) recent.delete(oldest);
}

function constant<T extends object>(value: T, text: string): T {
  deepFreeze(value);
  markConstant(value);
  texts.set(value, text);
  return value;
}

/** Returns the JSON of a shared value; undefined for other values. */
export function sharedText(value: object): string | undefined {
  return texts.get(value);
}

/** Parts of the metadata that replicas have in common. */
const METADATA = ['labels', 'ownerReferences'] as const;

/** Replaces what a new object has in common with others by what is shared already. */
export function shareParts({ metadata, spec }: StoredObject & { spec?: unknown }): void {
  shareFields(metadata as JsonObject | undefined, METADATA);
  if (isJsonObject(spec)) shareFields(spec, Object.keys(spec));
}

function shareFields(parent: JsonObject | undefined, names: readonly string[]): void {
  // What is frozen is part of an older version, and shared already.
  if (parent === undefined || Object.isFrozen(parent)) return;
  for (const name of names) {
    const value = getKey(parent, name);
    if (typeof value === 'object' && value !== null) setKey(parent, name, sharedValue(value));
  }
}
