import type { FieldMask } from '../../meta/projection.ts';
import { CLOSE_BRACE, COMMA, OPEN_BRACE, QUOTE } from './json-grammar.ts';
import type { JsonScanner } from './json-scanner.ts';

/** Shared by all calls: what it holds is read before the next call. */
let out = Buffer.allocUnsafeSlow(64 * 1024);
let end = 0;

/**
 * Returns the JSON of the object at the position without the members that a mask drops, and skips the
 * object. Valid until the next call. Everything that is skipped has been validated.
 */
export function maskJson(scanner: JsonScanner, mask: FieldMask): Buffer {
  const start = scanner.position;
  // What is kept is not longer than what arrived.
  const room = scanner.limit - start;
  if (out.length < room) out = Buffer.allocUnsafeSlow(room);
  end = 0;
  copyObject(scanner, mask);
  return out.subarray(0, end);
}

function copyObject(scanner: JsonScanner, mask: FieldMask): void {
  scanner.enter();
  out[end++] = OPEN_BRACE;
  let isFirst = true;
  let memberStart = scanner.position;
  for (let key = scanner.nextKey(true); key !== undefined; key = scanner.nextKey(false)) {
    const part = mask.of(key);
    const isPart = typeof part === 'object' && scanner.isAtObject;
    if (part === true || isPart) {
      if (!isFirst) out[end++] = COMMA;
      isFirst = false;
      copyKey(scanner, memberStart);
    }
    const start = scanner.position;
    if (isPart) copyObject(scanner, part);
    else {
      scanner.skip();
      if (part === true) copyBytes(scanner, start, scanner.position);
    }
    memberStart = scanner.position;
  }
  out[end++] = CLOSE_BRACE;
}

/** Copies a key with its colon, from the end of the member before it. */
function copyKey(scanner: JsonScanner, memberStart: number): void {
  const { bytes, position } = scanner;
  let start = memberStart;
  while (bytes[start] !== QUOTE) start++;
  copyBytes(scanner, start, position);
}

function copyBytes({ bytes }: JsonScanner, start: number, limit: number): void {
  end += bytes.copy(out, end, start, limit);
}
