import { DiagnosticChannel } from '../lib/diagnostic-channel.ts';
import type { DiagnosticMessages } from '../transport/diagnostics.ts';
import type { FeedOutlet } from './feed-outlet.ts';
import type { ObservedConnection } from './observed-snapshot.ts';
import { requestInfo, type RequestInfo } from './request-info.ts';

/** A request that has not ended. */
interface Open extends RequestInfo {
  readonly reconcile: number | undefined;
  throttledMs: number;
  connection: string;
}

/** More requests than this at the same time are not followed. */
const MAX_OPEN = 10_000;

function channelOf<Name extends keyof DiagnosticMessages>(
  name: Name,
): DiagnosticChannel<DiagnosticMessages[Name]> {
  return new DiagnosticChannel(name);
}

/** The part of a feed that is about requests and connections. */
export class FeedRequests implements Disposable {
  readonly #outlet: FeedOutlet;
  readonly #reconcileOf: (request: number) => number | undefined;
  readonly #open = new Map<number, Open>();
  readonly #connections = new Map<number, ObservedConnection>();
  readonly #subscriptions: readonly Disposable[];
  readonly #limit: number;
  readonly #clients: ReadonlySet<number> | undefined;
  /** The connections that requests of `clients` were sent on. */
  readonly #used = new Set<number>();
  #left: number;
  #requests = 0;
  #failed = 0;

  constructor(
    outlet: FeedOutlet,
    {
      limit,
      reconcileOf,
      clients,
    }: {
      /** Requests per refill. */
      readonly limit: number;
      /** Notes a request for the reconcile that makes it, and returns the reconcile. */
      readonly reconcileOf: (request: number) => number | undefined;
      /** The clients whose requests are observed. Default: all. */
      readonly clients?: ReadonlySet<number> | undefined;
    },
  ) {
    this.#outlet = outlet;
    this.#reconcileOf = reconcileOf;
    this.#limit = limit;
    this.#clients = clients;
    this.#left = limit;
    this.#subscriptions = [
      channelOf('client-ts:request:start').subscribe((message) => this.#start(message)),
      channelOf('client-ts:request:throttled').subscribe(({ id, waitMs }) => {
        const open = this.#open.get(id ?? 0);
        if (open !== undefined) open.throttledMs += waitMs;
      }),
      channelOf('client-ts:request:sent').subscribe((message) => {
        const open = this.#open.get(message.id);
        if (open !== undefined) open.connection = connectionName(message);
        if (open !== undefined && clients !== undefined) this.#used.add(message.connection);
      }),
      channelOf('client-ts:request:end').subscribe((message) => this.#end(message)),
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

  refill(): void {
    this.#left = this.#limit;
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
    const openRequests = this.#open.size;
    return { requests: this.#requests, failedRequests: this.#failed, openRequests };
  }

  [Symbol.dispose](): void {
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
  }

  #start(message: DiagnosticMessages['client-ts:request:start']): void {
    const { id } = message;
    if (this.#isOther(message)) return;
    this.#requests += 1;
    const reconcile = this.#reconcileOf(id);
    if (this.#left === 0 || this.#open.size >= MAX_OPEN) {
      this.#outlet.skip(2);
      return;
    }
    this.#left -= 1;
    const info = requestInfo(message);
    this.#open.set(id, { ...info, reconcile, throttledMs: 0, connection: '' });
    this.#outlet.emit({
      type: 'request.start',
      id,
      ...info,
      ...(reconcile !== undefined && { reconcile }),
    });
  }

  #isOther({ client = 0 }: { readonly client?: number }): boolean {
    return this.#clients !== undefined && !this.#clients.has(client);
  }

  #end(message: DiagnosticMessages['client-ts:request:end']): void {
    const { id, attempts, outcome, durationMs } = message;
    if (this.#isOther(message)) return;
    const code = 'status' in outcome ? outcome.status : 0;
    if (code === 0 || code >= 400) this.#failed += 1;
    const open = this.#open.get(id);
    if (open === undefined) return;
    this.#open.delete(id);
    const { verb, resource, namespace, name, throttledMs, connection, reconcile } = open;
    this.#outlet.emit({
      type: 'request.end',
      id,
      verb,
      resource,
      namespace,
      name,
      code,
      ...('code' in outcome && { errorCode: outcome.code }),
      latencyMs: durationMs,
      retries: attempts - 1,
      throttledMs,
      connection,
      ...(reconcile !== undefined && { reconcile }),
    });
  }
}

function connectionName({
  connection,
  server,
  protocol,
}: {
  readonly connection: number;
  readonly server: string;
  readonly protocol: string;
}): string {
  return `${protocol} #${connection} ${server}`;
}
