const texts = new WeakMap<object, Uint8Array | null>();

/**
 * Declares that a JSON value, which must be frozen at every depth, never changes. Where protobuf has it as JSON, as
 * it has the `fieldsV1` of managed fields, its text is then made once and kept while the value lives.
 */
export function markConstant(value: object): void {
  if (!texts.has(value)) texts.set(value, null);
}

/** Returns the JSON of a constant in UTF-8; undefined for other values. */
export function constantJson(value: object): Uint8Array | undefined {
  const known = texts.get(value);
  if (known !== null) return known;
  const text = Buffer.from(JSON.stringify(value));
  texts.set(value, text);
  return text;
}
