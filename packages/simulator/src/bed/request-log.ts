import type { ReceivedRequest } from '@client-ts/apiserver';
import { abortable, Deferred, RingBuffer, systemClock, withDeadline } from 'client-ts/internal';
import { readYaml } from 'client-ts/yaml';

import { SimulatorError } from '../simulator-error.ts';

/** Selects requests of a test bed. All fields that are set must match; a list matches any value. */
export interface RequestFilter {
  /** The name of the user, after impersonation. */
  readonly user?: string | readonly string[] | undefined;
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`. */
  readonly verb?: string | readonly string[] | undefined;
  readonly group?: string | readonly string[] | undefined;
  /** The plural: `pods`. */
  readonly resource?: string | readonly string[] | undefined;
  /** `status`; an empty text for requests to the resource itself. */
  readonly subresource?: string | readonly string[] | undefined;
  readonly namespace?: string | readonly string[] | undefined;
  readonly name?: string | readonly string[] | undefined;
  /** The HTTP status of the answer. */
  readonly status?: number | readonly number[] | undefined;
  /** Any other condition. */
  readonly where?: ((request: RecordedRequest) => boolean) | undefined;
}

/** Options of `TestBed.waitForRequest`. */
export interface WaitForRequestOptions {
  /** Default 10,000. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A request that the server of a test bed has answered. */
export class RecordedRequest {
  /** The name of the user, after impersonation; empty for unknown credentials. */
  readonly user: string;
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  /** Path and query. */
  readonly url: string;
  readonly userAgent: string;
  /** The HTTP status of the answer. */
  readonly status: number;
  readonly #received: ReceivedRequest;

  constructor(received: ReceivedRequest) {
    this.user = received.user?.name ?? '';
    this.verb = received.verb;
    this.group = received.group;
    this.version = received.version;
    this.resource = received.resource;
    this.subresource = received.subresource;
    this.namespace = received.namespace;
    this.url = received.url;
    this.userAgent = received.userAgent;
    this.status = received.status;
    this.#received = received;
  }

  /** The groups of the user. */
  get groups(): readonly string[] {
    return this.#received.user?.groups ?? [];
  }

  /** The name of the object; for a creation that of the body. Empty for lists. */
  get name(): string {
    const { name, verb } = this.#received;
    if (name !== '' || verb !== 'create') return name;
    const { metadata } = (this.body ?? {}) as { metadata?: { name?: unknown } };
    return typeof metadata?.name === 'string' ? metadata.name : '';
  }

  /** The body, parsed from JSON or YAML: an object, or the list of a JSON patch; else undefined. */
  get body(): unknown {
    const { body, contentType } = this.#received;
    if (body.length === 0 || !/json|yaml/.test(contentType)) return undefined;
    return readYaml(Buffer.from(body).toString());
  }

  /** `create pods default/web` and such, for messages. */
  toString(): string {
    const { verb, resource, subresource, namespace, name, url } = this;
    if (resource === '') return `${verb} ${url}`;
    const path = [resource, subresource].filter((part) => part !== '').join('/');
    const object = [namespace, name].filter((part) => part !== '').join('/');
    return [verb, path, object].filter((part) => part !== '').join(' ');
  }
}

/** The bodies that are kept, in bytes. */
const maxBodyBytes = 64 * 1024 * 1024;
const defaultTimeoutMs = 10_000;

interface Waiter {
  readonly filter: RequestFilter;
  readonly resolve: (request: RecordedRequest) => void;
}

/** The newest requests of a server. */
export class RequestLog {
  readonly #limit: number;
  readonly #requests = new RingBuffer<{
    readonly request: RecordedRequest;
    readonly bytes: number;
  }>();
  readonly #waiters = new Set<Waiter>();
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(received: ReceivedRequest): void {
    const request = new RecordedRequest(received);
    const bytes = received.body.length;
    this.#requests.push({ request, bytes });
    this.#bytes += bytes;
    while (this.#requests.size > this.#limit || this.#bytes > maxBodyBytes) {
      this.#bytes -= this.#requests.shift()?.bytes ?? 0;
    }
    for (const waiter of this.#waiters) {
      if (!matches(request, waiter.filter)) continue;
      this.#waiters.delete(waiter);
      waiter.resolve(request);
    }
  }

  list(filter: RequestFilter = {}): RecordedRequest[] {
    return Array.from(this.#requests, ({ request }) => request).filter((request) =>
      matches(request, filter),
    );
  }

  clear(): void {
    this.#requests.clear();
    this.#bytes = 0;
  }

  /** Resolves with the first request that matches, of those in the list or of later ones. */
  async waitFor(
    filter: RequestFilter,
    { timeoutMs = defaultTimeoutMs, signal }: WaitForRequestOptions,
  ): Promise<RecordedRequest> {
    const [first] = this.list(filter);
    if (first !== undefined) return first;
    const arrival = new Deferred<RecordedRequest>();
    const waiter: Waiter = { filter, resolve: arrival.resolve };
    this.#waiters.add(waiter);
    const reason = (): Error => this.#timeout(filter, timeoutMs);
    using either = withDeadline(signal, {
      clock: systemClock,
      timeoutMs,
      reason,
      background: false,
    });
    try {
      return await abortable(arrival.promise, either.signal);
    } finally {
      this.#waiters.delete(waiter);
    }
  }

  #timeout(filter: RequestFilter, timeoutMs: number): Error {
    const newest = this.list().slice(-5).map(String).join(', ');
    const { where, ...fields } = filter;
    const wanted = `${JSON.stringify(fields)}${where === undefined ? '' : ' and where()'}`;
    const message = `no request matches ${wanted} within ${timeoutMs} ms; the newest are: ${newest || 'none'}`;
    return new SimulatorError('SIMULATOR_REQUEST_TIMEOUT', message);
  }
}

function matches(request: RecordedRequest, filter: RequestFilter): boolean {
  const { where } = filter;
  return (
    isOneOf(filter.user, request.user) &&
    isOneOf(filter.verb, request.verb) &&
    isOneOf(filter.group, request.group) &&
    isOneOf(filter.resource, request.resource) &&
    isOneOf(filter.subresource, request.subresource) &&
    isOneOf(filter.namespace, request.namespace) &&
    (filter.name === undefined || isOneOf(filter.name, request.name)) &&
    isOneOf(filter.status, request.status) &&
    (where === undefined || where(request))
  );
}

function isOneOf<T extends number | string>(
  wanted: T | readonly T[] | undefined,
  actual: T,
): boolean {
  if (wanted === undefined) return true;
  return Array.isArray(wanted) ? wanted.includes(actual) : wanted === actual;
}
