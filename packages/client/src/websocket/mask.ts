/** The length of a key. */
export const MASK_BYTES = 4;

/** The key from the first aligned byte on, as bytes and as a word. */
const KEY_WORD = new Int32Array(1);
const KEY_BYTES = new Uint8Array(KEY_WORD.buffer);

/**
 * Copies bytes and masks them, four at a time. `offset` is the number of bytes that were masked with
 * the key before. Source and target may be the same; faster if both have the same alignment.
 */
export function copyMasked(
  source: Uint8Array,
  target: Uint8Array,
  key: Uint8Array,
  offset: number,
): void {
  const { length } = source;
  if (source.byteOffset % 4 !== target.byteOffset % 4) {
    target.set(source);
    copyMasked(target.subarray(0, length), target, key, offset);
    return;
  }
  const aligned = Math.min(length, (4 - (source.byteOffset % 4)) % 4);
  copyBytes(source, target, key, offset, 0, aligned);
  const count = (length - aligned) >> 2;
  if (count > 0) {
    for (let at = 0; at < 4; at += 1) KEY_BYTES[at] = key[(offset + aligned + at) % 4] ?? 0;
    const word = KEY_WORD[0] ?? 0;
    const from = new Int32Array(source.buffer, source.byteOffset + aligned, count);
    const to = new Int32Array(target.buffer, target.byteOffset + aligned, count);
    for (let at = 0; at < count; at += 1) to[at] = (from[at] as number) ^ word;
  }
  copyBytes(source, target, key, offset, aligned + count * 4, length);
}

function copyBytes(
  source: Uint8Array,
  target: Uint8Array,
  key: Uint8Array,
  offset: number,
  start: number,
  end: number,
): void {
  for (let at = start; at < end; at += 1) {
    target[at] = (source[at] as number) ^ (key[(offset + at) % 4] as number);
  }
}
