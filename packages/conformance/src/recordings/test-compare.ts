import { isJsonObject, type JsonValue } from 'client-ts/internal';
import type { Answer, CapturedEvent } from './answer.ts';
import { Comparer } from './compare.ts';
import { isBase64, loadRecordings, type RecordedExchange, type Recording } from './format.ts';
import { protobufDecoder } from './protobuf.ts';

/*
 * For tests of the comparer: the recorded responses as if the server under test had sent them,
 * unchanged or with a change.
 */

/** The day of the recording, so that recorded responses pass for responses of this run. */
const NOW = Date.parse('2026-11-15T04:05:00Z');

/** All groups. */
export const recordings: readonly Recording[] = await loadRecordings();

/** Returns a comparer for a run on the day of the recording. */
export function comparerFor(recording: Recording): Comparer {
  return new Comparer(recording, { now: NOW, decode: protobufDecoder });
}

/** Returns the recorded response as if the server under test had sent it. */
export function recordedAnswer({ response }: RecordedExchange): Answer {
  const bytes = bytesOf(response.body);
  const base = {
    status: response.status,
    headers: response.headers,
    body: response.body,
    bytes,
    encodedBytes: bytes.length,
  };
  if (response.events === undefined) return base;
  const events = response.events.map((event): CapturedEvent => {
    const raw = isBase64(event.frame) ? Buffer.from(event.frame.base64, 'base64') : undefined;
    const bytes = event.opcode === undefined ? raw?.subarray(4) : raw;
    return {
      after: event.after ?? '',
      bytes: bytes ?? Buffer.from(JSON.stringify(event.frame)),
      ...(event.opcode !== undefined && { opcode: event.opcode }),
    };
  });
  return {
    ...base,
    events,
    closedBy: response.closedBy ?? 'server',
    closedAfterMs: response.closedAfterMs ?? 0,
  };
}

/** Returns a recorded body as bytes. */
export function bytesOf(body: JsonValue | undefined): Uint8Array {
  if (body === undefined) return new Uint8Array();
  if (isBase64(body)) return Buffer.from(body.base64, 'base64');
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/**
 * Compares a whole group with itself, except for one exchange, and returns the differences of that
 * one.
 */
export function differencesOf(
  recording: Recording,
  id: string,
  change: (answer: Answer) => Answer,
): string[] {
  const comparer = comparerFor(recording);
  for (const exchange of recording.exchanges) {
    if (exchange.response.trimmed === true) continue;
    const answer = recordedAnswer(exchange);
    const changed = exchange.id === id ? change(answer) : answer;
    const differences = comparer.compare(exchange, changed);
    if (exchange.id === id) return differences.map(({ path }) => path);
  }
  throw new Error(`no exchange ${id}`);
}

/** Returns the recording of a group. */
export function group(name: string): Recording {
  const found = recordings.find((recording) => recording.group === name);
  if (found === undefined) throw new Error(`no group ${name}`);
  return found;
}

/** Returns the paths of all values that are not objects or arrays. */
export function leaves(value: JsonValue | undefined, steps: readonly string[] = []): string[][] {
  if (Array.isArray(value) && value.length > 0) {
    return value.flatMap((item, index) => leaves(item, [...steps, String(index)]));
  }
  if (isJsonObject(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([key, item]) => leaves(item, [...steps, key]));
  }
  return [[...steps]];
}

/** Returns another value of the same type. */
export function otherThan(value: unknown): JsonValue {
  if (typeof value === 'string') return `${value}x`;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  return 'something else';
}
