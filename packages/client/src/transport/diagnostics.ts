import { channel } from 'node:diagnostics_channel';

/** A request as diagnostics name it: the path without its query, and no headers. */
export interface DiagnosedRequest {
  /** Counts up per process; the messages about one request have the same. */
  readonly id: number;
  readonly method: string;
  readonly path: string;
  readonly stream: boolean;
}

/** How an attempt or a request ended: with a status, or with the code of an error. */
export type DiagnosedOutcome =
  | { readonly status: number }
  | { readonly error: unknown; readonly code: string };

/**
 * What the transport tells on `node:diagnostics_channel`, by the name of the channel. Nothing is
 * made or sent while nobody subscribes. Credentials are in none of it.
 *
 * ```ts
 * subscribe('client-ts:request:attempt', (message) => console.log(message));
 * ```
 */
export interface DiagnosticMessages {
  /** A request has been made. */
  'client-ts:request:start': DiagnosedRequest;
  /** One attempt has its answer or its error; with `retryInMs` if there will be another. */
  'client-ts:request:attempt': DiagnosedRequest & {
    /** From 1. */
    readonly attempt: number;
    readonly outcome: DiagnosedOutcome;
    readonly durationMs: number;
    readonly retryInMs?: number;
  };
  /** The caller gets the head of the answer, or the error. */
  'client-ts:request:end': DiagnosedRequest & {
    readonly attempts: number;
    readonly outcome: DiagnosedOutcome;
    readonly durationMs: number;
  };
  /** The client itself holds a request back, because of `qps` and `burst`; not the server. */
  'client-ts:request:throttled': {
    readonly method: string;
    readonly path: string;
    readonly waitMs: number;
    readonly qps: number;
    readonly burst: number;
  };
  /** A connection has been opened, handshake included. */
  'client-ts:connection:open': {
    readonly server: string;
    readonly protocol: string;
    readonly durationMs: number;
    readonly proxy?: string;
  };
  /** A connection is gone. */
  'client-ts:connection:close': { readonly server: string; readonly protocol: string };
  /**
   * The server allows no HTTP/2 streams on new connections, so that requests wait and dialling backs
   * off (`started`); or a connection has room again (`ended`).
   */
  'client-ts:connection:starved': {
    readonly server: string;
    readonly outcome: 'ended' | 'started';
  };
  /** A file has changed and is used from now on, or cannot be used and the old content stays. */
  'client-ts:credentials:reload': {
    readonly what: 'ca' | 'certificate' | 'token';
    readonly outcome: 'failed' | 'updated';
    readonly error?: unknown;
  };
}

const channels = new Map<string, ReturnType<typeof channel>>();

/** Publishes a message, which is made only if somebody listens. */
export function publish<Name extends keyof DiagnosticMessages>(
  name: Name,
  message: () => DiagnosticMessages[Name],
): void {
  let found = channels.get(name);
  if (found === undefined) {
    found = channel(name);
    channels.set(name, found);
  }
  if (found.hasSubscribers) found.publish(message());
}

/** The path of a request without its query, which may hold what concerns nobody. */
export function pathWithoutQuery(path: string): string {
  const end = path.indexOf('?');
  return end === -1 ? path : path.slice(0, end);
}

/** The outcome of a failed attempt. */
export function failedOutcome(error: unknown): DiagnosedOutcome {
  const code = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  const name = error instanceof Error ? error.name : 'Error';
  return { error, code: typeof code === 'string' ? code : name };
}
