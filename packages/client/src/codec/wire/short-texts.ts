/**
 * Objects repeat themselves: names of fields, labels, phases, nodes. Making a string from bytes is a
 * call out of JavaScript; finding one that was made before is not, and then objects share it.
 */
const slots = 4096;
/** Longer texts are seldom the same. */
const maxLength = 32;

const texts: string[] = Array.from({ length: slots }, () => '');

/** The text of bytes in UTF-8; the same string as the last time, if that is not long ago. */
export function textOf(bytes: Buffer, start: number, end: number): string {
  const length = end - start;
  if (length > maxLength) return bytes.toString('utf8', start, end);
  let hash = length;
  for (let index = start; index < end; index++) hash = (hash * 31 + (bytes[index] as number)) | 0;
  const slot = (hash ^ (hash >>> 15)) & (slots - 1);
  const known = texts[slot] as string;
  if (known.length === length && isSame(known, bytes, start)) return known;
  const text = bytes.toString('utf8', start, end);
  texts[slot] = text;
  return text;
}

/** Bytes beyond ASCII are two or more for a character, and never the same. */
function isSame(text: string, bytes: Buffer, start: number): boolean {
  for (let index = 0; index < text.length; index++) {
    const byte = bytes[start + index] as number;
    if (byte >= 0x80 || text.charCodeAt(index) !== byte) return false;
  }
  return true;
}
