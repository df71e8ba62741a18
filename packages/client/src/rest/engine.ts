import { jsonCodec, protobufCodec, type Codec } from '../codec/codec.ts';
import { CodecError } from '../codec/codec-error.ts';
import { MEDIA_TYPES } from '../codec/media-types.ts';
import { hasUnknownFields } from '../codec/mutable-copy.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import type { FailedRequest } from '../meta/api-error.ts';
import type { WarningHandler } from '../transport/config.ts';
import { TransportError } from '../transport/transport-error.ts';
import type { Transport, TransportRequest, TransportResponse } from '../transport/transport.ts';
import { withDeadline } from '../lib/deadline.ts';
import { failureOfResponse, isSuccess } from './failure.ts';
import { queryString } from './path.ts';
import { readAll } from './read-all.ts';
import { RestError } from './rest-error.ts';
import { type CodecName, pathOf, type RequestSpec } from './request-spec.ts';
import { parseWarnings, reportWarnings, type Warning } from './warnings.ts';

/** What all requests of one client share. */
export interface Engine {
  readonly transport: Transport;
  readonly codec: CodecName;
  readonly clock: Clock;
  readonly onWarning: WarningHandler;
  readonly logger: Logger;
  /** Host and port, without credentials; empty if the transport is not known to have one. */
  readonly server: string;
  /** For whole answers; a request may have its own limit. */
  readonly maxResponseBytes: number;
}

/** A whole answer. */
export interface Answer {
  readonly response: TransportResponse;
  readonly body: Uint8Array;
  readonly warnings: readonly Warning[];
}

/** Returns what an error says about a request. */
export function describeRequest({ server }: Engine, spec: RequestSpec): FailedRequest {
  return { verb: spec.method, path: pathOf(spec), ...(server !== '' && { server }) };
}

/** Sends a request and reads the whole answer. Rejects with an `ApiError` if it is a refusal. */
export async function exchange(
  engine: Engine,
  spec: RequestSpec,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const { timeout } = spec;
  const request = transportRequest(engine, spec);
  using limited = withDeadline(signal, {
    clock: engine.clock,
    timeoutMs: timeout,
    reason: () => {
      const words = `no complete answer within the timeout of ${(timeout ?? 0) / 1000} s`;
      return new TransportError('TRANSPORT_TIMEOUT', words, { mayHaveBeenHandled: true });
    },
  });
  try {
    const response = await engine.transport.request({ ...request, signal: limited.signal });
    const warnings = noteWarnings(engine, response);
    if (!isSuccess(response.status)) {
      throw refusal(engine, spec, response, await readAll(response.body, REFUSAL_LIMIT));
    }
    const maxBytes = spec.maxResponseBytes ?? engine.maxResponseBytes;
    const tooLarge = (): Error => answerTooLarge(engine, spec, maxBytes);
    return { response, body: await readAll(response.body, { maxBytes, tooLarge }), warnings };
  } catch (error) {
    throw withRequest(engine, spec, error);
  }
}

/**
 * Sends a request and returns the response while its body is still arriving. Errors of the body need
 * {@link withRequest}.
 */
export async function open(
  engine: Engine,
  spec: RequestSpec,
  signal: AbortSignal,
): Promise<TransportResponse> {
  const request = transportRequest(engine, spec);
  const response = await engine.transport.request({ ...request, stream: true, signal });
  noteWarnings(engine, response);
  if (isSuccess(response.status)) return response;
  throw refusal(engine, spec, response, await readAll(response.body, REFUSAL_LIMIT));
}

/** Adds verb, path and server to an error of the transport, whose body reader does not know them. */
export function withRequest(engine: Engine, spec: RequestSpec, error: unknown): unknown {
  return error instanceof TransportError ? error.withRequest(describeRequest(engine, spec)) : error;
}

function noteWarnings(engine: Engine, { headers }: TransportResponse): Warning[] {
  const warnings = parseWarnings(headers);
  reportWarnings(warnings, engine.onWarning);
  return warnings;
}

function refusal(
  engine: Engine,
  spec: RequestSpec,
  response: TransportResponse,
  body: Uint8Array,
): Error {
  const { resource, name } = spec.target;
  const { group } = spec.groupVersion;
  return failureOfResponse(response.status, response.headers, body, {
    ...describeRequest(engine, spec),
    resource: resource === undefined ? undefined : { group, resource },
    name,
  });
}

/** Larger than any Status. What follows of an endless error is cut off. */
const REFUSAL_LIMIT = { maxBytes: 4 * 1024 * 1024 };

/**
 * How much of a whole answer is read by default: about as much JSON as V8 can hold in one string.
 * Without a limit, a megabyte of gzip could fill the memory.
 */
export const DEFAULT_MAX_RESPONSE_BYTES: number = 512 * 1024 * 1024;

function answerTooLarge(engine: Engine, spec: RequestSpec, maxBytes: number): Error {
  const request = describeRequest(engine, spec);
  const message = `the answer to ${request.verb} ${request.path} is larger than ${maxBytes} bytes`;
  return new RestError('REST_RESPONSE_TOO_LARGE', message, { request });
}

function transportRequest(engine: Engine, spec: RequestSpec): TransportRequest {
  const encoded = encodeBody(engine, spec);
  const timeout: [string, string][] =
    spec.timeout === undefined ? [] : [['timeout', `${spec.timeout / 1000}s`]];
  return {
    method: spec.method,
    path: pathOf(spec) + queryString([...spec.parameters, ...timeout]),
    headers: {
      accept: acceptOf(spec.answerCodec ?? engine.codec),
      ...encoded.headers,
      ...spec.headers,
    },
    ...(encoded.body !== undefined && { body: encoded.body }),
  };
}

/** Anything is better than a 406: logs are plain text, and a proxied service says what it likes. */
function acceptOf(codec: CodecName): string {
  const preferred = codec === 'protobuf' ? [MEDIA_TYPES.protobuf] : [];
  return [...preferred, MEDIA_TYPES.json, '*/*'].join(', ');
}

interface EncodedBody {
  readonly headers?: { readonly 'content-type': string };
  readonly body?: Uint8Array | undefined;
}

function encodeBody({ codec }: Engine, { body, contentType }: RequestSpec): EncodedBody {
  if (body === undefined) return {};
  if (body instanceof Uint8Array) {
    return { headers: { 'content-type': contentType ?? MEDIA_TYPES.json }, body };
  }
  // Fields of a newer server that came as protobuf go back as such: JSON has no place for them.
  const isJson = codec === 'json' && !hasUnknownFields(body);
  if (contentType !== undefined || isJson) return encodeWith(jsonCodec, body, contentType);
  try {
    return encodeWith(protobufCodec, body);
  } catch (error) {
    // Kinds without protobuf, and fields of a newer server, for which it has no place: JSON has.
    if (error instanceof CodecError && JSON_INSTEAD.has(error.code)) {
      return encodeWith(jsonCodec, body);
    }
    throw error;
  }
}

const JSON_INSTEAD: ReadonlySet<string> = new Set([
  'CODEC_NO_KIND',
  'CODEC_NO_PROTOBUF',
  'CODEC_UNKNOWN_FIELD',
]);

function encodeWith(codec: Codec, body: object, contentType = codec.mediaType): EncodedBody {
  return { headers: { 'content-type': contentType }, body: codec.encode(body) };
}
