import {
  ClientError,
  type ClientErrorOptions,
  defineErrors,
  isJsonObject,
} from 'client-ts/internal';
import { newGenericServerResponse } from 'client-ts/meta';

/** A response that has been read. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly retryAfterSeconds: number;
  readonly body: Buffer;
}

/** Where a failed call went. */
export interface FailedTarget {
  readonly host: string;
  readonly port: number;
  readonly authority: string;
  readonly path: string;
}

/** A webhook that could not be called. The message is the one of a real server. */
export class WebhookCallError extends ClientError {
  constructor(message: string, options?: ClientErrorOptions) {
    super('APISERVER_WEBHOOK_FAILED', message, options);
  }

  static {
    defineErrors(this, 'WebhookCallError', 'APISERVER', {
      APISERVER_WEBHOOK_FAILED: {
        retry: 'never',
        when: 'An admission or conversion webhook cannot be reached, or its response is unusable.',
      },
    });
  }
}

/** Returns the error for a call without a response. */
export function transportFailure(target: FailedTarget, cause: unknown): WebhookCallError {
  const { authority, path } = target;
  const detail = cause === 'deadline' ? 'context deadline exceeded' : describe(cause, target);
  return new WebhookCallError(`Post "https://${authority}${path}": ${detail}`, { cause });
}

const UNKNOWN_AUTHORITY: ReadonlySet<string> = new Set([
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

interface SystemError extends Error {
  readonly code?: string;
  readonly address?: string;
  readonly port?: number;
  readonly cert?: { readonly subjectaltname?: string };
  readonly errors?: readonly SystemError[];
}

/** Returns the words of a Go client for an error of Node. */
function describe(cause: unknown, { host, port }: FailedTarget): string {
  if (!(cause instanceof Error)) return String(cause);
  const error = cause as SystemError;
  // Several addresses of one name were tried; a Go client shows the first failure.
  const first = error.errors?.[0] ?? error;
  const { code = '', cert } = first;
  const place = `${first.address ?? host}:${first.port ?? port}`;
  if (code === 'ECONNREFUSED') return `dial tcp ${place}: connect: connection refused`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `dial tcp: lookup ${host}: no such host`;
  }
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'EOF';
  if (code === 'EPROTO') return 'http: server gave HTTP response to HTTPS client';
  if (UNKNOWN_AUTHORITY.has(code)) return untrusted('certificate signed by unknown authority');
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return untrusted('certificate has expired or is not yet valid');
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return untrusted(wrongName(host, cert));
  return error.message;
}

function untrusted(detail: string): string {
  return `tls: failed to verify certificate: x509: ${detail}`;
}

function wrongName(host: string, cert: SystemError['cert']): string {
  const names = (cert?.subjectaltname ?? '')
    .split(', ')
    .map((name) => name.replace(/^(DNS|IP Address):/, ''))
    .join(', ');
  return `certificate is valid for ${names}, not ${host}`;
}

/** How much of an error's text is shown. */
const LONGEST_TEXT = 2048;

/** Returns the error for a response that is not a success. */
export function refusedCall({ status, contentType, retryAfterSeconds, body }: Answer): Error {
  const isText = contentType === '' || contentType.startsWith('text/');
  const text = body.subarray(0, LONGEST_TEXT).toString('utf8').trim();
  const response = newGenericServerResponse({
    code: status,
    verb: 'POST',
    serverMessage: isText ? text : 'unknown',
    retryAfterSeconds,
    isUnexpectedResponse: true,
  });
  return new WebhookCallError(failureMessage(body) ?? response.message);
}

/** Returns the message of a `Status`, if that is what a webhook answered. */
function failureMessage(body: Buffer): string | undefined {
  try {
    const status: unknown = JSON.parse(body.toString('utf8'));
    if (!isJsonObject(status) || status['status'] !== 'Failure') return undefined;
    const { kind = 'Status', message } = status;
    return kind === 'Status' && typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the error for a response that is not JSON. */
export function unreadableAnswer(detail: string): WebhookCallError {
  return new WebhookCallError(`couldn't get version/kind; json parse error: ${detail}`);
}
