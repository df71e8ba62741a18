import { quoteGo } from '../lib/go-format.ts';
import { ApiError } from './api-error.ts';
import { type GroupResource, groupResourceName } from './resource.ts';
import { failureStatus, type StatusReason } from './status.ts';

/** What is known of an answer that is no Status. */
export interface GenericResponse {
  /** The HTTP code. */
  readonly code: number;
  /** The HTTP method, or a verb such as `list`. It is written in lower case. */
  readonly verb: string;
  readonly resource?: GroupResource;
  readonly name?: string;
  /** What the body said, if it was text. */
  readonly serverMessage?: string;
  readonly retryAfterSeconds?: number;
  /** True if the body was not in the API's form; `isUnexpectedServerError` then says so. */
  readonly isUnexpectedResponse?: boolean;
}

interface Meaning {
  readonly reason: StatusReason;
  readonly message: string;
}

/** The error for an HTTP code alone, in the words that servers and client-go have for it. */
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
