import { ClientError, type ClientErrorOptions, defineErrors } from '../lib/errors.ts';
import type { FailedRequest } from '../meta/api-error.ts';
import { projectedPaths } from '../meta/projection.ts';
import type { GroupVersionResource } from '../meta/resource.ts';
import type { KubernetesObject } from '../meta/types.ts';

/** Every error that the request engine raises itself, and what to do about it. Codes are stable. */
export const REST_ERRORS = {
  REST_LIST_ENDLESS: {
    retry: 'never',
    hint: 'The server, or a proxy in front of it, pages incorrectly; list without pages (limit 0).',
  },
  REST_OBJECT_PROJECTED: {
    retry: 'never',
    hint: 'Read the whole object with get() and change that, or patch only the fields that change.',
  },
  REST_NOT_UPGRADED: {
    retry: 'never',
    hint: 'Streams need a connection to a server: check for a proxy that removes the header Upgrade; a transport in the same process has none.',
  },
  REST_REQUEST_INVALID: {
    retry: 'never',
    hint: 'Correct the call; nothing was sent.',
  },
  REST_RESPONSE_EMPTY: {
    retry: 'never',
    hint: 'Read it with raw(), or check for a proxy between this program and the server.',
  },
  REST_RESPONSE_TOO_LARGE: {
    retry: 'never',
    hint: 'Ask for less with limit or a selector, or raise maxResponseBytes in the config or the request.',
  },
  REST_RESPONSE_UNREADABLE: {
    retry: 'never',
    hint: 'Check the address and port of the server, and proxies on the way to it.',
  },
  REST_WATCH_EVENT_INVALID: {
    retry: 'never',
    hint: 'List again and watch from there; the stream cannot be trusted further.',
  },
  REST_WATCH_OVERDUE: {
    retry: 'later',
    hint: 'The connection is probably dead: watch again from the last resourceVersion.',
  },
} as const;

/** The codes of {@link RestError}. */
export type RestErrorCode = keyof typeof REST_ERRORS;

/** Options of a {@link RestError}. */
export interface RestErrorOptions extends ClientErrorOptions {
  readonly request?: FailedRequest | undefined;
}

/**
 * An invalid request, or a response that cannot be used. A refusal of the server is an `ApiError`,
 * a failed connection a `TransportError`.
 */
export class RestError extends ClientError {
  declare readonly code: RestErrorCode;
  /** The request that failed, if one was sent. */
  readonly request: FailedRequest | undefined;

  constructor(code: RestErrorCode, message: string, options: RestErrorOptions = {}) {
    super(code, message, options);
    this.request = options.request;
  }

  static {
    defineErrors(this, 'RestError', 'REST', REST_ERRORS);
  }
}

/** Returns the error for an invalid call. The message names the argument. */
export function invalidRequest(message: string, hint?: string): RestError {
  return new RestError('REST_REQUEST_INVALID', message, { hint });
}

/** Throws if an object has only the fields of a projection: written, it would lose all others. */
export function checkWhole(object: object): void {
  const paths = projectedPaths(object);
  if (paths === undefined) return;
  const { kind = 'the object', metadata } = object as KubernetesObject;
  const fields = paths.map((path) => JSON.stringify(path)).join(', ');
  throw new RestError(
    'REST_OBJECT_PROJECTED',
    `${kind} ${JSON.stringify(metadata?.name ?? '')} is from a cache of ${fields} and cannot be written as a whole`,
  );
}

/*
 * Checks of arguments that the compiler checks in TypeScript and nothing checks in JavaScript. A
 * variable that was never set must not become a TypeError deep in the library.
 */

/** Throws unless the options are an object and their signal is an AbortSignal. */
export function checkOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null) {
    throw invalidRequest(`the options must be an object, not ${typeName(options)}`);
  }
  const signal: unknown = Reflect.get(options, 'signal');
  if (signal === undefined) return;
  if (typeof Reflect.get(Object(signal), 'addEventListener') !== 'function') {
    throw invalidRequest(`the signal must be an AbortSignal, not ${typeName(signal)}`);
  }
}

/** Throws unless the value is an object. */
export function checkObject(value: unknown, what: string): void {
  if (typeof value === 'object' && value !== null) return;
  throw invalidRequest(`${what} must be an object, not ${typeName(value)}`);
}

/** Throws unless the value is a string. */
export function checkText(value: unknown, what: string): void {
  if (typeof value === 'string') return;
  throw invalidRequest(`the ${what} must be a string, not ${typeName(value)}`);
}

/** Throws unless the value names a resource. */
export function checkResource(resource: unknown): void {
  checkObject(resource, 'the resource');
  const { group, version, resource: name } = resource as Partial<GroupVersionResource>;
  if (typeof group === 'string' && typeof version === 'string' && typeof name === 'string') return;
  throw invalidRequest(
    'the resource must have a group, a version and a resource, each a string',
    "Pass a descriptor, or { group: 'apps', version: 'v1', resource: 'deployments' }.",
  );
}

/** Names the type of a value without its contents. */
function typeName(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
