import { getKey, setKey } from '../../lib/json.ts';
import { TransportError } from '../transport-error.ts';
import type { TransportHeaders } from '../transport.ts';

/** Headers in the form of Node's HTTP modules. */
export type OutgoingHeaders = Record<string, string | string[]>;

/**
 * Converts raw headers: names in lower case; a header that was sent several times has several
 * values.
 */
export function readHeaders(raw: readonly string[]): TransportHeaders {
  const headers: Record<string, string | string[]> = {};
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] as string).toLowerCase();
    const value = readValue(raw[index + 1] as string);
    if (name.startsWith(':')) continue;
    const earlier = getKey(headers, name);
    if (earlier === undefined) setKey(headers, name, value);
    else if (typeof earlier === 'string') setKey(headers, name, [earlier, value]);
    else earlier.push(value);
  }
  return headers;
}

/** Decodes a value as UTF-8, which servers send in warnings; Node decodes it as Latin-1. */
function readValue(value: string): string {
  return /[\x80-\xff]/.test(value) ? Buffer.from(value, 'latin1').toString('utf8') : value;
}

/** Headers about one HTTP/1.1 connection, which HTTP/2 forbids. */
export const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

/** Headers that the connection sets itself, if any. */
const NOT_SENT: ReadonlySet<string> = new Set([...CONNECTION_HEADERS, 'host', 'http2-settings']);

/** The name of a header in lower case, as HTTP/2 demands it (RFC 9113, section 8.2.1). */
export const HEADER_NAME: RegExp = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;

/**
 * Converts the headers of a request. Values outside ASCII are sent as UTF-8, as Go does; Node would
 * refuse or mangle them.
 */
export function writeHeaders(headers: TransportHeaders): OutgoingHeaders {
  const written: OutgoingHeaders = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || NOT_SENT.has(name)) continue;
    if (!HEADER_NAME.test(name)) throw invalidHeader(name, 'its name');
    const texts =
      typeof value === 'string'
        ? writeValue(name, value)
        : value.map((one) => writeValue(name, one));
    setKey(written, name, texts);
  }
  return written;
}

/**
 * Adds the headers of a request to `fields`, as names and values, interleaved, one character per octet.
 * The length of the body is left to the connection.
 */
export function addFields(fields: string[], headers: TransportHeaders): void {
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value === undefined || name === 'content-length' || NOT_SENT.has(name)) continue;
    if (!HEADER_NAME.test(name)) throw invalidHeader(name, 'its name');
    // The one connection header of HTTP/2, with the one value that it has there.
    if (name === 'te' && value !== 'trailers') throw invalidHeader(name, 'its value');
    if (typeof value === 'string') fields.push(name, writeValue(name, value));
    else for (const one of value) fields.push(name, writeValue(name, one));
  }
}

function writeValue(name: string, value: string): string {
  for (let index = 0; index < value.length; index += 1) {
    const code = value.charCodeAt(index);
    if ((code < 0x20 && code !== 0x09) || code === 0x7f) throw invalidHeader(name, 'its value');
    if (code > 0x7f) return writeUtf8(name, value);
  }
  return value;
}

function writeUtf8(name: string, value: string): string {
  const bytes = Buffer.from(value, 'utf8').toString('latin1');
  if (/[\0-\x08\x0a-\x1f\x7f]/.test(bytes)) throw invalidHeader(name, 'its value');
  return bytes;
}

/** The error names only the header, because the value may be a secret. */
function invalidHeader(name: string, part: string): TransportError {
  const shown = JSON.stringify(name);
  return new TransportError(
    'TRANSPORT_REQUEST_INVALID',
    `header ${shown}: ${part} has characters not allowed`,
  );
}
