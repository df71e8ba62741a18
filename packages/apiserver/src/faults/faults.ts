import { type Clock, OptionError, type Random, seededRandom, sleep } from 'client-ts/internal';

import { parseRequestInfo, type RequestInfo } from 'client-ts/meta';
import {
  type ApiRequest,
  type ApiResponse,
  ConnectionResetError,
  discardBody,
  type Handler,
} from '../http.ts';
import type { Fault, FaultMatch, FaultOptions } from './fault.ts';
import { applyToResponse, statusFor, untilAborted } from './response-faults.ts';

/** A fault that was added to a server. Disposing it removes the fault. */
export interface FaultHandle extends Disposable {
  /** How many requests matched, hit or not. */
  readonly matched: number;
  /** How many requests were hit. */
  readonly hits: number;
  /** Removes the fault. Streams that it has already broken stay broken. */
  remove(): void;
}

/** Returns the name of the user who makes a request, for faults that match by user. */
export type Identify = (request: ApiRequest, info: RequestInfo) => string | undefined;

export interface FaultsOptions {
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * Injects failures into requests, to test how clients cope with networks and overloaded servers.
 * Faults apply in the order in which they were added. A fault that ends a request (an error, a
 * broken connection) prevents later ones from being drawn.
 *
 * ```ts
 * using outage = server.faults.add({
 *   match: { verb: 'watch', resource: 'pods' },
 *   fault: { kind: 'reset', afterEvents: 3 },
 *   count: 1,
 * });
 * ```
 */
export class Faults {
  readonly #options: FaultsOptions;
  readonly #rules = new Set<Rule>();

  constructor(options: FaultsOptions) {
    this.#options = options;
  }

  /** Adds a fault. Throws an `OptionError` if a number is out of range. */
  add(options: FaultOptions): FaultHandle {
    const rule = new Rule(options, this.#options.random, () => this.#rules.delete(rule));
    this.#rules.add(rule);
    return rule;
  }

  /** Removes all faults. Streams that are already broken stay broken. */
  clear(): void {
    this.#rules.clear();
  }

  /** Returns the handler with fault injection. Without faults, requests go straight to it. */
  wrap(handler: Handler, identify: Identify = () => undefined): Handler {
    return (request) =>
      this.#rules.size === 0 ? handler(request) : this.#handle(handler, request, identify);
  }

  async #handle(handler: Handler, request: ApiRequest, identify: Identify): Promise<ApiResponse> {
    const info = parseRequestInfo(request.method, request.url);
    const user = (): string | undefined => userOf(request, info, identify);
    const onResponse: Fault[] = [];
    let ending: Fault | undefined;
    for (const rule of this.#rules) {
      if (ending !== undefined || !rule.draws(info, user)) continue;
      const { fault } = rule;
      if (fault.kind === 'latency')
        await sleep(this.#options.clock, rule.delay(fault.ms), { signal: request.signal });
      else if (endsRequest(fault)) ending = fault;
      else onResponse.push(fault);
    }
    if (ending !== undefined) return await endRequest(ending, handler, request);
    const { signal } = request;
    const context = { clock: this.#options.clock, signal };
    return onResponse.reduce(
      (response, fault) => applyToResponse(response, fault, context),
      await handler(request),
    );
  }
}

class Rule implements FaultHandle {
  readonly fault: Fault;
  readonly #options: FaultOptions;
  readonly #random: Random;
  readonly #onRemove: () => void;
  matched = 0;
  hits = 0;

  constructor(options: FaultOptions, random: Random, onRemove: () => void) {
    const { fault, probability = 1, after = 0, count = 0, seed } = options;
    for (const [name, value] of Object.entries({ after, count, ...numbersOf(fault) })) {
      if (!(value >= 0)) throw new OptionError(name, `${value} is negative`);
    }
    if (!(probability >= 0 && probability <= 1)) {
      throw new OptionError('probability', `${probability} is not between 0 and 1`);
    }
    this.fault = fault;
    this.#options = options;
    this.#random = seed === undefined ? random : seededRandom(seed);
    this.#onRemove = onRemove;
  }

  /** Returns whether this request is hit, and counts it. */
  draws(info: RequestInfo, user: () => string | undefined): boolean {
    const { match = {}, probability = 1, after = 0, count = Infinity } = this.#options;
    if (!matches(match, info, user)) return false;
    this.matched += 1;
    if (this.matched <= after || this.hits >= count) return false;
    if (probability < 1 && this.#random.next() >= probability) return false;
    this.hits += 1;
    return true;
  }

  delay(ms: number | readonly [min: number, max: number]): number {
    if (typeof ms === 'number') return ms;
    const [min, max] = ms;
    return min + this.#random.next() * (max - min);
  }

  remove(): void {
    this.#onRemove();
  }

  [Symbol.dispose](): void {
    this.remove();
  }
}

function numbersOf(fault: Fault): Record<string, number> {
  const entries = Object.entries(fault).filter(([, value]) => typeof value === 'number');
  return Object.fromEntries(entries);
}

/** True for faults that replace the whole response. */
function endsRequest(fault: Fault): boolean {
  if (fault.kind === 'status') return true;
  const breaks = fault.kind === 'reset' || fault.kind === 'stall';
  return breaks && 'at' in fault && fault.at !== 'after-headers';
}

async function endRequest(
  fault: Fault,
  handler: Handler,
  request: ApiRequest,
): Promise<ApiResponse> {
  const isHandled =
    fault.kind === 'status'
      ? fault.takesEffect === true
      : 'at' in fault && fault.at === 'after-handling';
  if (isHandled) discardBody(await handler(request));
  if (fault.kind === 'status') return errorResponse(fault);
  if (fault.kind === 'stall') await untilAborted(request.signal);
  throw new ConnectionResetError();
}

function errorResponse(fault: Extract<Fault, { kind: 'status' }>): ApiResponse {
  const { code, retryAfterSeconds } = fault;
  return {
    status: code,
    headers: {
      'cache-control': 'no-cache, private',
      'content-type': 'application/json',
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    },
    body: Buffer.from(`${JSON.stringify(statusFor(fault))}\n`),
  };
}

/** Invalid credentials have no user; the handler answers them with 401. */
function userOf(request: ApiRequest, info: RequestInfo, identify: Identify): string | undefined {
  try {
    return identify(request, info);
  } catch {
    return undefined;
  }
}

/** Returns whether a request matches. `user` is called only if the match has a user. */
export function matches(
  match: FaultMatch,
  info: RequestInfo,
  user: () => string | undefined,
): boolean {
  const { path, where } = match;
  return (
    isOneOf(match.verb, info.verb) &&
    isOneOf(match.group, info.group) &&
    isOneOf(match.resource, info.resource) &&
    isOneOf(match.subresource, info.subresource) &&
    isOneOf(match.namespace, info.namespace) &&
    isOneOf(match.name, info.name) &&
    (path === undefined || matchesPath(path, info.path)) &&
    (match.user === undefined || isOneOf(match.user, user() ?? '')) &&
    (where === undefined || where(info))
  );
}

function isOneOf(wanted: string | readonly string[] | undefined, actual: string): boolean {
  if (wanted === undefined) return true;
  return typeof wanted === 'string' ? wanted === actual : wanted.includes(actual);
}

function matchesPath(wanted: RegExp | string, path: string): boolean {
  // `search` ignores the position that an expression with `g` keeps between calls.
  return typeof wanted === 'string' ? wanted === path : path.search(wanted) !== -1;
}
