import { isJsonObject } from '../lib/json.ts';
import type { Open, Status, StatusCause, StatusDetails } from './types.ts';

/** The reasons that API servers give; anything else counts as unknown and the HTTP code decides. */
export type KnownStatusReason =
  | 'AlreadyExists'
  | 'BadRequest'
  | 'Conflict'
  | 'Expired'
  | 'Forbidden'
  | 'Gone'
  | 'InternalError'
  | 'Invalid'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'NotFound'
  | 'RequestEntityTooLarge'
  | 'ServerTimeout'
  | 'ServiceUnavailable'
  | 'StorageReadError'
  | 'Timeout'
  | 'TooManyRequests'
  | 'Unauthorized'
  | 'UnsupportedMediaType';

/** Why a request failed, in one word. The empty string means that the server gave none. */
export type StatusReason = Open<KnownStatusReason | ''>;

/** The kinds of `details.causes[].reason`. */
export type StatusCauseType = Open<
  | 'FieldManagerConflict'
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueInvalid'
  | 'FieldValueNotFound'
  | 'FieldValueNotSupported'
  | 'FieldValueRequired'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'InternalError'
  | 'ResourceVersionTooLarge'
  | 'UnexpectedServerResponse'
>;

/** True for a decoded `Status` object. Other groups have kinds of the same name; they do not count. */
export function isStatus(value: unknown): value is Status {
  return (
    isJsonObject(value) &&
    value['kind'] === 'Status' &&
    (value['apiVersion'] === 'v1' || value['apiVersion'] === 'meta.k8s.io/v1')
  );
}

/** The parts of a failure that differ from one to the next. */
export interface FailureParts {
  readonly code: number;
  readonly message: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  /** Goes to `metadata.continue`: where to go on after an expired page. */
  readonly continueToken?: string;
}

/** A failure Status with its fields present, absent and ordered as a server writes them. */
export function failureStatus({
  code,
  message,
  reason = '',
  details,
  continueToken = '',
}: FailureParts): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: continueToken === '' ? {} : { continue: continueToken },
    status: 'Failure',
    message,
    ...(reason === '' ? {} : { reason }),
    ...(details === undefined ? {} : { details: compactDetails(details) }),
    code,
  };
}

function compactDetails(details: StatusDetails): StatusDetails {
  const { name = '', group = '', kind = '', uid = '', causes = [] } = details;
  const { retryAfterSeconds = 0 } = details;
  return {
    ...(name === '' ? {} : { name }),
    ...(group === '' ? {} : { group }),
    ...(kind === '' ? {} : { kind }),
    ...(uid === '' ? {} : { uid }),
    ...(causes.length === 0 ? {} : { causes: causes.map(compactCause) }),
    ...(retryAfterSeconds === 0 ? {} : { retryAfterSeconds }),
  };
}

function compactCause({ reason = '', message = '', field = '' }: StatusCause): StatusCause {
  return {
    ...(reason === '' ? {} : { reason }),
    ...(message === '' ? {} : { message }),
    ...(field === '' ? {} : { field }),
  };
}
