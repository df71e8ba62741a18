import { DiagnosticChannel } from '../lib/diagnostic-channel.ts';
import {
  type DiagnosedRequest,
  type DiagnosticMessages,
  type RequestEnd,
  type RequestListener,
  requestListeners,
} from '../transport/diagnostics.ts';
import type { ConnectionName, RequestTrace } from '../transport/transport.ts';
import type { Allowance } from './feed-allowance.ts';
import type { FeedOutlet, Unfinished } from './feed-outlet.ts';
import type { RequestEndRecord, RequestHeadRecord, RequestStartRecord } from './observed-record.ts';
import type { ObservedConnection } from './observed-snapshot.ts';
import { requestInfo, type RequestInfo } from './request-info.ts';

/** A recorded request that has not ended. */
interface Open {
  readonly info: RequestInfo;
  readonly reconcile: number | undefined;
}

/** The record of the head of a stream or of the end of a request, while it is made. */
type Answered<Type extends 'request.end' | 'request.head'> = {
  -readonly [Name in keyof RequestHeadRecord]: Name extends 'type' ? Type : RequestHeadRecord[Name];
};

/** More requests than this at the same time are not recorded. */
const MAX_OPEN = 10_000;

/** How many paths are remembered: a controller asks for the same objects again and again. */
const MAX_INFOS = 1000;

function channelOf<Name extends keyof DiagnosticMessages>(
  name: Name,
): DiagnosticChannel<DiagnosticMessages[Name]> {
  return new DiagnosticChannel(name);
}

/** The part of a feed that is about requests and connections. */
export class FeedRequests implements Disposable, RequestListener {
  readonly #outlet: FeedOutlet;
  readonly #reconcileOf: (request: number) => number | undefined;
  readonly #recorded = new Map<number, Open>();
  /** The streams that are open, recorded or not. */
  readonly #streams = new Map<number, RequestEnd>();
  readonly #infos = new Map<
    string,
    { readonly request: DiagnosedRequest; readonly info: RequestInfo }
  >();
  readonly #connections = new Map<number, ObservedConnection>();
  readonly #subscriptions: readonly Disposable[];
  readonly #allowance: Allowance;
  readonly #clients: ReadonlySet<number> | undefined;
  /** The connections that requests of `clients` were sent on. */
  readonly #used = new Set<number>();
  #requests = 0;
  #failed = 0;
  #ended = 0;
  /** The first request: those before it began before the feed did. */
  #first = 0;

  constructor(
    outlet: FeedOutlet,
    {
      allowance,
      reconcileOf,
      clients,
    }: {
      readonly allowance: Allowance;
      /** Notes a request for the reconcile that makes it, and returns the reconcile. */
      readonly reconcileOf: (request: number) => number | undefined;
      /** The clients whose requests are observed. Default: all. */
      readonly clients?: ReadonlySet<number> | undefined;
    },
  ) {
    this.#outlet = outlet;
    this.#reconcileOf = reconcileOf;
    this.#allowance = allowance;
    this.#clients = clients;
    requestListeners.add(this);
    this.#subscriptions = [
      channelOf('client-ts:connection:open').subscribe((message) => {
        const openedAt = outlet.clock.now();
        const { connection, server } = message;
        const shown = { connection: connectionName(message), server, openedAt };
        this.#connections.set(connection, shown);
      }),
      channelOf('client-ts:connection:close').subscribe(({ connection }) => {
        this.#connections.delete(connection);
        this.#used.delete(connection);
      }),
    ];
  }

  refill(granted: number): void {
    this.#allowance.add(granted);
  }

  get connections(): ObservedConnection[] {
    if (this.#clients === undefined) return [...this.#connections.values()];
    return [...this.#connections].flatMap(([id, shown]) => (this.#used.has(id) ? [shown] : []));
  }

  get totals(): {
    readonly requests: number;
    readonly failedRequests: number;
    readonly openRequests: number;
  } {
    const openRequests = this.#requests - this.#ended;
    return { requests: this.#requests, failedRequests: this.#failed, openRequests };
  }

  [Symbol.dispose](): void {
    requestListeners.delete(this);
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
  }

  started(request: DiagnosedRequest): boolean {
    if (this.#isOther(request)) return false;
    const { id } = request;
    this.#requests += 1;
    if (this.#first === 0) this.#first = id;
    const reconcile = this.#reconcileOf(id);
    if (this.#allowance.left === 0 || this.#recorded.size >= MAX_OPEN) {
      this.#outlet.skip(2);
      // Which connections they use is shown, so that is wanted of all.
      return this.#clients !== undefined;
    }
    this.#allowance.take();
    const info = this.#infoOf(request);
    this.#recorded.set(id, { info, reconcile });
    const record: Unfinished<RequestStartRecord> = {
      at: this.#outlet.clock.now(),
      seq: this.#outlet.nextSeq(),
      type: 'request.start',
      id,
      verb: info.verb,
      resource: info.resource,
      namespace: info.namespace,
      name: info.name,
    };
    if (reconcile !== undefined) record.reconcile = reconcile;
    this.#outlet.emitRecord(record);
    return true;
  }

  opened(request: DiagnosedRequest, end: RequestEnd, trace: RequestTrace | undefined): void {
    if (this.#isOther(request)) return;
    this.#noteUse(trace?.connection);
    this.#streams.set(request.id, end);
    const open = this.#recorded.get(request.id);
    if (open === undefined) return;
    const record = this.#recordOf('request.head', request.id, open, end, trace);
    this.#outlet.emitRecord(record);
  }

  ended(request: DiagnosedRequest, end: RequestEnd, trace: RequestTrace | undefined): void {
    if (this.#isOther(request)) return;
    const { id } = request;
    const head = request.stream ? this.#streams.get(id) : undefined;
    if (head !== undefined) this.#streams.delete(id);
    if (this.#first !== 0 && id >= this.#first) this.#ended += 1;
    const code = codeOf(head ?? end);
    if (code === 0 || code >= 400) this.#failed += 1;
    this.#noteUse(trace?.connection);
    const open = this.#recorded.get(id);
    if (open === undefined) return;
    this.#recorded.delete(id);
    const record: Unfinished<RequestEndRecord> = this.#recordOf(
      'request.end',
      id,
      open,
      head ?? end,
      trace,
    );
    if (head !== undefined) record.openMs = end.durationMs - head.durationMs;
    if ('code' in end.outcome) record.errorCode = end.outcome.code;
    this.#outlet.emitRecord(record);
  }

  #recordOf<Type extends 'request.end' | 'request.head'>(
    type: Type,
    id: number,
    { info, reconcile }: Open,
    end: RequestEnd,
    trace: RequestTrace | undefined,
  ): Answered<Type> {
    const connection = trace?.connection;
    const record: Answered<Type> = {
      at: this.#outlet.clock.now(),
      seq: this.#outlet.nextSeq(),
      type,
      id,
      verb: info.verb,
      resource: info.resource,
      namespace: info.namespace,
      name: info.name,
      code: codeOf(end),
      latencyMs: end.durationMs,
      retries: end.attempts - 1,
      throttledMs: trace?.throttledMs ?? 0,
      connection: connection === undefined ? '' : connectionName(connection),
    };
    if (reconcile !== undefined) record.reconcile = reconcile;
    return record;
  }

  /** Returns what a request is about: by its path, if the last request to it was of the same kind. */
  #infoOf(request: DiagnosedRequest): RequestInfo {
    const { method, path, stream, contentType, createdName } = request;
    const known = this.#infos.get(path);
    const isKnown =
      known?.request.method === method &&
      known.request.stream === stream &&
      known.request.contentType === contentType &&
      known.request.createdName === createdName;
    if (isKnown) return known.info;
    const info = requestInfo(request);
    if (this.#infos.size >= MAX_INFOS) this.#infos.clear();
    this.#infos.set(path, { request, info });
    return info;
  }

  #noteUse(name: ConnectionName | undefined): void {
    if (this.#clients === undefined || name === undefined) return;
    if (this.#connections.has(name.connection)) this.#used.add(name.connection);
  }

  #isOther({ client = 0 }: { readonly client?: number }): boolean {
    return this.#clients !== undefined && !this.#clients.has(client);
  }
}

function connectionName({ connection, server, protocol }: ConnectionName): string {
  return `${protocol} #${connection} ${server}`;
}

/** Returns the status of the response; 0 if there was none. */
function codeOf({ outcome }: RequestEnd): number {
  return 'status' in outcome ? outcome.status : 0;
}
