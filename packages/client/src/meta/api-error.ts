import {
  ClientError,
  defineErrors,
  errorChain,
  type ErrorEntry,
  type Retry,
} from '../lib/errors.ts';
import { isStatus, type KnownStatusReason, type StatusReason, wellTypedStatus } from './status.ts';
import type { Status } from './types.ts';

/** The codes of {@link ApiError}. */
export type ApiErrorCode = `API_${string}`;

interface CatalogueEntry extends ErrorEntry {
  readonly code: ApiErrorCode;
  /** The HTTP code for this failure if a server sends no reason. */
  readonly statusCode?: number;
}

const catalogue: Readonly<Record<KnownStatusReason, CatalogueEntry>> = {
  AlreadyExists: {
    code: 'API_ALREADY_EXISTS',
    retry: 'never',
    hint: 'Read the existing object and update it, or choose another name.',
  },
  BadRequest: { code: 'API_BAD_REQUEST', retry: 'never', statusCode: 400 },
  Conflict: {
    code: 'API_CONFLICT',
    retry: 'never',
    statusCode: 409,
    hint: 'Read the object again, make the change on the newest version and write it again.',
  },
  Expired: {
    code: 'API_EXPIRED',
    retry: 'never',
    hint: 'The version or page has expired: list again from the start.',
  },
  Forbidden: {
    code: 'API_FORBIDDEN',
    retry: 'never',
    statusCode: 403,
    hint: 'Grant the verb on the resource to the user in the message.',
  },
  Gone: { code: 'API_GONE', retry: 'never', statusCode: 410, hint: 'List again from the start.' },
  InternalError: { code: 'API_INTERNAL_ERROR', retry: 'unsafe', statusCode: 500 },
  Invalid: {
    code: 'API_INVALID',
    retry: 'never',
    statusCode: 422,
    hint: 'Every entry of `status.details.causes` names a field and what is wrong with it.',
  },
  MethodNotAllowed: { code: 'API_METHOD_NOT_ALLOWED', retry: 'never', statusCode: 405 },
  NotAcceptable: { code: 'API_NOT_ACCEPTABLE', retry: 'never', statusCode: 406 },
  NotFound: { code: 'API_NOT_FOUND', retry: 'never', statusCode: 404 },
  RequestEntityTooLarge: { code: 'API_REQUEST_ENTITY_TOO_LARGE', retry: 'never', statusCode: 413 },
  ServerTimeout: {
    code: 'API_SERVER_TIMEOUT',
    retry: 'unsafe',
    hint: 'Retry after the requested delay.',
  },
  ServiceUnavailable: { code: 'API_SERVICE_UNAVAILABLE', retry: 'unsafe', statusCode: 503 },
  StorageReadError: { code: 'API_STORAGE_READ_ERROR', retry: 'unsafe' },
  Timeout: {
    code: 'API_TIMEOUT',
    retry: 'unsafe',
    statusCode: 504,
    hint: 'The request may still take effect: read before you repeat a write.',
  },
  TooManyRequests: {
    code: 'API_TOO_MANY_REQUESTS',
    retry: 'later',
    statusCode: 429,
    hint: 'Retry after the requested delay.',
  },
  Unauthorized: {
    code: 'API_UNAUTHORIZED',
    retry: 'never',
    statusCode: 401,
    hint: 'The server does not accept the credentials: check user, token or certificate.',
  },
  UnsupportedMediaType: { code: 'API_UNSUPPORTED_MEDIA_TYPE', retry: 'never', statusCode: 415 },
};

const reasonByStatusCode: ReadonlyMap<number, KnownStatusReason> = new Map(
  Object.entries(catalogue).flatMap(([reason, { statusCode }]) =>
    statusCode === undefined ? [] : [[statusCode, reason as KnownStatusReason] as const],
  ),
);

/** The code for unknown failures. */
const unknownCode = 'API_ERROR';

/** Every `code` of an {@link ApiError}, with the server's reason and the hint. */
export const apiErrorCatalogue: readonly (ErrorEntry & {
  readonly code: ApiErrorCode;
  readonly reason: StatusReason;
})[] = [
  ...Object.entries(catalogue).map(([reason, { code, retry, hint }]) => ({
    code,
    reason,
    retry,
    ...(hint === undefined ? {} : { hint }),
  })),
  { code: unknownCode, reason: '', retry: 'never' },
];

const API_ERRORS: Readonly<Record<ApiErrorCode, ErrorEntry>> = Object.fromEntries(
  apiErrorCatalogue.map((entry) => [entry.code, entry]),
);

/**
 * Returns the failure that a Status describes: by its reason or, if that is unknown, by the HTTP
 * code. Undefined if neither is known.
 */
export function failureOf(status: Status): KnownStatusReason | undefined {
  const { reason = '', code = 0 } = status;
  return Object.hasOwn(catalogue, reason)
    ? (reason as KnownStatusReason)
    : reasonByStatusCode.get(code);
}

/** The request that failed. */
export interface FailedRequest {
  readonly verb: string;
  /** The path without its query, which may contain private data. */
  readonly path: string;
  /** Host and port, if they are known. */
  readonly server?: string;
}

/** Options of an {@link ApiError}. */
export interface ApiErrorOptions {
  readonly cause?: unknown;
  /** The query of `path` is removed. */
  readonly request?: FailedRequest | undefined;
  /** Default: that of the code, if it has one. */
  readonly hint?: string | undefined;
}

/**
 * A refusal by an API server, with the whole `Status` it sent. The message is the server's, followed
 * by verb, path and server of the request; `status.message` is the server's alone. Tell failures
 * apart with the guards (`isNotFound`, `isConflict`, …) or by `code`.
 */
export class ApiError extends ClientError {
  /** As the server sent it, without fields of a wrong type. */
  readonly status: Status;
  readonly request: FailedRequest | undefined;

  constructor(sent: Status, { cause, request, hint }: ApiErrorOptions = {}) {
    const status = wellTypedStatus(sent);
    const failure = failureOf(status);
    const entry = failure === undefined ? undefined : catalogue[failure];
    const failed = request && { ...request, path: withoutQuery(request.path) };
    super(entry?.code ?? unknownCode, `${messageOf(status)}${describeRequest(failed)}`, {
      cause,
      hint,
      retry: retryAfter(status, entry?.retry),
    });
    this.status = status;
    this.request = failed;
  }

  /** The server's reason; empty if there is none. */
  get reason(): StatusReason {
    return this.status.reason ?? '';
  }

  /** The HTTP code, also for errors within a stream; 0 if the Status has none. */
  get statusCode(): number {
    return this.status.code ?? 0;
  }

  /** The delay that the server requests, in seconds. */
  get retryAfterSeconds(): number | undefined {
    return this.status.details?.retryAfterSeconds;
  }

  static {
    defineErrors(this, 'ApiError', 'API', API_ERRORS);
  }
}

/**
 * A server that requests a delay has not processed the request. For an unknown reason, the HTTP
 * code decides.
 */
function retryAfter({ code = 0, details }: Status, known: Retry | undefined): Retry {
  const isServerFailure = code >= 500 || code === 408;
  const retry = known ?? (isServerFailure ? 'unsafe' : 'never');
  const isAskedBack = (details?.retryAfterSeconds ?? 0) > 0;
  return isAskedBack && retry === 'unsafe' ? 'later' : retry;
}

function messageOf({ message = '', reason = '', code = 0 }: Status): string {
  if (message !== '') return message;
  return `the server refused the request without a message (${reason || 'no reason'}, code ${code})`;
}

/** ` (GET /api/v1/nodes on 10.0.0.1:6443)`; nothing if the request is not known. */
function describeRequest(request: FailedRequest | undefined): string {
  if (request === undefined) return '';
  const { verb, path, server } = request;
  return ` (${verb} ${path}${server === undefined ? '' : ` on ${server}`})`;
}

function withoutQuery(path: string): string {
  const end = path.search(/[?#]/);
  return end === -1 ? path : path.slice(0, end);
}

/**
 * Returns the {@link ApiError} in an error, itself or wrapped: searches `cause` and
 * `AggregateError.errors`, outermost first. The guards use it, so that they recognise wrapped
 * errors.
 */
export function apiErrorOf(error: unknown): ApiError | undefined {
  for (const link of errorChain(error)) {
    if (link instanceof ApiError) return link;
  }
  return undefined;
}

/** An object other than a Status was received, for instance in an ERROR event of a watch. */
export class UnexpectedObjectError extends ClientError {
  readonly object: unknown;

  constructor(object: unknown) {
    const kind = (object as { kind?: unknown } | null | undefined)?.kind;
    super(
      'META_UNEXPECTED_OBJECT',
      `expected a Status but got ${typeof kind === 'string' ? `an object of kind ${kind}` : describe(object)}`,
    );
    this.object = object;
  }

  static {
    defineErrors(this, 'UnexpectedObjectError', 'META', {
      META_UNEXPECTED_OBJECT: { retry: 'never' },
    });
  }
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  return typeof value === 'object' ? 'an object without a kind' : `a ${typeof value}`;
}

/**
 * Returns the error for the object of an ERROR event: an {@link ApiError} if it is a Status. Some
 * servers and proxies leave out its `apiVersion`.
 */
export function errorFromObject(object: unknown): ApiError | UnexpectedObjectError {
  const { kind, apiVersion = 'v1' } = Object(object) as Partial<Status>;
  const status = kind === 'Status' ? { ...Object(object), apiVersion } : object;
  return isStatus(status) ? new ApiError(status) : new UnexpectedObjectError(object);
}
