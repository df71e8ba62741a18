import { ApiError } from 'client-ts/meta';

import type { ApiResponse } from '../http.ts';
import type { RequestInfo } from './request-info.ts';

/** Nothing like this path is served: the answer of the web server, not of the API. */
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

/** The path looks like one of a resource, but cannot be read as such: a real server gives up. */
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

/** The group is served, but not this version or resource of it. */
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

/** A Status that names no object: its details are there, and empty. */
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
