import { channel } from 'node:diagnostics_channel';
import { sharedState } from '../lib/diagnostic-channel.ts';
import type { RequestTrace } from './transport.ts';

/** A request in diagnostics: the path without its query, and no headers. */
export interface DiagnosedRequest {
  /** Unique in the process; all messages about one request have the same id. */
  readonly id: number;
  readonly method: string;
  readonly path: string;
  readonly stream: boolean;
  /** The `id` of the `RESTClient` that sends it; absent for requests to a transport without one. */
  readonly client?: number;
  /** The content type of the body, which distinguishes an apply from other patches. */
  readonly contentType?: string;
  /** The name of the object that is created, which is not in the path; unknown with `generateName`. */
  readonly createdName?: string;
  /** Host and port. */
  readonly server: string;
  readonly scheme: 'http' | 'https';
}

/** How an attempt or a request ended: with a status, or with the code of an error. */
export type DiagnosedOutcome =
  | { readonly status: number }
  | { readonly error: unknown; readonly code: string };

/**
 * The messages that the transport publishes on `node:diagnostics_channel`, by channel. Messages are
 * created only if there is a subscriber, and never contain credentials.
 *
 * ```ts
 * subscribe('client-ts:request:attempt', (message) => console.log(message));
 * ```
 */
export interface DiagnosticMessages {
  /** A request has started. */
  'client-ts:request:start': DiagnosedRequest & {
    /** Adds a header to all attempts, such as a trace context. Those of the request itself win. */
    readonly addHeader: (name: string, value: string) => void;
  };
  /** An attempt has ended; with `retryInMs` if there will be another. */
  'client-ts:request:attempt': DiagnosedRequest & {
    /** From 1. */
    readonly attempt: number;
    readonly outcome: DiagnosedOutcome;
    readonly durationMs: number;
    readonly retryInMs?: number;
  };
  /** The request has ended: with the head of the response, or with an error. */
  'client-ts:request:end': DiagnosedRequest & RequestEnd;
  /** A request waits because of the client's own `qps` and `burst`. */
  'client-ts:request:throttled': {
    readonly id?: number;
    readonly method: string;
    readonly path: string;
    readonly waitMs: number;
    readonly qps: number;
    readonly burst: number;
  };
  /** An attempt is sent on a connection. */
  'client-ts:request:sent': {
    readonly id: number;
    /** The number of the connection, unique in the process. */
    readonly connection: number;
    readonly server: string;
    readonly protocol: string;
  };
  /** A connection has been opened, handshake included. */
  'client-ts:connection:open': {
    readonly connection: number;
    readonly server: string;
    readonly protocol: string;
    readonly durationMs: number;
    readonly proxy?: string;
  };
  /** A connection has closed. */
  'client-ts:connection:close': {
    readonly connection: number;
    readonly server: string;
    readonly protocol: string;
  };
  /**
   * `started`: the server allows no HTTP/2 streams on new connections, so requests wait and
   * dialling backs off. `ended`: a connection has capacity again.
   */
  'client-ts:connection:starved': {
    readonly server: string;
    readonly outcome: 'ended' | 'started';
  };
  /** A changed file is in use from now on, or cannot be used and the old content stays in use. */
  'client-ts:credentials:reload': {
    readonly what: 'ca' | 'certificate' | 'token';
    readonly outcome: 'failed' | 'updated';
    readonly error?: unknown;
  };
  /** A credential plugin has run. */
  'client-ts:credentials:exec': {
    /** Unique in the process; all messages about one plugin have the same. */
    readonly plugin: number;
    /** The words of client-go. */
    readonly status:
      | 'client_internal_error'
      | 'no_error'
      | 'plugin_execution_error'
      | 'plugin_not_found_error';
    /** That of the plugin; 1 if it did not run to its end. */
    readonly exitCode: number;
    /** The client certificate that it printed; times in milliseconds since the epoch. */
    readonly certificate?: DiagnosedCertificate;
    /** The certificate that was replaced by it. */
    readonly replaced?: DiagnosedCertificate;
  };
}

/** The validity of a certificate, in milliseconds since the epoch. */
export interface DiagnosedCertificate {
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/**
 * Observes every request of the process without a message for each: the feed of `client-ts/observe`
 * counts all requests and looks at few. Called in the path of the request, so it must not throw.
 */
export interface RequestListener {
  /** A request starts. Returns true if its trace is wanted at its end. */
  started(request: DiagnosedRequest): boolean;
  /** The head of a stream has arrived. It is open until {@link RequestListener.ended}. */
  opened(request: DiagnosedRequest, end: RequestEnd, trace: RequestTrace | undefined): void;
  /**
   * A request has ended: with the head of the response, a stream when its body is over, or with an
   * error. The trace is that of a request whose trace was wanted.
   */
  ended(request: DiagnosedRequest, end: RequestEnd, trace: RequestTrace | undefined): void;
}

/** How a request has ended. */
export interface RequestEnd {
  readonly attempts: number;
  readonly outcome: DiagnosedOutcome;
  readonly durationMs: number;
}

/** The listeners of this process. */
export const requestListeners: Set<RequestListener> = sharedState(
  'request listeners',
  () => new Set(),
);

const channels = new Map<string, ReturnType<typeof channel>>();

/** Publishes a message. `message` is called only if the channel has subscribers. */
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

/** True if anything observes requests. */
export function areRequestsDiagnosed(): boolean {
  return requestListeners.size > 0 || haveRequestsSubscribers();
}

/** True if any message about requests has a subscriber. */
export function haveRequestsSubscribers(): boolean {
  return REQUEST_CHANNELS.some((each) => each.hasSubscribers);
}

const REQUEST_CHANNELS = ['start', 'attempt', 'end', 'sent', 'throttled'].map((name) =>
  channel(`client-ts:request:${name}`),
);

/** Returns the path of a request without its query, which may contain private data. */
export function pathWithoutQuery(path: string): string {
  const end = path.indexOf('?');
  return end === -1 ? path : path.slice(0, end);
}

/** Returns the outcome of a failed attempt. */
export function failedOutcome(error: unknown): DiagnosedOutcome {
  const code = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  const name = error instanceof Error ? error.name : 'Error';
  return { error, code: typeof code === 'string' ? code : name };
}
