import { getKey, isJsonObject, type JsonObject, type JsonValue, setKey } from '../lib/json.ts';
import type { Open, Status, StatusCause, StatusDetails } from './types.ts';

/** The reasons that API servers send. For any other reason, the HTTP code decides. */
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

/** Why a request failed, in one word. Empty if the server sent none. */
export type StatusReason = Open<KnownStatusReason | ''>;

/** The values of `details.causes[].reason`. */
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

/** True for a decoded `Status` of `meta/v1`; false for kinds of that name in other groups. */
export function isStatus(value: unknown): value is Status {
  return (
    isJsonObject(value) &&
    value['kind'] === 'Status' &&
    (value['apiVersion'] === 'v1' || value['apiVersion'] === 'meta.k8s.io/v1')
  );
}

/** Returns the value without its invalid parts, or undefined if the value itself is invalid. */
type Clean = (value: unknown) => unknown;

const text: Clean = (value) => (typeof value === 'string' ? value : undefined);
const count: Clean = (value) => (typeof value === 'number' && value >= 0 ? value : undefined);

function objectOf(fields: Readonly<Record<string, Clean>>): Clean {
  return (value) => {
    if (!isJsonObject(value)) return undefined;
    let cleaned: JsonObject | undefined;
    for (const [key, clean] of Object.entries(fields)) {
      const before = getKey(value, key);
      const after = before === undefined ? undefined : clean(before);
      if (after === before) continue;
      cleaned ??= { ...value };
      if (after === undefined) delete cleaned[key];
      else setKey(cleaned, key, after as JsonValue);
    }
    return cleaned ?? value;
  };
}

function listOf(clean: Clean): Clean {
  return (value) => {
    if (!Array.isArray(value)) return undefined;
    const items = value.map(clean);
    if (items.every((item, index) => item === value[index])) return value;
    return items.filter((item) => item !== undefined);
  };
}

const cleanStatus = objectOf({
  status: text,
  message: text,
  reason: text,
  code: count,
  metadata: objectOf({ continue: text, resourceVersion: text }),
  details: objectOf({
    name: text,
    group: text,
    kind: text,
    uid: text,
    retryAfterSeconds: count,
    causes: listOf(objectOf({ reason: text, message: text, field: text })),
  }),
});

/**
 * Returns a Status without the fields that have a wrong type, so that the types hold for whatever a
 * server or proxy sends: a `retryAfterSeconds` of `"abc"` or `-1` is removed. A valid Status is
 * returned itself.
 */
export function wellTypedStatus(status: Status): Status {
  return cleanStatus(status) as Status;
}

/** Options of {@link failureStatus}. */
export interface FailureParts {
  readonly code: number;
  readonly message: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  /** The value of `metadata.continue`: where to continue after an expired page. */
  readonly continueToken?: string;
}

/** Returns a failure Status with the fields in a server's order; empty ones are omitted. */
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
