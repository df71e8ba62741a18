import type { CachedObject, ListedEvent, WatchRequest } from '../cache/list-watch.ts';
import { TestSource } from '../cache/test-source.ts';
import { newForbidden, newNotFound } from '../meta/error-factories.ts';
import type { Status } from '../meta/types.ts';
import type { Transport, TransportRequest, TransportResponse } from '../transport/transport.ts';

/** A collection that a {@link TestApi} serves. */
export class TestCollection extends TestSource {
  /** The kind of its objects. */
  readonly apiVersion: string;
  readonly kind: string;
  /** If set, the answer to every request. */
  refusal: Status | undefined;

  constructor(type: string) {
    super();
    [this.apiVersion = '', this.kind = ''] = type.split(' ');
  }
}

/** An API server of a few collections, each with its history, without sockets. */
export class TestApi implements Transport {
  /** The requests by path and query, without their random timeouts. */
  readonly requests: string[] = [];
  readonly accepts: string[] = [];
  readonly #collections = new Map<string, TestCollection>();

  serve(path: string, type = 'v1 ConfigMap'): TestCollection {
    const collection = new TestCollection(type);
    this.#collections.set(path, collection);
    return collection;
  }

  /** How many watches are open. */
  get openWatches(): number {
    const open = Array.from(this.#collections.values(), ({ openWatches }) => openWatches);
    return open.reduce((sum, count) => sum + count, 0);
  }

  async request({ path, headers, signal }: TransportRequest): Promise<TransportResponse> {
    signal?.throwIfAborted();
    const { pathname, searchParams: query } = new URL(path, 'http://test');
    query.delete('timeoutSeconds');
    this.requests.push(query.size === 0 ? pathname : `${pathname}?${query.toString()}`);
    this.accepts.push(String(headers['accept']));
    const collection = this.#collections.get(pathname);
    if (collection === undefined) {
      return answer(newNotFound({ group: '', resource: pathname }, '').status);
    }
    if (collection.refusal !== undefined) return answer(collection.refusal);
    return query.get('watch') === 'true'
      ? await watch(collection, query, signal)
      : await list(collection, query);
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

/** The answer to a forbidden list. */
export const forbidden: Status = newForbidden(
  { group: '', resource: 'secrets' },
  '',
  'no rights',
).status;

async function list(
  collection: TestCollection,
  query: URLSearchParams,
): Promise<TransportResponse> {
  const { apiVersion, kind } = collection;
  const limit = query.get('limit');
  const { items, metadata } = await collection.list(limit === null ? {} : { limit: Number(limit) });
  return answer({ apiVersion, kind: `${kind}List`, metadata: { ...metadata }, items });
}

async function watch(
  collection: TestCollection,
  query: URLSearchParams,
  signal: AbortSignal = new AbortController().signal,
): Promise<TransportResponse> {
  const request: WatchRequest = {
    allowWatchBookmarks: true,
    timeoutSeconds: 300,
    resourceVersion: query.get('resourceVersion') ?? '',
    signal,
    ...(query.get('sendInitialEvents') === 'true' && { sendInitialEvents: true }),
  };
  const events = await collection.watch(request);
  return { status: 200, headers: json, body: frames(collection, events) };
}

async function* frames(
  { apiVersion, kind }: TestCollection,
  events: AsyncIterable<ListedEvent<CachedObject>>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const { type, object } of events) {
    // Events that a test sends may be of any kind; written objects have that of the collection.
    const isOwn = type !== 'ERROR' && (object.kind ?? 'ConfigMap') === 'ConfigMap';
    const typed = isOwn ? { ...object, apiVersion, kind } : object;
    yield Buffer.from(`${JSON.stringify({ type, object: typed })}\n`);
  }
}

const json = { 'content-type': 'application/json' };

function answer(body: object): TransportResponse {
  const { code = 200 } = body as { readonly code?: number };
  return { status: code, headers: json, body: once(Buffer.from(JSON.stringify(body))) };
}

async function* once(chunk: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield chunk;
}
