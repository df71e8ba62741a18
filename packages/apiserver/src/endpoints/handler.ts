import {
  ApiError,
  newBadRequest,
  newInternalError,
  newRequestEntityTooLarge,
  newTimeoutError,
  parseRequestInfo,
  type RequestInfo,
  type Status,
} from 'client-ts/meta';

import type { Authenticator } from '../auth/authenticate.ts';
import type { Authorizer } from '../auth/authorize.ts';
import {
  type ApiRequest,
  type ApiResponse,
  BodyTooLargeError,
  discardBody,
  type Handler,
  IncompleteBodyError,
} from '../http.ts';
import { DataError } from '../store/data-error.ts';
import { durationProblem } from '../validation/go-duration.ts';
import { compress } from './compression.ts';
import { type Core, type Exchange, respond, preferencesOf } from './exchange.ts';
import { negotiateError } from './negotiation.ts';
import { type ReceivedRequest, RequestReport } from './received-request.ts';
import { route } from './route.ts';
import { boundedStatus } from './status-limits.ts';

/** The dependencies of the API handler. */
export interface HandlerOptions {
  readonly core: Core;
  readonly authenticate: Authenticator;
  readonly authorize: Authorizer;
  /** Called with defects of the server itself, which clients see as a 500. */
  readonly onError: (error: unknown) => void;
  /** Called with each request, when its answer is known and before it is sent. */
  readonly onRequest?: ((request: ReceivedRequest) => void) | undefined;
}

/**
 * Returns the API as one function from request to response. A response may show any write that
 * happened before, also if it refuses a request as a conflict: none is given before all of them are
 * durable.
 */
export function createHandler(options: HandlerOptions): Handler {
  const { core, onError, onRequest } = options;
  const handle = async (request: ApiRequest, report?: RequestReport): Promise<ApiResponse> => {
    const response = await respondTo(options, request, report);
    const saved = core.store.durable();
    if (saved === undefined) return response;
    try {
      await saved;
      return response;
    } catch (error) {
      discardBody(response);
      return failure(request, [], error, onError);
    }
  };
  if (onRequest === undefined) return (request) => handle(request);
  return async (request) => {
    const report = new RequestReport(request);
    const response = await handle(report.observed(), report);
    onRequest(report.answered(response.status));
    return response;
  };
}

async function respondTo(
  options: HandlerOptions,
  request: ApiRequest,
  report: RequestReport | undefined,
): Promise<ApiResponse> {
  let info: RequestInfo;
  try {
    info = parseRequestInfo(request.method, request.url);
    report?.identify(info);
  } catch (error) {
    return withoutSniffing(failure(request, [], error, options.onError));
  }
  const { metrics } = options.core;
  return await metrics.measure(request, info, () => answer(options, request, info, report));
}

async function answer(
  { core, authenticate, authorize, onError }: HandlerOptions,
  request: ApiRequest,
  info: RequestInfo,
  report: RequestReport | undefined,
): Promise<ApiResponse> {
  const warnings: string[] = [];
  let progress: 'new' | 'known' | 'admitted' = 'new';
  let flow: Readonly<Record<string, string>> = {};
  try {
    const user = authenticate(request, info);
    report?.identify(info, user);
    progress = 'known';
    flow = core.flows.headersFor(user, info);
    const exchange: Exchange = { core, request, info, user, warnings, floats: [] };
    checkTimeout(info.query.get('timeout'));
    authorize(exchange);
    progress = 'admitted';
    return withHeaders(await compress(request, await route(exchange)), flow);
  } catch (error) {
    const response = withHeaders(failure(request, warnings, error, onError), flow);
    return isRefusal(progress, response.status) ? withoutSniffing(response) : response;
  }
}

function withHeaders(
  response: ApiResponse,
  headers: Readonly<Record<string, string>>,
): ApiResponse {
  return { ...response, headers: { ...response.headers, ...headers } };
}

function withoutSniffing(response: ApiResponse): ApiResponse {
  return withHeaders(response, { 'x-content-type-options': 'nosniff' });
}

/**
 * Responses of the authentication and authorization filters carry a `nosniff` header; those of the
 * API itself do not.
 */
function isRefusal(progress: 'admitted' | 'known' | 'new', status: number): boolean {
  return progress === 'new'
    ? status === 400 || status === 403
    : progress === 'known' && status === 403;
}

function failure(
  request: ApiRequest,
  warnings: string[],
  error: unknown,
  onError: (error: unknown) => void,
): ApiResponse {
  const status = boundedStatus(statusOf(error, onError));
  const representation = negotiateError(preferencesOf(request));
  const {
    status: code,
    headers,
    body,
  } = respond({ warnings }, status.code ?? 500, status, representation);
  const retryAfter = status.details?.retryAfterSeconds ?? 0;
  return {
    status: code,
    headers: {
      ...headers,
      ...(retryAfter > 0 && { 'retry-after': String(retryAfter) }),
    },
    ...(request.method !== 'HEAD' && body !== undefined && { body }),
  };
}

function statusOf(error: unknown, onError: (error: unknown) => void): Status {
  if (error instanceof ApiError) return error.status;
  if (error instanceof BodyTooLargeError) {
    return newRequestEntityTooLarge(`limit is ${error.limit}`).status;
  }
  if (error instanceof IncompleteBodyError) {
    return error.reason === 'aborted'
      ? newBadRequest('unexpected EOF').status
      : newTimeoutError('request did not complete within the allotted timeout', 0).status;
  }
  // The store reports its failures itself, once for all requests.
  if (!(error instanceof DataError)) onError(error);
  return newInternalError(error instanceof Error ? error.message : String(error)).status;
}

/**
 * Validates the `timeout` parameter of a request. Requests here are answered immediately or are
 * watches with their own timeout, so a valid value has no effect.
 */
export function checkTimeout(text: string | null): void {
  if (text === null || text === '') return;
  const problem = durationProblem(text);
  if (problem === undefined) return;
  throw newBadRequest(`invalid timeout specified in the request URL - ${problem}`);
}
