/**
 * Lazy objects keep their bytes as a string of one byte per character: no buffer has so little
 * around it, and none is freed as easily. To be read, the bytes are laid out here. There is one such
 * place: reading calls nobody else's code, and is done when it returns.
 */
let scratch = Buffer.allocUnsafeSlow(64 * 1024);
/** One large object must not hold on to its size for ever. */
const maxKept = 1024 * 1024;
/** What lies here now. Who touches one field of an object often touches another next. */
let laidOut = '';

/** The bytes of a text, at the beginning of a buffer that may be longer. They stay until the next call. */
export function layOut(text: string): Buffer {
  if (text === laidOut) return scratch;
  if (text.length > scratch.length) {
    const bytes = Buffer.from(text, 'latin1');
    if (text.length > maxKept) return bytes;
    scratch = bytes;
  } else scratch.write(text, 'latin1');
  laidOut = text;
  return scratch;
}
