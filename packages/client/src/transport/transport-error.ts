import { ClientError, type ClientErrorOptions, defineErrors, messageOf } from '../lib/errors.ts';
import { getKey } from '../lib/json.ts';
import type { FailedRequest } from '../meta/api-error.ts';

/** The errors of requests that got no response from the server, with hints. The keys are stable. */
export const TRANSPORT_ERRORS = {
  TRANSPORT_CLOSED: {
    retry: 'never',
    hint: 'The transport was closed; make requests before disposing the client.',
  },
  TRANSPORT_CONNECTION_LOST: {
    retry: 'unsafe',
    hint: 'The connection stopped answering; check the network, VPN or load balancer on the way.',
  },
  TRANSPORT_CONNECTION_REFUSED: {
    retry: 'later',
    hint: 'Check the address and port, and that the server is running.',
  },
  TRANSPORT_CONNECTION_RESET: {
    retry: 'unsafe',
    hint: 'The server or a proxy dropped the connection; retry.',
  },
  TRANSPORT_CREDENTIALS_FAILED: {
    retry: 'later',
    hint: 'Check the file or the program that provides the credentials.',
  },
  TRANSPORT_DNS: {
    retry: 'later',
    hint: 'Check the host name of the server and the name servers of this machine.',
  },
  TRANSPORT_NO_STREAMS: {
    retry: 'later',
    hint: 'The server allows no HTTP/2 streams; check it and its proxies, or set protocol to http1.',
  },
  TRANSPORT_PROTOCOL: {
    retry: 'never',
    hint: 'The server does not speak HTTP as expected; check the scheme and port of its URL.',
  },
  TRANSPORT_PROXY: {
    retry: 'unsafe',
    hint: 'Check the address and the credentials of the proxy, and NO_PROXY.',
  },
  TRANSPORT_STREAM_REFUSED: {
    retry: 'later',
    hint: 'The server refused the stream before it processed the request; retry.',
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
    hint: 'Check that the port speaks TLS, and which versions the server supports.',
  },
  TRANSPORT_TLS_NAME: {
    retry: 'never',
    hint: 'Use a name that the certificate is for, or set tls.serverName to one.',
  },
  TRANSPORT_TLS_UNTRUSTED: {
    retry: 'never',
    hint: 'Set tls.ca or tls.caFile to the CA that signed the certificate of the server.',
  },
  TRANSPORT_CONFIG: {
    retry: 'never',
    hint: 'Correct the config.',
  },
  TRANSPORT_UNREACHABLE: {
    retry: 'unsafe',
    hint: 'There is no route to the server; check the address, network, VPN and firewall.',
  },
} as const;

/** The codes of {@link TransportError}. */
export type TransportErrorCode = keyof typeof TRANSPORT_ERRORS;

/**
 * How an attempt failed that was followed by another: with a status that requests a retry, or with
 * an error.
 */
export type FailedAttempt = { readonly status: number } | { readonly error: unknown };

/** The attempts at a request. */
export interface Attempts {
  readonly attempts: number;
  /** How the attempts before this error failed, oldest first. */
  readonly previous: readonly FailedAttempt[];
}

const ONE_ATTEMPT: Attempts = { attempts: 1, previous: [] };

/** Options of {@link TransportError}. */
export interface TransportErrorOptions extends ClientErrorOptions {
  readonly server?: string | undefined;
  readonly mayHaveBeenHandled?: boolean | undefined;
  readonly previous?: readonly FailedAttempt[] | undefined;
  readonly request?: FailedRequest | undefined;
}

/**
 * A request got no response, or only a part of one. The message names the server without
 * credentials; `cause` is the error of Node.
 *
 * An abort is not a `TransportError`: the promise rejects with the reason of the signal.
 */
export class TransportError extends ClientError {
  declare readonly code: TransportErrorCode;
  /** Host and port; undefined if no connection was involved. */
  readonly server: string | undefined;
  /**
   * False if the server has certainly not processed the request, so that it can be repeated
   * whatever its verb.
   */
  readonly mayHaveBeenHandled: boolean;
  /** How earlier attempts at the same request failed, oldest first. */
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
   * Returns the error with its request: the message then has verb, path, server, the number of
   * attempts, and the failure of the last attempt if this error is about something else, such as a
   * timeout. An error that has a request is returned unchanged.
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

/** Returns why an attempt failed, for messages. */
export function describeAttempt(failure: FailedAttempt): string {
  return 'error' in failure ? messageOf(failure.error) : `status ${failure.status}`;
}

/** The context of a failed connection. */
export interface FailureContext {
  /** Host and port, without credentials. */
  readonly server: string;
  /** False if the server has certainly not processed the request. */
  readonly mayHaveBeenHandled: boolean;
  /** The proxy, if the connection to it failed. */
  readonly proxy?: string;
}

/** Our code and message for each code of Node and the operating system. */
const BY_SYSTEM_CODE: Readonly<Record<string, readonly [TransportErrorCode, string]>> = {
  EAI_AGAIN: ['TRANSPORT_DNS', 'the name cannot be resolved now'],
  ENOTFOUND: ['TRANSPORT_DNS', 'no such host'],
  ENODATA: ['TRANSPORT_DNS', 'the name has no address'],
  ECONNREFUSED: ['TRANSPORT_CONNECTION_REFUSED', 'connection refused'],
  ECONNRESET: ['TRANSPORT_CONNECTION_RESET', 'the connection was reset'],
  ECONNABORTED: ['TRANSPORT_CONNECTION_RESET', 'the connection was aborted'],
  EPIPE: ['TRANSPORT_CONNECTION_RESET', 'the connection was closed by the other side'],
  ERR_STREAM_PREMATURE_CLOSE: [
    'TRANSPORT_CONNECTION_RESET',
    'the connection was closed before the end',
  ],
  HPE_INVALID_EOF_STATE: ['TRANSPORT_CONNECTION_RESET', 'the connection was closed before the end'],
  EADDRNOTAVAIL: ['TRANSPORT_UNREACHABLE', 'the address cannot be used on this machine'],
  EHOSTDOWN: ['TRANSPORT_UNREACHABLE', 'the host is down'],
  EHOSTUNREACH: ['TRANSPORT_UNREACHABLE', 'no route to the host'],
  ENETDOWN: ['TRANSPORT_UNREACHABLE', 'the network is down'],
  ENETUNREACH: ['TRANSPORT_UNREACHABLE', 'the network is unreachable'],
  EACCES: ['TRANSPORT_UNREACHABLE', 'this machine does not allow the connection'],
  EPERM: ['TRANSPORT_UNREACHABLE', 'this machine does not allow the connection'],
  ETIMEDOUT: ['TRANSPORT_TIMEOUT', 'the connection timed out'],
  CERT_HAS_EXPIRED: ['TRANSPORT_TLS_EXPIRED', 'its certificate has expired'],
  CERT_NOT_YET_VALID: ['TRANSPORT_TLS_EXPIRED', 'its certificate is not valid yet'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['TRANSPORT_TLS_NAME', 'its certificate is for other names'],
  CERT_SIGNATURE_FAILURE: ['TRANSPORT_TLS_UNTRUSTED', 'the signature of its certificate is wrong'],
  CERT_UNTRUSTED: ['TRANSPORT_TLS_UNTRUSTED', 'its certificate is not trusted'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['TRANSPORT_TLS_UNTRUSTED', 'its certificate is signed by itself'],
  SELF_SIGNED_CERT_IN_CHAIN: [
    'TRANSPORT_TLS_UNTRUSTED',
    'its certificate comes from an unknown CA',
  ],
  UNABLE_TO_GET_ISSUER_CERT: [
    'TRANSPORT_TLS_UNTRUSTED',
    'its certificate comes from an unknown CA',
  ],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: [
    'TRANSPORT_TLS_UNTRUSTED',
    'its certificate comes from an unknown CA',
  ],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'TRANSPORT_TLS_UNTRUSTED',
    'its certificate comes from an unknown CA',
  ],
  ERR_SSL_WRONG_VERSION_NUMBER: ['TRANSPORT_TLS_HANDSHAKE', 'the other side does not speak TLS'],
  ERR_SSL_PACKET_LENGTH_TOO_LONG: ['TRANSPORT_TLS_HANDSHAKE', 'the other side does not speak TLS'],
  EPROTO: ['TRANSPORT_TLS_HANDSHAKE', 'the TLS handshake failed'],
  INVALID_PURPOSE: ['TRANSPORT_TLS_UNTRUSTED', 'its certificate is not one for servers'],
};

/** TLS alerts about the client certificate, in all versions of OpenSSL. */
const CERTIFICATE_ALERT = /^ERR_SSL_\S+_ALERT_(?:\w*CERTIFICATE\w*|UNKNOWN_CA|ACCESS_DENIED)$/;

/**
 * Converts an error of Node into a {@link TransportError}. A `TransportError` is returned
 * unchanged.
 */
export function connectionError(error: unknown, context: FailureContext): TransportError {
  if (error instanceof TransportError) return error;
  const [code, words] = classify(error);
  const { server, mayHaveBeenHandled, proxy } = context;
  const options = { cause: error, server, mayHaveBeenHandled };
  if (proxy === undefined) return new TransportError(code, `${server}: ${words}`, options);
  const retry = TRANSPORT_ERRORS[code].retry === 'never' ? 'never' : undefined;
  const message = `${server} through the proxy ${proxy}: ${words}`;
  return new TransportError('TRANSPORT_PROXY', message, { ...options, retry });
}

function classify(error: unknown): readonly [TransportErrorCode, string] {
  const systemCode = codeOf(error);
  const known = getKey(BY_SYSTEM_CODE, systemCode);
  if (known !== undefined) return known;
  if (CERTIFICATE_ALERT.test(systemCode)) {
    return [
      'TRANSPORT_TLS_CLIENT_CERTIFICATE',
      'the server does not accept the client certificate',
    ];
  }
  if (systemCode.startsWith('ERR_SSL_'))
    return ['TRANSPORT_TLS_HANDSHAKE', 'the TLS handshake failed'];
  if (systemCode.startsWith('HPE_')) {
    return ['TRANSPORT_PROTOCOL', 'the answer is not HTTP as expected'];
  }
  return ['TRANSPORT_CONNECTION_RESET', 'the connection failed'];
}

/** The alert of a TLS 1.2 server that requires a client certificate; it has other causes too. */
const HANDSHAKE_ALERT = /^ERR_SSL_\S+_ALERT_HANDSHAKE_FAILURE$/;

/**
 * Explains an error that means a missing client certificate: the alert is the same as for one that
 * the server does not accept. Other errors are returned unchanged.
 */
export function withoutCertificate(error: unknown): unknown {
  if (!(error instanceof TransportError)) return error;
  const { server, mayHaveBeenHandled, cause } = error;
  const options = { cause, mayHaveBeenHandled, ...(server !== undefined && { server }) };
  if (error.code === 'TRANSPORT_TLS_CLIENT_CERTIFICATE') {
    const message = `${server}: the server requires a client certificate, and none is configured`;
    return new TransportError('TRANSPORT_TLS_CLIENT_CERTIFICATE', message, {
      ...options,
      hint: 'Set tls.cert and tls.key, or tls.certFile and tls.keyFile.',
    });
  }
  if (error.code !== 'TRANSPORT_TLS_HANDSHAKE' || !HANDSHAKE_ALERT.test(codeOf(cause)))
    return error;
  return new TransportError('TRANSPORT_TLS_HANDSHAKE', error.message, {
    ...options,
    hint: 'The server refuses the handshake: it may require a client certificate, and none is configured.',
  });
}

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : '';
}
