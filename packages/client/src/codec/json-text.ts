import { constants } from 'node:buffer';

import type { JsonValue } from '../lib/json.ts';
import { CodecError } from './codec-error.ts';
import { asBuffer } from './wire/wire-reader.ts';

/**
 * Parses JSON in UTF-8, all of the bytes or a range. Throws `CODEC_MALFORMED_JSON` without quoting
 * the content.
 */
export function parseJsonBytes(
  bytes: Uint8Array,
  what: string,
  start = 0,
  end: number = bytes.length,
): JsonValue {
  if (end - start > constants.MAX_STRING_LENGTH) {
    const message = `${what} has ${end - start} bytes, more than one string can hold`;
    throw new CodecError('CODEC_TOO_LARGE', message);
  }
  const text = asBuffer(bytes).toString('utf8', start, end);
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // No cause: V8 quotes the text, which may be a secret.
    throw new CodecError('CODEC_MALFORMED_JSON', `${what} is not valid JSON`);
  }
}
