/**
 * Lazy objects keep their bytes as a string of one byte per character: no buffer has so little
 * around it, and none is freed as easily. To be read, the bytes are laid out here. There is one such
 * place, which is free again as soon as a value is read: reading calls nobody else's code.
 */
let scratch = Buffer.allocUnsafeSlow(64 * 1024);
/** One large object must not hold on to its size for ever. */
const maxKept = 1024 * 1024;

/** Bytes in a buffer that may be longer: those from 0 to `length` count. */
export interface Laid {
  readonly bytes: Buffer;
  readonly length: number;
}

/** Lays out the part of a text from `start` to `end`. It stays until the next call. */
export function layOut(text: string, start: number, end: number): Laid {
  const length = end - start;
  let bytes = scratch;
  if (length > scratch.length) {
    bytes = Buffer.allocUnsafeSlow(length);
    if (length <= maxKept) scratch = bytes;
  }
  bytes.write(length === text.length ? text : text.slice(start, end), 'latin1');
  return { bytes, length };
}
