import { CodecError, type CodecErrorCode } from '../codec/codec-error.ts';
import { mediaTypeEssence } from '../codec/media-types.ts';
import type { FailedRequest } from '../meta/api-error.ts';
import { RestError } from './rest-error.ts';

/** What is known of an answer that was accepted and cannot be read. */
export interface UnreadableAnswer {
  readonly request: FailedRequest;
  readonly status: number;
  readonly contentType: string | undefined;
  /** Its body, or the beginning of it, as far as it is known. */
  readonly body?: Uint8Array | undefined;
}

/** Codes that say that the answer is something else than it should be, not that a part is wrong. */
const FOREIGN: ReadonlySet<CodecErrorCode> = new Set([
  'CODEC_MALFORMED_JSON',
  'CODEC_NOT_PROTOBUF',
  'CODEC_UNKNOWN_MEDIA_TYPE',
]);

const HTML_HINT =
  'An HTML page is probably that of a login portal or proxy, or of another program on this port: ' +
  'check the address and port of the server, and sign in if a portal asks for it.';

/**
 * Returns the error for an answer that cannot be decoded. If it does not come from an API server,
 * the error names the request, the server and the content type, and says what it probably is.
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
