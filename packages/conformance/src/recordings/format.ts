import { readdir, readFile } from 'node:fs/promises';
import type { JsonObject, JsonValue } from 'client-ts/internal';

/** A file of recorded exchanges; `recordings/README.md` describes every field. */
export interface Recording {
  readonly server: string;
  readonly group: string;
  readonly about: string;
  readonly volatile: readonly string[];
  readonly volatileText: readonly VolatileText[];
  readonly exchanges: readonly RecordedExchange[];
}

export interface VolatileText {
  readonly pattern: string;
  readonly as: string;
}

export interface RecordedExchange {
  readonly id: string;
  readonly about: string;
  readonly role?: 'setup';
  readonly request: RecordedRequest;
  readonly response: RecordedResponse;
  /** On a watch: the exchanges that were sent while it was open. */
  readonly during?: readonly string[];
  readonly volatile?: readonly string[];
  readonly unordered?: readonly string[];
  readonly mayVary?: boolean;
  readonly bookmarksVary?: boolean;
}

export type RecordedHeaders = Readonly<Record<string, string | readonly string[]>>;

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: RecordedHeaders;
  readonly body?: JsonValue;
  readonly bodyDescribed?: boolean;
  readonly anonymous?: boolean;
  readonly refs?: readonly RecordedRef[];
}

/** A part of a request that came from an earlier response. */
export interface RecordedRef {
  readonly at: string;
  readonly value: string;
  readonly from: string;
  readonly pointer: string;
}

export interface RecordedResponse {
  readonly status: number;
  readonly headers: RecordedHeaders;
  readonly body?: JsonValue;
  readonly trimmed?: boolean;
  readonly events?: readonly RecordedEvent[];
  readonly closedBy?: 'client' | 'server';
  readonly closedAfterMs?: number;
}

export interface RecordedEvent {
  readonly after?: string;
  readonly afterMs: number;
  readonly frame: JsonObject;
  /** The opcode of a WebSocket frame. */
  readonly opcode?: number;
}

const directory = new URL('../../recordings/', import.meta.url);

/** Reads every group of exchanges, by name. `kubectl.json` has another format. */
export async function loadRecordings(): Promise<Recording[]> {
  const files = (await readdir(directory)).filter(
    (file) => file.endsWith('.json') && file !== 'kubectl.json',
  );
  return Promise.all(
    files
      .toSorted()
      .map(
        async (file) => JSON.parse(await readFile(new URL(file, directory), 'utf8')) as Recording,
      ),
  );
}

/** Bytes in a recording: `{ "base64": "…" }`. */
export function isBase64(value: unknown): value is { readonly base64: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { base64?: unknown }).base64 === 'string'
  );
}
