import { CodecError, type CodecErrorCode } from '../codec/codec-error.ts';
import { codecFor } from '../codec/codec.ts';
import { mediaTypeEssence } from '../codec/media-types.ts';
import { getKey } from '../lib/json.ts';
import { ApiError, type FailedRequest } from '../meta/api-error.ts';
import { newGenericServerResponse } from '../meta/error-factories.ts';
import type { GroupResource } from '../meta/resource.ts';
import { isStatus } from '../meta/status.ts';
import type { Status } from '../meta/types.ts';
import type { TransportHeaders } from '../transport/transport.ts';
import { RestError } from './rest-error.ts';

/** Returns a header as one string; several values are joined with commas. Names are in lower case. */
export function headerOf(headers: TransportHeaders, name: string): string | undefined {
  const value = getKey(headers, name);
  return value === undefined || typeof value === 'string' ? value : value.join(', ');
}

/** Returns the content type of a response; undefined if it has none. */
export function contentTypeOf(headers: TransportHeaders): string | undefined {
  const type = headerOf(headers, 'content-type');
  return type === '' ? undefined : type;
}

/** How much of a body that is not a Status is quoted in an error. */
const MAX_TEXT_BYTES = 2048;

/** The request that was refused, and the object it was about. */
export interface FailureContext extends FailedRequest {
  readonly resource: GroupResource | undefined;
  readonly name: string | undefined;
  /** Undefined or empty if the request has none. */
  readonly namespace: string | undefined;
}

const NO_PATH_HINT =
  'The server has no such path: check that it serves the resource and, if the resource is ' +
  'namespaced, call .namespace(…).';

/** True for the statuses that the API counts as success: 200 to 206. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 206;
}

/**
 * Returns the error for a response with any other HTTP status. A Status in the body is used as it
 * is. Without one the error follows from the HTTP status, with the text of the body at the end of
 * the message, so that the words of a proxy or load balancer are not lost.
 */
export function failureOfResponse(
  status: number,
  headers: TransportHeaders,
  body: Uint8Array,
  context: FailureContext,
): ApiError {
  const { resource, name, namespace = '', ...request } = context;
  const { verb } = request;
  const sent = statusIn(headers, body);
  if (sent !== undefined) return new ApiError({ ...sent, code: sent.code ?? status }, { request });
  const text = textOf(headers, body);
  const retryAfter = headerOf(headers, 'retry-after') ?? '';
  const generic = newGenericServerResponse({
    code: status,
    verb,
    ...(resource !== undefined && { resource }),
    ...(name !== undefined && { name }),
    serverMessage: text ?? 'unknown',
    ...(/^\d+$/.test(retryAfter) && { retryAfterSeconds: Number(retryAfter) }),
    isUnexpectedResponse: true,
  });
  const { message = '' } = generic.status;
  // An HTML page says less than the HTTP status; it stays in the causes.
  const isQuoted = text === undefined || text.startsWith('<') || message.includes(text);
  // What API servers answer for a path without a handler; a missing object is a Status.
  const isMissingPath =
    status === 404 && text === '404 page not found' && resource !== undefined && namespace === '';
  return new ApiError(
    { ...generic.status, message: isQuoted ? message : `${message}: ${text}` },
    { request, hint: isMissingPath ? NO_PATH_HINT : undefined },
  );
}

/** Returns the object if it is a Status other than Success. */
export function failureIn(object: unknown): Status | undefined {
  return isStatus(object) && object.status !== 'Success' ? object : undefined;
}

function statusIn(headers: TransportHeaders, body: Uint8Array): Status | undefined {
  try {
    const object = codecFor(contentTypeOf(headers) ?? '').decode(body);
    const hasNoKind = object['kind'] === undefined && object['status'] === 'Failure';
    return failureIn(hasNoKind ? { kind: 'Status', apiVersion: 'v1', ...object } : object);
  } catch {
    // Not an object of the API: the HTTP status and the text decide.
    return undefined;
  }
}

/** Returns the body as text if it is text: what proxies send, and JSON that is not a Status. */
function textOf(headers: TransportHeaders, body: Uint8Array): string | undefined {
  const type = mediaTypeEssence(contentTypeOf(headers) ?? 'text/plain');
  if (!type.startsWith('text/') && type !== 'application/json') return undefined;
  // Streaming, so that a character cut in half is left out.
  const text = new TextDecoder().decode(body.subarray(0, MAX_TEXT_BYTES), { stream: true });
  return text.trim();
}

/** A successful response that cannot be decoded. */
export interface UnreadableAnswer {
  readonly request: FailedRequest;
  readonly status: number;
  readonly contentType: string | undefined;
  /** Its body, or the beginning of it. */
  readonly body?: Uint8Array | undefined;
}

/** Codes for a body that is something else altogether, not for one damaged part of it. */
const FOREIGN: ReadonlySet<CodecErrorCode> = new Set([
  'CODEC_MALFORMED_JSON',
  'CODEC_NOT_PROTOBUF',
  'CODEC_UNKNOWN_MEDIA_TYPE',
]);

const HTML_HINT =
  'An HTML page usually comes from a login portal, a proxy, or another program on this port: ' +
  'check the address and port of the server, and sign in if a portal asks for it.';

/**
 * Returns the error for a response that cannot be decoded. If it does not come from an API server,
 * the error names the request, the server and the content type, and the probable cause.
 */
export function unreadableAnswer(cause: unknown, answer: UnreadableAnswer): unknown {
  if (!(cause instanceof CodecError) || !FOREIGN.has(cause.code)) return cause;
  const { request, status, contentType } = answer;
  const { verb, path, server = 'the server' } = request;
  const type = contentType === undefined ? 'without a content type' : `as ${contentType}`;
  const isHtml = looksLikeHtml(answer);
  const what = isHtml ? 'an HTML page' : 'a body';
  const problem = isHtml ? 'not an object of the API' : `which cannot be read: ${cause.message}`;
  return new RestError(
    'REST_RESPONSE_UNREADABLE',
    `${verb} ${path}: ${server} answered with status ${status} and ${what} (${type}), ${problem}`,
    { cause, request, ...(isHtml && { hint: HTML_HINT }) },
  );
}

function looksLikeHtml({ contentType, body }: UnreadableAnswer): boolean {
  const type = mediaTypeEssence(contentType ?? '');
  if (type === 'text/html' || type === 'application/xhtml+xml') return true;
  const start = body === undefined ? '' : new TextDecoder('latin1').decode(body.subarray(0, 256));
  return /^\s*<(?:!doctype html|html|head|body)\b/i.test(start);
}
