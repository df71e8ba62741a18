import { getKey } from '../lib/json.ts';
import type { TransportHeaders } from '../transport/transport.ts';

/** A header as one text; several values are joined as HTTP says. Names are in lower case. */
export function headerOf(headers: TransportHeaders, name: string): string | undefined {
  const value = getKey(headers, name);
  return value === undefined || typeof value === 'string' ? value : value.join(', ');
}

/** The content type of an answer; undefined if it has none. */
export function contentTypeOf(headers: TransportHeaders): string | undefined {
  const type = headerOf(headers, 'content-type');
  return type === '' ? undefined : type;
}
