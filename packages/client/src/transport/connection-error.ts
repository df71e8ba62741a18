import { getKey } from '../lib/json.ts';
import { TRANSPORT_ERRORS, TransportError, type TransportErrorCode } from './transport-error.ts';

/** Where a connection broke. */
export interface FailureContext {
  /** Host and port, without credentials. */
  readonly server: string;
  /** False while it is certain that the server has not acted on the request. */
  readonly mayHaveBeenHandled: boolean;
  /** Set if the connection that failed was one to a proxy. */
  readonly proxy?: string;
}

/** What Node and the system call it, what we call it, and in words. */
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
  ERR_HTTP2_SESSION_ERROR: [
    'TRANSPORT_CONNECTION_RESET',
    'the HTTP/2 session was ended by the other side',
  ],
  ERR_HTTP2_STREAM_CANCEL: ['TRANSPORT_CONNECTION_RESET', 'the HTTP/2 stream was broken off'],
  ERR_HTTP2_STREAM_ERROR: ['TRANSPORT_CONNECTION_RESET', 'the HTTP/2 stream was reset'],
  ERR_HTTP2_GOAWAY_SESSION: [
    'TRANSPORT_CONNECTION_RESET',
    'the HTTP/2 session was ended by the other side',
  ],
  ERR_HTTP2_INVALID_SESSION: ['TRANSPORT_CONNECTION_RESET', 'the HTTP/2 session is gone'],
  ERR_HTTP2_INVALID_STREAM: ['TRANSPORT_CONNECTION_RESET', 'the HTTP/2 stream is gone'],
  ERR_HTTP2_PING_CANCEL: ['TRANSPORT_CONNECTION_RESET', 'the HTTP/2 session is gone'],
  HPE_INVALID_EOF_STATE: ['TRANSPORT_CONNECTION_RESET', 'the connection was closed before the end'],
  ERR_HTTP2_ERROR: ['TRANSPORT_PROTOCOL', 'the other side broke the rules of HTTP/2'],
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

/** Alerts by which a server says what it thinks of the client's certificate, in any OpenSSL. */
const CERTIFICATE_ALERT = /^ERR_SSL_\S+_ALERT_(?:\w*CERTIFICATE\w*|UNKNOWN_CA|ACCESS_DENIED)$/;

/** Returns what Node reports as a {@link TransportError}. One that is one already stays as it is. */
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
  if (/^(?:HPE_|ERR_HTTP2_)/.test(systemCode)) {
    return ['TRANSPORT_PROTOCOL', 'the answer is not HTTP as expected'];
  }
  return ['TRANSPORT_CONNECTION_RESET', 'the connection failed'];
}

/** The alert of a TLS 1.2 server that wants a certificate and got none; other causes are possible. */
const HANDSHAKE_ALERT = /^ERR_SSL_\S+_ALERT_HANDSHAKE_FAILURE$/;

/**
 * Returns the error of a server that wants a client certificate where none was sent, if this is
 * one: its alert is the same as for a certificate that it does not accept.
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
