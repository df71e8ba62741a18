import { jsonCodec, protobufCodec, type Codec } from '../codec/codec.ts';
import { CodecError } from '../codec/codec-error.ts';
import { MEDIA_TYPES } from '../codec/media-types.ts';
import { hasUnknownFields } from '../codec/mutable-copy.ts';
import type { Clock } from '../lib/clock.ts';
import { withDeadline } from '../lib/deadline.ts';
import type { Logger } from '../lib/logger.ts';
import { nextTurn } from '../lib/next-turn.ts';
import type { OwnedSignal } from '../lib/signal.ts';
import type { FailedRequest } from '../meta/api-error.ts';
import type { GroupVersion } from '../meta/resource.ts';
import type { KubernetesObject } from '../meta/types.ts';
import type { WarningHandler } from '../transport/config.ts';
import { areRequestsDiagnosed } from '../transport/diagnostics.ts';
import { TransportError } from '../transport/transport-error.ts';
import type {
  Transport,
  TransportRequest,
  TransportResponse,
  Upgrade,
} from '../transport/transport.ts';
import { failureOfResponse, isSuccess } from './failure.ts';
import { groupVersionPath, queryString, type Target, targetPath } from './path.ts';
import { RestError } from './rest-error.ts';
import { Result } from './result.ts';
import type { ReadyIterator } from './stream.ts';
import type { WriteObserver } from './write-observer.ts';
import { parseWarnings, reportWarnings, type Warning } from './warnings.ts';

/** The encodings that a client can prefer. */
export type CodecName = 'json' | 'protobuf';

/** One request as plain data: what the builder collects and the engine sends. */
export interface RequestSpec {
  /** The HTTP method. */
  readonly method: string;
  readonly groupVersion: GroupVersion;
  /** Replaces the path of the group-version. Already escaped. */
  readonly base?: string | undefined;
  readonly target: Target;
  /** The end of the path, after everything else. Already escaped. */
  readonly suffix?: string | undefined;
  readonly parameters: readonly (readonly [string, string])[];
  readonly headers: Readonly<Record<string, string>>;
  /** An object is encoded; bytes are sent as they are. */
  readonly body?: object | undefined;
  /** With an object: encode it as JSON under this content type. */
  readonly contentType?: string | undefined;
  readonly timeoutMs?: number | undefined;
  /** A longer response is refused. Default: the limit of the client. */
  readonly maxResponseBytes?: number | undefined;
  /** The preferred encoding of the response. Default: that of the client. */
  readonly answerCodec?: CodecName | undefined;
}

/** Returns the path of a request without its query. Throws if the parts do not fit together. */
export function pathOf({ method, groupVersion, base, target, suffix = '' }: RequestSpec): string {
  const path = (base ?? groupVersionPath(groupVersion)) + targetPath(target, method) + suffix;
  return path === '' ? '/' : path;
}

/** Shared by all requests of one client. */
export interface Engine {
  /** The number of the client, unique in the process. */
  readonly client: number;
  readonly transport: Transport;
  readonly codec: CodecName;
  readonly clock: Clock;
  readonly onWarning: WarningHandler;
  readonly logger: Logger;
  /** Host and port, without credentials; empty if they are not known. */
  readonly server: string;
  /** The limit of a whole response; a request may have its own. */
  readonly maxResponseBytes: number;
  /** Absent for most clients. */
  readonly onWrite?: WriteObserver | undefined;
}

/** Returns what errors say about a request. */
export function describeRequest({ server }: Engine, spec: RequestSpec): FailedRequest {
  return { verb: spec.method, path: pathOf(spec), ...(server !== '' && { server }) };
}

/** Sends a request and reads the whole response. Rejects with an `ApiError` if the server refuses it. */
export function exchange(
  engine: Engine,
  spec: RequestSpec,
  signal: AbortSignal | undefined,
): Promise<Result> {
  const { timeoutMs } = spec;
  return timeoutMs === undefined
    ? exchangeUntil(engine, spec, signal)
    : exchangeInTime(engine, spec, signal, timeoutMs);
}

async function exchangeInTime(
  engine: Engine,
  spec: RequestSpec,
  signal: AbortSignal | undefined,
  timeoutMs: number,
): Promise<Result> {
  using limited = withTimeout(engine, signal, timeoutMs);
  return await exchangeUntil(engine, spec, limited.signal);
}

async function exchangeUntil(
  engine: Engine,
  spec: RequestSpec,
  signal: AbortSignal | undefined,
): Promise<Result> {
  const request = transportRequest(engine, spec);
  try {
    const response = await engine.transport.request(
      signal === undefined ? request : { ...request, signal },
    );
    const warnings = noteWarnings(engine, response);
    if (!isSuccess(response.status)) {
      throw refusal(engine, spec, response, await readAll(response.body, REFUSAL_LIMIT));
    }
    const maxBytes = spec.maxResponseBytes ?? engine.maxResponseBytes;
    const tooLarge = (): Error => answerTooLarge(engine, spec, maxBytes);
    const body = await readAll(response.body, { maxBytes, tooLarge });
    return new Result({ response, body, warnings }, () => describeRequest(engine, spec));
  } catch (error) {
    throw withRequest(engine, spec, error);
  }
}

function withTimeout(
  { clock }: Engine,
  signal: AbortSignal | undefined,
  timeoutMs: number,
): OwnedSignal {
  const reason = (): Error => {
    const words = `no complete answer within the timeout of ${timeoutMs / 1000} s`;
    return new TransportError('TRANSPORT_TIMEOUT', words, { mayHaveBeenHandled: true });
  };
  return withDeadline(signal, { clock, timeoutMs, reason });
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

/**
 * Sends an upgrade request. Rejects with an `ApiError` if the server refuses it, and with
 * `REST_NOT_UPGRADED` if it answers as if it had not been asked to upgrade.
 */
export async function upgraded(
  engine: Engine,
  spec: RequestSpec,
  upgrade: Upgrade,
  signal: AbortSignal | undefined,
): Promise<void> {
  const request = { ...transportRequest(engine, spec), stream: true, upgrade };
  try {
    const response = await engine.transport.request({
      ...request,
      ...(signal !== undefined && { signal }),
    });
    noteWarnings(engine, response);
    if (response.status === 101) return;
    const body = await readAll(response.body, REFUSAL_LIMIT);
    if (!isSuccess(response.status)) throw refusal(engine, spec, response, body);
    const failed = describeRequest(engine, spec);
    const message = `${failed.verb} ${failed.path}: status ${response.status} instead of an upgrade`;
    throw new RestError('REST_NOT_UPGRADED', message, { request: failed });
  } catch (error) {
    throw withRequest(engine, spec, error);
  }
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
  const { resource, name, namespace } = spec.target;
  const { group } = spec.groupVersion;
  return failureOfResponse(response.status, response.headers, body, {
    ...describeRequest(engine, spec),
    resource: resource === undefined ? undefined : { group, resource },
    name,
    namespace,
  });
}

/** Larger than any Status. The rest of an endless error page is not read. */
const REFUSAL_LIMIT = { maxBytes: 4 * 1024 * 1024 };

/**
 * The default limit of a response: about as much JSON as V8 can hold in one string. Without a limit,
 * a megabyte of gzip could fill the memory.
 */
export const DEFAULT_MAX_RESPONSE_BYTES: number = 512 * 1024 * 1024;

function answerTooLarge(engine: Engine, spec: RequestSpec, maxBytes: number): Error {
  const request = describeRequest(engine, spec);
  const message = `the answer to ${request.verb} ${request.path} is larger than ${maxBytes} bytes`;
  return new RestError('REST_RESPONSE_TOO_LARGE', message, { request });
}

function transportRequest(engine: Engine, spec: RequestSpec): TransportRequest {
  const encoded = encodeBody(engine, spec);
  const { timeoutMs, parameters } = spec;
  const timed: RequestSpec['parameters'] =
    timeoutMs === undefined ? parameters : [...parameters, ['timeout', `${timeoutMs / 1000}s`]];
  return {
    method: spec.method,
    path: pathOf(spec) + queryString(timed),
    headers: {
      accept: acceptOf(spec.answerCodec ?? engine.codec),
      ...encoded.headers,
      ...spec.headers,
    },
    client: engine.client,
    ...(encoded.body !== undefined && { body: encoded.body }),
    ...(spec.method === 'POST' && areRequestsDiagnosed() && createdName(spec)),
  };
}

/** Returns the name of the object that a request creates, which its path does not have. */
function createdName({ target, body }: RequestSpec): Pick<TransportRequest, 'createdName'> {
  if (target.name !== undefined || body === undefined || body instanceof Uint8Array) return {};
  const name = (body as KubernetesObject).metadata?.name;
  return typeof name === 'string' ? { createdName: name } : {};
}

/** Accepts anything last, to avoid a 406: logs are plain text, and proxied services send any type. */
function acceptOf(codec: CodecName): string {
  return codec === 'protobuf' ? ACCEPT_PROTOBUF : ACCEPT_JSON;
}

const ACCEPT_JSON = `${MEDIA_TYPES.json}, */*`;
const ACCEPT_PROTOBUF = `${MEDIA_TYPES.protobuf}, ${ACCEPT_JSON}`;

interface EncodedBody {
  readonly headers?: { readonly 'content-type': string };
  readonly body?: Uint8Array | undefined;
}

function encodeBody({ codec }: Engine, { body, contentType }: RequestSpec): EncodedBody {
  if (body === undefined) return {};
  if (body instanceof Uint8Array) {
    return { headers: { 'content-type': contentType ?? MEDIA_TYPES.json }, body };
  }
  // Unknown protobuf fields of a newer server can only be sent back as protobuf.
  const isJson = codec === 'json' && !hasUnknownFields(body);
  if (contentType !== undefined || isJson) return encodeWith(jsonCodec, body, contentType);
  try {
    return encodeWith(protobufCodec, body);
  } catch (error) {
    // Kinds without protobuf, and JSON fields of a newer server that protobuf cannot hold.
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

/** Copying this much takes a few milliseconds; other work runs in between. */
const SLICE_BYTES = 8 * 1024 * 1024;

const EMPTY = new Uint8Array();

/** How much of a body is read. */
export interface ReadLimit {
  readonly maxBytes: number;
  /** Returns the error for a longer body. Without it the rest is not read. */
  readonly tooLarge?: (() => Error) | undefined;
}

/**
 * Reads a body into one array, up to its end or a limit. A long list may have hundreds of megabytes:
 * it is copied in slices between which other work can run, and copied chunks are released. What has
 * already arrived, which often is all, costs no promise.
 */
export async function readAll(
  body: AsyncIterable<Uint8Array>,
  { maxBytes, tooLarge }: ReadLimit,
): Promise<Uint8Array> {
  const source: ReadyIterator<Uint8Array> = body[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (size <= maxBytes) {
    let chunk = source.ready?.();
    if (chunk === undefined) {
      const next = await source.next();
      if (next.done === true) break;
      chunk = next.value;
    }
    chunks.push(chunk);
    size += chunk.length;
  }
  if (size > maxBytes) {
    await source.return?.();
    if (tooLarge !== undefined) throw tooLarge();
  }
  const [only = EMPTY] = chunks;
  if (chunks.length < 2) return only;
  return size <= SLICE_BYTES ? Buffer.concat(chunks, size) : await joined(chunks, size);
}

async function joined(chunks: Uint8Array[], size: number): Promise<Uint8Array> {
  const whole = Buffer.allocUnsafeSlow(size);
  let end = 0;
  let sliceEnd = SLICE_BYTES;
  for (const [index, chunk] of chunks.entries()) {
    if (end + chunk.length > sliceEnd) {
      await nextTurn();
      sliceEnd = end + SLICE_BYTES;
    }
    whole.set(chunk, end);
    end += chunk.length;
    chunks[index] = EMPTY;
  }
  return whole;
}
