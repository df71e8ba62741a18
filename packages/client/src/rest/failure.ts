import { codecFor } from '../codec/codec.ts';
import { mediaTypeEssence } from '../codec/media-types.ts';
import { ApiError, type FailedRequest } from '../meta/api-error.ts';
import { newGenericServerResponse } from '../meta/error-factories.ts';
import type { GroupResource } from '../meta/resource.ts';
import { isStatus } from '../meta/status.ts';
import type { Status } from '../meta/types.ts';
import type { TransportHeaders } from '../transport/transport.ts';
import { contentTypeOf, headerOf } from './headers.ts';

/** So much of a body that is no Status gets into an error. */
const MAX_TEXT_BYTES = 2048;

/** What is known about a request that was refused. */
export interface FailureContext extends FailedRequest {
  readonly resource: GroupResource | undefined;
  readonly name: string | undefined;
}

/** True for what the API calls success: 200 to 206. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 206;
}

/**
 * The error for an answer with any other HTTP status. A Status in the body is believed; if there is
 * none, the HTTP status speaks, and a text in the body stands at the end of the message, so that the
 * words of a proxy or load balancer are not lost.
 */
export function failureOfResponse(
  status: number,
  headers: TransportHeaders,
  body: Uint8Array,
  context: FailureContext,
): ApiError {
  const { resource, name, ...request } = context;
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
  // A page of HTML says less than the HTTP status does; it is still in the causes.
  const isTold = text === undefined || text.startsWith('<') || message.includes(text);
  return new ApiError(
    { ...generic.status, message: isTold ? message : `${message}: ${text}` },
    { request },
  );
}

/** The failure that a decoded object describes: a Status that does not say Success. */
export function failureIn(object: unknown): Status | undefined {
  return isStatus(object) && object.status !== 'Success' ? object : undefined;
}

function statusIn(headers: TransportHeaders, body: Uint8Array): Status | undefined {
  try {
    const object = codecFor(contentTypeOf(headers) ?? '').decode(body);
    const isNameless = object['kind'] === undefined && object['status'] === 'Failure';
    return failureIn(isNameless ? { kind: 'Status', apiVersion: 'v1', ...object } : object);
  } catch {
    // Not in the API's form: the HTTP status and the text are what there is.
    return undefined;
  }
}

/** The body as text, if it is text: what proxies send, and JSON that is no Status. */
function textOf(headers: TransportHeaders, body: Uint8Array): string | undefined {
  const type = mediaTypeEssence(contentTypeOf(headers) ?? 'text/plain');
  if (!type.startsWith('text/') && type !== 'application/json') return undefined;
  // The decoder keeps an unfinished character at the cut to itself.
  const text = new TextDecoder().decode(body.subarray(0, MAX_TEXT_BYTES), { stream: true });
  return text.trim();
}
