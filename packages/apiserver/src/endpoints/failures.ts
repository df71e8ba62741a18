import { ApiError, type RequestInfo } from 'client-ts/meta';

import type { ApiResponse } from '../http.ts';

/** The 404 of the web server, for paths that the API does not know. */
export function pageNotFound(): ApiResponse {
  return {
    status: 404,
    headers: {
      'cache-control': 'no-cache, private',
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
    },
    body: Buffer.from('404 page not found\n'),
  };
}

/**
 * The response to a path that looks like a resource but cannot be parsed, as a real server sends
 * it.
 */
export function unreadableRequest({ path, problem }: RequestInfo): ApiResponse {
  const text = `Internal Server Error: ${JSON.stringify(path)}: failed to create RequestInfo: ${problem}\n`;
  return {
    status: 500,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
    },
    body: Buffer.from(text),
  };
}

/** The 404 for an unknown version or resource of a served group. */
export function resourceNotFound(): ApiError {
  return plainFailure(404, 'NotFound', 'the server could not find the requested resource');
}

export function methodNotAllowed(): ApiError {
  return plainFailure(
    405,
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
  );
}

/** Returns the Status of an error that a real server does not explain further. */
export function unexplainedFailure(message: string): ApiError {
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    code: 500,
  });
}

/** Returns a Status without an object: its details are present but empty. */
export function plainFailure(code: number, reason: string, message: string): ApiError {
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    details: {},
    code,
  });
}
