import { createHash } from 'node:crypto';
import { compareResourceVersions, isResourceVersion } from 'client-ts/meta';
import type { CollectedEvent } from './collected-event.ts';
import { CollectorError } from './collector-error.ts';
import type { CollectorSink, Gap, Position, Rejection } from './collector-sink.ts';
import type { SearchTransport } from './search-client.ts';

/** Options of a {@link SearchSink}. */
export interface SearchSinkOptions {
  readonly name: string;
  readonly transport: SearchTransport;
  /** The prefix of the indices, or the name of the data stream. Default `kubernetes-events`. */
  readonly prefix?: string | undefined;
  /** Use one data stream instead of daily indices. Default false. */
  readonly dataStream?: boolean | undefined;
}

/** The result for one document of a bulk request. */
interface BulkItem {
  readonly status: number;
  readonly error?: { readonly type?: string; readonly reason?: string } | string;
}

/** A search hit. */
interface Hit {
  readonly _index: string;
  readonly _id: string;
  readonly _seq_no: number;
  readonly _primary_term: number;
  readonly _source: { readonly resourceVersion?: string };
}

/** An action line of a bulk request, and its event. */
interface Operation {
  readonly action: string;
  readonly event: CollectedEvent;
}

/**
 * Stores events in Elasticsearch or OpenSearch with bulk requests, each under its uid.
 *
 * Daily indices contain the events that the API server first stored on that day, so that all states
 * of an event are in one index. The resourceVersion is the document version: the search server
 * itself rejects older states. In a data stream, which is append-only, an existing event is looked
 * up and updated in its backing index.
 */
export class SearchSink implements CollectorSink {
  readonly name: string;
  readonly #transport: SearchTransport;
  readonly #prefix: string;
  readonly #isDataStream: boolean;
  #isPrepared = false;

  constructor({ name, transport, prefix, dataStream }: SearchSinkOptions) {
    this.name = name;
    this.#transport = transport;
    this.#prefix = prefix ?? 'kubernetes-events';
    this.#isDataStream = dataStream ?? false;
  }

  async write(
    batch: readonly CollectedEvent[],
    _position: Position | undefined,
  ): Promise<readonly Rejection[]> {
    if (batch.length === 0) return [];
    await this.#prepare();
    const rejections: Rejection[] = [];
    const there: CollectedEvent[] = [];
    const operations = batch.map((event) => ({ action: this.#actionFor(event), event }));
    for (const { item, event } of await this.#bulk(operations)) {
      if (item.status === 409) there.push(event);
      else if (item.status >= 300) rejections.push({ event, reason: reasonOf(item) });
    }
    // With external versions, a conflict means that the stored state is as new.
    if (this.#isDataStream && there.length > 0) rejections.push(...(await this.#replace(there)));
    return rejections;
  }

  async recordGap(gap: Gap): Promise<void> {
    await this.#prepare();
    const id = createHash('sha256').update(JSON.stringify(gap)).digest('hex').slice(0, 32);
    const path = `/${encodeURIComponent(`${this.#prefix}-gaps`)}/_doc/${id}`;
    await this.#ask('PUT', path, { '@timestamp': gap.to, ...gap });
  }

  /** Closes the transport. */
  async close(): Promise<void> {
    await this.#transport.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #prepare(): Promise<void> {
    if (this.#isPrepared) return;
    const path = `/_index_template/${encodeURIComponent(this.#prefix)}`;
    await this.#ask('PUT', path, indexTemplate(this.#prefix, this.#isDataStream));
    this.#isPrepared = true;
  }

  #actionFor({ uid, resourceVersion, createdAt }: CollectedEvent): string {
    if (this.#isDataStream) {
      return JSON.stringify({ create: { _index: this.#prefix, _id: uid } });
    }
    const place = { _index: `${this.#prefix}-${createdAt.slice(0, 10)}`, _id: uid };
    if (!isResourceVersion(resourceVersion)) return JSON.stringify({ index: place });
    // As digits, because it may exceed the range of JavaScript numbers.
    const version = `"version":${resourceVersion},"version_type":"external_gte"`;
    return `{"index":{${JSON.stringify(place).slice(1, -1)},${version}}}`;
  }

  /** Documents of a data stream can only be updated in their backing index. */
  async #replace(events: readonly CollectedEvent[]): Promise<Rejection[]> {
    const stream = encodeURIComponent(this.#prefix);
    // Recent writes are found only after a refresh.
    await this.#ask('POST', `/${stream}/_refresh`);
    const answer = await this.#ask('POST', `/${stream}/_search`, {
      query: { ids: { values: events.map(({ uid }) => uid) } },
      size: events.length,
      seq_no_primary_term: true,
      _source: ['resourceVersion'],
    });
    const { hits } = answer as { readonly hits: { readonly hits: readonly Hit[] } };
    const found = new Map(hits.hits.map((hit) => [hit._id, hit]));
    const operations: Operation[] = [];
    for (const event of events) {
      const hit = found.get(event.uid);
      if (hit === undefined)
        throw this.#failed(`the event ${event.uid} is there and cannot be found`);
      if (!isNewer(event, hit._source.resourceVersion)) continue;
      const { _index, _id, _seq_no: if_seq_no, _primary_term: if_primary_term } = hit;
      const action = JSON.stringify({ index: { _index, _id, if_seq_no, if_primary_term } });
      operations.push({ action, event });
    }
    const rejections: Rejection[] = [];
    for (const { item, event } of await this.#bulk(operations)) {
      if (item.status === 409) throw this.#failed(`the event ${event.uid} changed meanwhile`);
      if (item.status >= 300) rejections.push({ event, reason: reasonOf(item) });
    }
    return rejections;
  }

  /** Returns the rejected events; throws if the batch should be retried. */
  async #bulk(
    operations: readonly Operation[],
  ): Promise<{ readonly item: BulkItem; readonly event: CollectedEvent }[]> {
    if (operations.length === 0) return [];
    const bulkBody = operations.flatMap(({ action, event }) => [action, documentOf(event)]);
    const { status, body } = await this.#transport.request({
      method: 'POST',
      path: '/_bulk',
      bulkBody,
    });
    if (status === 413) return await this.#bulkInParts(operations);
    if (status >= 300) throw this.#failed(`answered ${status} to a bulk request`);
    const { items } = body as { readonly items: readonly Record<string, BulkItem>[] };
    return operations.map(({ event }, index) => {
      const [item] = Object.values(items[index] ?? {});
      if (item === undefined) throw this.#failed('left an event out of its answer');
      if (isTemporary(item.status)) {
        throw this.#failed(`answered ${item.status} for an event: ${reasonOf(item)}`);
      }
      return { item, event };
    });
  }

  /** The server limits the size of requests. */
  async #bulkInParts(
    operations: readonly Operation[],
  ): Promise<{ readonly item: BulkItem; readonly event: CollectedEvent }[]> {
    const [only, ...others] = operations;
    if (only !== undefined && others.length === 0) {
      return [{ item: { status: 413, error: 'too large' }, event: only.event }];
    }
    const middle = Math.ceil(operations.length / 2);
    const first = await this.#bulk(operations.slice(0, middle));
    return [...first, ...(await this.#bulk(operations.slice(middle)))];
  }

  async #ask(method: 'POST' | 'PUT', path: string, body?: object): Promise<unknown> {
    const answer = await this.#transport.request({
      method,
      path,
      ...(body !== undefined && { body }),
    });
    if (answer.status >= 300) {
      const text = JSON.stringify(answer.body ?? '').slice(0, 300);
      throw this.#failed(`answered ${answer.status} to ${method} ${path}: ${text}`);
    }
    return answer.body;
  }

  #failed(what: string): CollectorError {
    return new CollectorError('COLLECTOR_BULK_FAILED', `${this.name} ${what}`);
  }
}

/** Overload, and what an administrator can fix; everything else is a fault of the event. */
function isTemporary(status: number): boolean {
  return status >= 500 || [401, 403, 404, 408, 429].includes(status);
}

function documentOf(event: CollectedEvent): string {
  return JSON.stringify({ '@timestamp': event.lastSeen, ...event });
}

function reasonOf({ status, error }: BulkItem): string {
  if (error === undefined) return `status ${status}`;
  return typeof error === 'string' ? error : `${error.type ?? status}: ${error.reason ?? ''}`;
}

function isNewer({ resourceVersion }: CollectedEvent, stored: string | undefined): boolean {
  if (stored === undefined) return true;
  if (!isResourceVersion(resourceVersion) || !isResourceVersion(stored)) return true;
  return compareResourceVersions(resourceVersion, stored) > 0;
}

const keyword = { type: 'keyword', ignore_above: 1024 } as const;

const involved = {
  properties: {
    apiVersion: keyword,
    kind: keyword,
    namespace: keyword,
    name: { ...keyword, fields: { text: { type: 'text' } } },
    uid: keyword,
    fieldPath: keyword,
  },
} as const;

/** The mapping of each field; other fields are stored, but not indexed. */
const mappings = {
  dynamic: false,
  properties: {
    '@timestamp': { type: 'date' },
    uid: keyword,
    resourceVersion: keyword,
    namespace: keyword,
    name: keyword,
    type: keyword,
    reason: { ...keyword, fields: { text: { type: 'text' } } },
    message: { type: 'text' },
    object: involved,
    related: involved,
    action: keyword,
    component: keyword,
    instance: keyword,
    count: { type: 'long' },
    firstSeen: { type: 'date' },
    lastSeen: { type: 'date' },
    createdAt: { type: 'date' },
    receivedAt: { type: 'date' },
    from: { type: 'date' },
    to: { type: 'date' },
    dropped: { type: 'long' },
  },
} as const;

/** Returns the index template, for daily indices or for a data stream. */
function indexTemplate(prefix: string, isDataStream: boolean): object {
  return {
    index_patterns: isDataStream ? [prefix] : [`${prefix}-*`],
    ...(isDataStream && { data_stream: {} }),
    // Above the built-in templates of the products.
    priority: 500,
    template: { mappings },
    _meta: { description: 'Kubernetes events, collected by client-ts' },
  };
}
