import type { JsonValue } from 'client-ts/internal';
import type { TransportHeaders } from 'client-ts/transport';
import type { CompleteResponse } from '../http/exchange.ts';

/** The response of the server under test to one recorded exchange. */
export interface Answer {
  readonly status: number;
  readonly headers: TransportHeaders;
  /** The body: parsed if it is JSON, else as text. */
  readonly body: JsonValue | undefined;
  /** The decoded bytes of the body. */
  readonly bytes: Uint8Array;
  /** The size of the body on the wire. */
  readonly encodedBytes: number;
  /** The events of a watch. */
  readonly events?: readonly CapturedEvent[];
  /** A server must end a watch cleanly; a broken connection is a defect. */
  readonly closedBy?: 'broken connection' | 'client' | 'server';
  readonly closedAfterMs?: number;
}

/** One frame of a watch. */
export interface CapturedEvent {
  /** The last exchange that was sent before the frame arrived. */
  readonly after: string;
  readonly bytes: Uint8Array;
  readonly opcode?: number;
}

/** Converts the response to a plain request. */
export function answerOf(response: CompleteResponse): Answer {
  return {
    status: response.status,
    headers: response.headers,
    body: parsed(response.body),
    bytes: response.body,
    encodedBytes: response.encoded.length,
  };
}

/** Parses JSON; returns anything else as text, and undefined for an empty body. */
export function parsed(bytes: Uint8Array): JsonValue | undefined {
  if (bytes.length === 0) return undefined;
  const text = Buffer.from(bytes).toString('utf8');
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
