import { aggregateMessage } from '../lib/aggregate-message.ts';
import { quoteGo } from '../lib/go-format.ts';
import { ApiError } from './api-error.ts';
import {
  type GroupKind,
  groupKindName,
  type GroupResource,
  groupResourceName,
} from './resource.ts';
import {
  type FailureParts,
  failureStatus,
  type KnownStatusReason,
  type StatusReason,
} from './status.ts';
import type { StatusCause } from './types.ts';

/*
 * Errors with the Status bodies of a real server, word for word, under apimachinery's names. A
 * resource with empty group and name means no particular resource and is omitted from the message.
 */

function apiError(
  reason: KnownStatusReason,
  code: number,
  message: string,
  rest: Pick<FailureParts, 'continueToken' | 'details'> = {},
): ApiError {
  return new ApiError(failureStatus({ ...rest, reason, code, message }));
}

/** `pods "web" not found` */
export function newNotFound(resource: GroupResource, name: string): ApiError {
  return apiError('NotFound', 404, `${named(resource, name)} not found`, {
    details: about(resource, name),
  });
}

/** `pods "web" already exists` */
export function newAlreadyExists(resource: GroupResource, name: string): ApiError {
  return apiError('AlreadyExists', 409, `${named(resource, name)} already exists`, {
    details: about(resource, name),
  });
}

/** All generated names were taken; the client may retry. */
export function newGenerateNameConflict(
  resource: GroupResource,
  name: string,
  retryAfterSeconds: number,
): ApiError {
  const message = `${named(resource, name)} already exists, the server was not able to generate a unique name for the object`;
  return apiError('AlreadyExists', 409, message, {
    details: { ...about(resource, name), retryAfterSeconds },
  });
}

/** `Operation cannot be fulfilled on pods "web": …` */
export function newConflict(resource: GroupResource, name: string, detail: string): ApiError {
  const message = `Operation cannot be fulfilled on ${named(resource, name)}: ${detail}`;
  return apiError('Conflict', 409, message, { details: about(resource, name) });
}

/** Server-side apply conflicts with other managers; each field is one cause. */
export function newApplyConflict(causes: readonly StatusCause[], message: string): ApiError {
  return apiError('Conflict', 409, message, { details: { causes: [...causes] } });
}

/** 410 with the old reason Gone; servers use {@link newResourceExpired} instead. */
export function newGone(message: string): ApiError {
  return apiError('Gone', 410, message);
}

/**
 * 410: the version or page is too old. A continue token allows the client to continue
 * inconsistently.
 */
export function newResourceExpired(message: string, continueToken = ''): ApiError {
  return apiError('Expired', 410, message, { continueToken });
}

/**
 * `Pod "web" is invalid: …` with one cause per finding. The message lists equal findings once, with
 * brackets only around several; the causes keep all.
 */
export function newInvalid(
  kind: GroupKind,
  name: string,
  causes: readonly StatusCause[],
): ApiError {
  const findings = causes.map(({ field = '', message = '' }) => `${field}: ${message}`);
  const subject = `${groupKindName(kind)} ${quoteGo(name)} is invalid`;
  const message = findings.length === 0 ? subject : `${subject}: ${aggregateMessage(findings)}`;
  return apiError('Invalid', 422, message, {
    details: { name, group: kind.group, kind: kind.kind, causes: [...causes] },
  });
}

/** 400; the message stands alone. */
export function newBadRequest(message: string): ApiError {
  return apiError('BadRequest', 400, message);
}

/** `pods "web" is forbidden: …` */
export function newForbidden(resource: GroupResource, name: string, detail: string): ApiError {
  const subject = isEmpty(resource)
    ? 'forbidden'
    : `${name === '' ? groupResourceName(resource) : named(resource, name)} is forbidden`;
  return apiError('Forbidden', 403, `${subject}: ${detail}`, { details: about(resource, name) });
}

/** 401. Servers send just `Unauthorized`, without a reason. */
export function newUnauthorized(message = 'Unauthorized'): ApiError {
  return apiError('Unauthorized', 401, message);
}

/** `create is not supported on resources of kind "pods"` */
export function newMethodNotSupported(resource: GroupResource, action: string): ApiError {
  const kind = quoteGo(groupResourceName(resource));
  return apiError(
    'MethodNotAllowed',
    405,
    `${action} is not supported on resources of kind ${kind}`,
    {
      details: about(resource, ''),
    },
  );
}

/** 406, with the supported media types. */
export function newNotAcceptable(acceptedTypes: readonly string[]): ApiError {
  const message = `only the following media types are accepted: ${acceptedTypes.join(', ')}`;
  return apiError('NotAcceptable', 406, message);
}

/** 415, with the supported media types. */
export function newUnsupportedMediaType(acceptedTypes: readonly string[]): ApiError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${acceptedTypes.join(', ')}`;
  return apiError('UnsupportedMediaType', 415, message);
}

/** `Request entity too large: …` */
export function newRequestEntityTooLarge(detail: string): ApiError {
  return apiError('RequestEntityTooLarge', 413, `Request entity too large: ${detail}`);
}

/** A transient failure of an operation; the client should retry. */
export function newServerTimeout(
  resource: GroupResource,
  operation: string,
  retryAfterSeconds: number,
): ApiError {
  const message = `The ${operation} operation against ${groupResourceName(resource)} could not be completed at this time, please try again.`;
  return apiError('ServerTimeout', 500, message, {
    details: { ...about(resource, operation), retryAfterSeconds },
  });
}

/** `Timeout: …`; the operation may still take effect. */
export function newTimeoutError(detail: string, retryAfterSeconds: number): ApiError {
  return apiError('Timeout', 504, `Timeout: ${detail}`, { details: { retryAfterSeconds } });
}

/** 504 for a version that this server has not reached yet. */
export function newTooLargeResourceVersion(
  requested: number | string,
  current: number | string,
  retryAfterSeconds = 1,
): ApiError {
  const message = `Timeout: Too large resource version: ${requested}, current: ${current}`;
  const cause = { reason: 'ResourceVersionTooLarge', message: 'Too large resource version' };
  return apiError('Timeout', 504, message, { details: { causes: [cause], retryAfterSeconds } });
}

/** 429 with a delay; causes may say more, as for evictions. */
export function newTooManyRequests(
  message: string,
  retryAfterSeconds: number,
  causes: readonly StatusCause[] = [],
): ApiError {
  return apiError('TooManyRequests', 429, message, {
    details: { causes: [...causes], retryAfterSeconds },
  });
}

/** `Internal error occurred: …` */
export function newInternalError(detail: string): ApiError {
  return apiError('InternalError', 500, `Internal error occurred: ${detail}`, {
    details: { causes: [{ message: detail }] },
  });
}

/** 500 without a reason: a server's answer to an error without a Status. */
export function newUnknownError(message: string): ApiError {
  return new ApiError(failureStatus({ code: 500, message }));
}

/** 503; the message stands alone. */
export function newServiceUnavailable(message: string): ApiError {
  return apiError('ServiceUnavailable', 503, message);
}

function named(resource: GroupResource, name: string): string {
  return `${groupResourceName(resource)} ${quoteGo(name)}`;
}

function about(
  { group, resource }: GroupResource,
  name: string,
): { name: string; group: string; kind: string } {
  return { name, group, kind: resource };
}

function isEmpty({ group, resource }: GroupResource): boolean {
  return group === '' && resource === '';
}

/** A response without a Status. */
export interface GenericResponse {
  /** The HTTP code. */
  readonly code: number;
  /** The HTTP method, or a verb such as `list`. It is written in lower case. */
  readonly verb: string;
  readonly resource?: GroupResource;
  readonly name?: string;
  /** The text of the body, if it was text. */
  readonly serverMessage?: string;
  readonly retryAfterSeconds?: number;
  /** True if the body was not a Status; `isUnexpectedServerError` is then true. */
  readonly isUnexpectedResponse?: boolean;
}

interface Meaning {
  readonly reason: StatusReason;
  readonly message: string;
}

/** Returns the error for an HTTP code alone, in the words of servers and client-go. */
export function newGenericServerResponse(response: GenericResponse): ApiError {
  const { code, verb, resource, name = '', serverMessage = '' } = response;
  const { reason, message } = meaningOf(code, verb, serverMessage);
  const target =
    resource === undefined || (resource.group === '' && resource.resource === '')
      ? ''
      : ` (${[verb.toLowerCase(), groupResourceName(resource), name].filter(Boolean).join(' ')})`;
  return new ApiError(
    failureStatus({
      code,
      reason,
      message: message + target,
      details: {
        name,
        group: resource?.group ?? '',
        kind: resource?.resource ?? '',
        causes:
          response.isUnexpectedResponse === true
            ? [{ reason: 'UnexpectedServerResponse', message: serverMessage }]
            : [],
        retryAfterSeconds: response.retryAfterSeconds ?? 0,
      },
    }),
  );
}

const fixed: ReadonlyMap<number, Meaning> = new Map([
  [400, { reason: 'BadRequest', message: 'the server rejected our request for an unknown reason' }],
  [
    401,
    {
      reason: 'Unauthorized',
      message: 'the server has asked for the client to provide credentials',
    },
  ],
  [404, { reason: 'NotFound', message: 'the server could not find the requested resource' }],
  [
    405,
    {
      reason: 'MethodNotAllowed',
      message: 'the server does not allow this method on the requested resource',
    },
  ],
  [
    422,
    {
      reason: 'Invalid',
      message: 'the server rejected our request due to an error in our request',
    },
  ],
  [
    429,
    {
      reason: 'TooManyRequests',
      message: 'the server has received too many requests and has asked us to try again later',
    },
  ],
  [
    503,
    {
      reason: 'ServiceUnavailable',
      message: 'the server is currently unable to handle the request',
    },
  ],
  [
    504,
    {
      reason: 'Timeout',
      message:
        'the server was unable to return a response in the time allotted, but may still be processing the request',
    },
  ],
]);

function meaningOf(code: number, verb: string, serverMessage: string): Meaning {
  const known = fixed.get(code);
  if (known !== undefined) return known;
  switch (code) {
    case 403:
      return { reason: 'Forbidden', message: serverMessage };
    case 406:
      return {
        reason: 'NotAcceptable',
        message:
          serverMessage === '' || serverMessage === 'unknown'
            ? 'the server was unable to respond with a content type that the client supports'
            : serverMessage,
      };
    case 409:
      return {
        reason: verb === 'POST' ? 'AlreadyExists' : 'Conflict',
        message: 'the server reported a conflict',
      };
    case 415:
      return { reason: 'UnsupportedMediaType', message: serverMessage };
    default:
      return code >= 500
        ? {
            reason: 'InternalError',
            message: `an error on the server (${quoteGo(serverMessage)}) has prevented the request from succeeding`,
          }
        : {
            reason: '',
            message: `the server responded with the status code ${code} but did not return more information`,
          };
  }
}
