import { ClientError, type ClientErrorOptions, defineErrors, messageOf } from '../lib/errors.ts';
import type { FailedRequest } from '../meta/api-error.ts';

/**
 * Every way in which a request can fail without an answer of the server, and what to do about it.
 * The keys are stable.
 */
export const TRANSPORT_ERRORS = {
  TRANSPORT_CLOSED: {
    retry: 'never',
    hint: 'The transport was closed before the request; make requests before disposing the client.',
  },
  TRANSPORT_CONNECTION_LOST: {
    retry: 'unsafe',
    hint: 'The connection was alive once and went silent; check the network, VPN or load balancer between.',
  },
  TRANSPORT_CONNECTION_REFUSED: {
    retry: 'later',
    hint: 'Check the address and port, and that the server is running.',
  },
  TRANSPORT_CONNECTION_RESET: {
    retry: 'unsafe',
    hint: 'The server or something between dropped the connection; try again.',
  },
  TRANSPORT_CREDENTIALS_FAILED: {
    retry: 'later',
    hint: 'Check the file or the program that the credentials come from.',
  },
  TRANSPORT_DNS: {
    retry: 'later',
    hint: 'Check the host name of the server and the name servers of this machine.',
  },
  TRANSPORT_NO_STREAMS: {
    retry: 'later',
    hint: 'The server allows no HTTP/2 streams; check it and any proxy between, or set protocol to http1.',
  },
  TRANSPORT_PROTOCOL: {
    retry: 'never',
    hint: 'The other side does not speak HTTP as expected; check scheme and port of the server.',
  },
  TRANSPORT_PROXY: {
    retry: 'unsafe',
    hint: 'Check the address and the credentials of the proxy, and NO_PROXY.',
  },
  TRANSPORT_STREAM_REFUSED: {
    retry: 'later',
    hint: 'The server had no room for the request and did not look at it; try again.',
  },
  TRANSPORT_REQUEST_INVALID: {
    retry: 'never',
    hint: 'Correct the request; it was not sent.',
  },
  TRANSPORT_TIMEOUT: {
    retry: 'unsafe',
    hint: 'Allow more time, or check the network and the load of the server.',
  },
  TRANSPORT_TLS_CLIENT_CERTIFICATE: {
    retry: 'never',
    hint: 'The server does not accept the client certificate; check tls.cert and tls.key and their validity.',
  },
  TRANSPORT_TLS_CONFIG: {
    retry: 'never',
    hint: 'Check the certificates and keys under tls, and the files that they come from.',
  },
  TRANSPORT_TLS_EXPIRED: {
    retry: 'never',
    hint: 'Renew the certificate, or correct the clock of one of the two machines.',
  },
  TRANSPORT_TLS_HANDSHAKE: {
    retry: 'never',
    hint: 'Check that the port speaks TLS, and which versions of it.',
  },
  TRANSPORT_TLS_NAME: {
    retry: 'never',
    hint: 'Use a name that the certificate is for, or say which in tls.serverName.',
  },
  TRANSPORT_TLS_UNTRUSTED: {
    retry: 'never',
    hint: 'Set tls.ca or tls.caFile to the CA that signed the certificate of the server.',
  },
  TRANSPORT_CONFIG: {
    retry: 'never',
    hint: 'Correct the configuration.',
  },
  TRANSPORT_UNREACHABLE: {
    retry: 'unsafe',
    hint: 'There is no route to the server; check the address, network, VPN and firewall.',
  },
} as const;

/** The codes of {@link TransportError}. */
export type TransportErrorCode = keyof typeof TRANSPORT_ERRORS;

/** How an attempt that was not the last one ended: an answer that asked to come back, or an error. */
export type FailedAttempt = { readonly status: number } | { readonly error: unknown };

/** How often a request was sent. */
export interface Attempts {
  readonly attempts: number;
  /** How attempts before this error ended, oldest first. */
  readonly previous: readonly FailedAttempt[];
}

const ONE_ATTEMPT: Attempts = { attempts: 1, previous: [] };

export interface TransportErrorOptions extends ClientErrorOptions {
  readonly server?: string;
  readonly mayHaveBeenHandled?: boolean;
  readonly previous?: readonly FailedAttempt[];
  readonly request?: FailedRequest;
}

/**
 * A request got no answer, or not all of it. The message names the server without credentials;
 * `cause` is what Node said.
 *
 * An abort is not one of these: the promise rejects with the reason of the signal.
 */
export class TransportError extends ClientError {
  declare readonly code: TransportErrorCode;
  /** Host and port; undefined if no connection was involved. */
  readonly server: string | undefined;
  /**
   * False if the server has certainly not acted on the request, so that sending it again can do no
   * harm, whatever the verb.
   */
  readonly mayHaveBeenHandled: boolean;
  /** What became of earlier attempts at the same request, oldest first. */
  readonly previous: readonly FailedAttempt[];
  /** The request that failed; undefined if no request was involved. */
  readonly request: FailedRequest | undefined;

  constructor(code: TransportErrorCode, message: string, options: TransportErrorOptions = {}) {
    const { mayHaveBeenHandled = false } = options;
    const isHarmless = !mayHaveBeenHandled && TRANSPORT_ERRORS[code].retry === 'unsafe';
    super(code, message, { ...(isHarmless && { retry: 'later' }), ...options });
    this.server = options.server;
    this.mayHaveBeenHandled = mayHaveBeenHandled;
    this.previous = options.previous ?? [];
    this.request = options.request;
  }

  /**
   * Returns the error with the request that it ended: its message then says verb, path, server, the
   * number of attempts, and how the last one failed if this is about something else, such as a
   * timeout. An error that names its request already stays as it is.
   */
  withRequest(request: FailedRequest, tried: Attempts = ONE_ATTEMPT): TransportError {
    if (this.request !== undefined) return this;
    const { verb, path, server = this.server } = request;
    const isNamed = server === undefined || server === '' || this.message.includes(server);
    const place = isNamed ? '' : `${server}: `;
    const { previous } = tried;
    const last = previous.at(-1);
    const message = `${verb} ${path}: ${place}${this.message}${attemptsSaid(this.message, tried)}`;
    const { code, hint, retry, mayHaveBeenHandled } = this;
    return new TransportError(code, message, {
      cause: this.cause ?? (last !== undefined && 'error' in last ? last.error : undefined),
      mayHaveBeenHandled,
      previous,
      hint,
      retry,
      request: { verb, path, ...(server !== undefined && { server }) },
      ...(server !== undefined && { server }),
    });
  }

  static {
    defineErrors(this, 'TransportError', 'TRANSPORT', TRANSPORT_ERRORS);
  }
}

/** ` (after 4 attempts; the last failure: api:6443: the connection was reset)` */
function attemptsSaid(message: string, { attempts, previous }: Attempts): string {
  const last = previous.at(-1);
  if (last === undefined) return '';
  const count = `after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
  const failure = describeAttempt(last);
  return message.includes(failure) ? ` (${count})` : ` (${count}; the last failure: ${failure})`;
}

/** Returns why an attempt failed, in words. */
export function describeAttempt(failure: FailedAttempt): string {
  return 'error' in failure ? messageOf(failure.error) : `status ${failure.status}`;
}
