import type { JsonValue } from 'client-ts/internal';
import type { TransportHeaders } from 'client-ts/transport';
import type { CompleteResponse } from '../http/exchange.ts';

/** What the server under test gave back for one recorded exchange. */
export interface Answer {
  readonly status: number;
  readonly headers: TransportHeaders;
  /** The body: parsed where it is JSON, else as text. */
  readonly body: JsonValue | undefined;
  /** The decoded bytes of the body. */
  readonly bytes: Uint8Array;
  /** How long the body was on the wire. */
  readonly encodedBytes: number;
  /** Of a watch. */
  readonly events?: readonly CapturedEvent[];
  /** A server that ends a watch does so properly; a connection that breaks off is a defect. */
  readonly closedBy?: 'broken connection' | 'client' | 'server';
  readonly closedAfterMs?: number;
}

/** One frame of a watch, as it came. */
export interface CapturedEvent {
  /** The exchange that was last sent when the frame came. */
  readonly after: string;
  readonly bytes: Uint8Array;
  readonly opcode?: number;
}

/** The answer to a plain request. */
export function answerOf(response: CompleteResponse): Answer {
  return {
    status: response.status,
    headers: response.headers,
    body: parsed(response.body),
    bytes: response.body,
    encodedBytes: response.encoded.length,
  };
}

/** Parses JSON; anything else is given back as text, and nothing as undefined. */
export function parsed(bytes: Uint8Array): JsonValue | undefined {
  if (bytes.length === 0) return undefined;
  const text = Buffer.from(bytes).toString('utf8');
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
