import type { TransportHeaders } from '../../transport.ts';
import { CONNECTION_HEADERS, HEADER_NAME, readHeaders } from '../headers.ts';
import { violation } from './violation.ts';

/** The head of a response, final or informational. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: TransportHeaders;
  /** The announced size of the body; undefined if there is none. */
  readonly length: number | undefined;
}

/** Characters that no field value has. */
const NOT_IN_VALUE = /[\0\r\n]/;

/** Reads the fields of a head: names and values, interleaved. Throws a `Violation`. */
export function readHead(fields: readonly string[]): ResponseHead {
  if (fields[0] !== ':status') throw violation('PROTOCOL_ERROR', 'the response has no status');
  const code = fields[1] as string;
  if (!/^[1-9]\d\d$/.test(code)) throw violation('PROTOCOL_ERROR', `the status is "${code}"`);
  checkFields(fields, 2);
  const headers = readHeaders(fields);
  return { status: Number(code), headers, length: readLength(headers) };
}

/** Checks the fields that follow a body. They are not used. */
export function checkTrailers(fields: readonly string[]): void {
  checkFields(fields, 0);
}

function checkFields(fields: readonly string[], from: number): void {
  for (let index = from; index < fields.length; index += 2) {
    const name = fields[index] as string;
    if (!HEADER_NAME.test(name) || CONNECTION_HEADERS.has(name)) {
      throw violation('PROTOCOL_ERROR', `the response has the header ${JSON.stringify(name)}`);
    }
    if (NOT_IN_VALUE.test(fields[index + 1] as string)) {
      throw violation('PROTOCOL_ERROR', `the header ${name} has a line break`);
    }
  }
}

function readLength({ 'content-length': text }: TransportHeaders): number | undefined {
  if (text === undefined) return undefined;
  if (typeof text !== 'string' || !/^\d{1,15}$/.test(text)) {
    throw violation('PROTOCOL_ERROR', `the content-length is ${JSON.stringify(text)}`);
  }
  return Number(text);
}
