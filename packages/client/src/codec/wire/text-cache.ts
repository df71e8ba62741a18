/**
 * A cache of short strings. Objects repeat names of fields, labels, phases and nodes; decoding
 * bytes to a string is a native call, finding an equal string is not, and objects then share it.
 */
const slots = 4096;
/** Longer strings rarely repeat, except for uids in references to owners. */
const maxLength = 32;
/** The length of a uid is 36. */
const maxIndexedLength = 40;

const texts: string[] = Array.from({ length: slots }, () => '');
/** The UTF-8 of each string, at a fixed distance: comparing bytes costs less than comparing characters. */
const encoded = new Uint8Array(slots * maxIndexedLength);
const lengths = new Uint8Array(slots);

/** How many bytes from the end the hash takes: names in a cluster differ there. */
const tail = 6;

/** Decodes UTF-8; returns the cached string if an equal one was decoded recently. */
export function textOf(bytes: Buffer, start: number, end: number): string {
  const length = end - start;
  return length > maxLength ? bytes.toString('utf8', start, end) : cachedText(bytes, start, length);
}

/** As {@link textOf}, for the values of indices: uids too are found again. */
export function indexedTextOf(bytes: Buffer, start: number, end: number): string {
  const length = end - start;
  if (length > maxIndexedLength) return bytes.toString('utf8', start, end);
  return cachedText(bytes, start, length);
}

function cachedText(bytes: Buffer, start: number, length: number): string {
  if (length === 0) return '';
  const end = start + length;
  let hash = (bytes[start] as number) + (bytes[start + (length >> 1)] as number) * 31 + length;
  for (let index = length > tail ? end - tail : start; index < end; index++) {
    hash = (hash * 31 + (bytes[index] as number)) | 0;
  }
  const slot = (hash ^ (hash >>> 15)) & (slots - 1);
  const at = slot * maxIndexedLength;
  if (lengths[slot] === length) {
    let index = 0;
    while (index < length && bytes[start + index] === encoded[at + index]) index++;
    if (index === length) return texts[slot] as string;
  }
  const text = bytes.toString('utf8', start, end);
  for (let index = 0; index < length; index++) encoded[at + index] = bytes[start + index] as number;
  lengths[slot] = length;
  texts[slot] = text;
  return text;
}

/** True if the bytes from `start` on begin with an ASCII text. */
export function isTextAt(bytes: Uint8Array, start: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (bytes[start + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}
