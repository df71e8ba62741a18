import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';

interface Stored {
  readonly index: string;
  readonly id: string;
  readonly version: number;
  readonly seqNo: number;
  readonly source: Record<string, unknown>;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** An action of a bulk request. */
interface Action {
  readonly _index: string;
  readonly _id: string;
  readonly version?: number;
  readonly version_type?: string;
  readonly if_seq_no?: number;
}

/**
 * For tests: the part of the Elasticsearch API that the sink uses, as documented: bulk requests
 * with external versions and with sequence numbers, data streams, templates.
 */
export class SearchServer {
  readonly url: string;
  readonly documents: Map<string, Stored> = new Map();
  readonly templates: Map<string, { readonly data_stream?: object }> = new Map();
  /** Method and path of each request. */
  readonly log: string[] = [];
  readonly authorizations: Set<string | undefined> = new Set();
  /** Overrides responses. */
  intercept: (path: string, body: string) => Answer | undefined = () => undefined;
  /** Overrides the result for a document. */
  itemFault: (id: string) => { status: number; error?: object } | undefined = () => undefined;
  #seqNo = 0;

  private constructor(url: string) {
    this.url = url;
  }

  /** Serves TLS if given a certificate and its key. */
  static async start(
    t: Pick<TestContext, 'after'>,
    tls?: { readonly certificate: string; readonly key: string },
  ): Promise<SearchServer> {
    const serve: RequestListener = (request, response) => {
      void self.#respond(request).then(({ status, body }) => {
        // The official client checks this header.
        response.setHeader('x-elastic-product', 'Elasticsearch');
        const own = 'application/vnd.elasticsearch+json';
        const isOwn = (request.headers.accept ?? '').includes(own);
        response.setHeader('content-type', isOwn ? `${own};compatible-with=8` : 'application/json');
        response.writeHead(status).end(JSON.stringify(body));
      });
    };
    const listener =
      tls === undefined
        ? createServer(serve)
        : createTlsServer({ cert: tls.certificate, key: tls.key }, serve);
    await new Promise<void>((resolve) => {
      listener.listen(0, '127.0.0.1', resolve);
    });
    const { port } = listener.address() as AddressInfo;
    const scheme = tls === undefined ? 'http' : 'https';
    const self = new SearchServer(`${scheme}://127.0.0.1:${port}`);
    t.after(() => {
      listener.closeAllConnections();
      listener.close();
    });
    return self;
  }

  /** The documents of an index or prefix, by id. */
  sources(prefix: string): Record<string, Record<string, unknown>> {
    const found = [...this.documents.values()].filter(({ index }) => index.startsWith(prefix));
    return Object.fromEntries(found.map(({ id, source }) => [id, source]));
  }

  async #respond(request: IncomingMessage): Promise<Answer> {
    const path = decodeURIComponent(new URL(request.url ?? '', this.url).pathname);
    const body = await text(request);
    this.log.push(`${request.method} ${path}`);
    this.authorizations.add(request.headers.authorization);
    const fault = this.intercept(path, body);
    if (fault !== undefined) return fault;
    const [, template] = /^\/_index_template\/(.+)$/.exec(path) ?? [];
    if (template !== undefined) {
      this.templates.set(template, JSON.parse(body) as object);
      return { status: 200, body: { acknowledged: true } };
    }
    if (path === '/_bulk') return { status: 200, body: this.#bulk(body) };
    const [, index = '', id = ''] = /^\/([^/]+)\/_doc\/(.+)$/.exec(path) ?? [];
    if (id !== '') {
      this.#store(index, id, 1, JSON.parse(body) as Record<string, unknown>);
      return { status: 201, body: { result: 'created' } };
    }
    if (path.endsWith('/_refresh')) return { status: 200, body: {} };
    if (path.endsWith('/_search')) return { status: 200, body: this.#search(path, body) };
    return { status: 404, body: { error: `no ${path}` } };
  }

  #bulk(body: string): object {
    const lines = body.split('\n').filter((line) => line !== '');
    const items: object[] = [];
    for (let line = 0; line < lines.length; line += 2) {
      const [[verb, action] = []] = Object.entries(
        JSON.parse(lines[line] ?? '{}') as Record<string, Action>,
      );
      const source = JSON.parse(lines[line + 1] ?? '{}') as Record<string, unknown>;
      if (verb === undefined || action === undefined) continue;
      items.push({ [verb]: this.itemFault(action._id) ?? this.#apply(verb, action, source) });
    }
    return { errors: true, items };
  }

  #apply(verb: string, action: Action, source: Record<string, unknown>): object {
    const isStream = this.templates.get(action._index)?.data_stream !== undefined;
    if (isStream && verb !== 'create') {
      const reason = 'only write ops with an op_type of create are allowed in data streams';
      return { status: 400, error: { type: 'illegal_argument_exception', reason } };
    }
    const index = isStream ? `.ds-${action._index}-000001` : action._index;
    const old = this.documents.get(`${index}/${action._id}`);
    const conflict = { status: 409, error: { type: 'version_conflict_engine_exception' } };
    if (verb === 'create' && old !== undefined) return conflict;
    if (action.if_seq_no !== undefined && action.if_seq_no !== old?.seqNo) return conflict;
    const version = action.version ?? (old?.version ?? 0) + 1;
    if (action.version_type === 'external_gte' && old !== undefined && version < old.version) {
      return conflict;
    }
    this.#store(index, action._id, version, source);
    return { status: old === undefined ? 201 : 200 };
  }

  #search(path: string, body: string): object {
    const { query } = JSON.parse(body) as { query: { ids: { values: string[] } } };
    const index = `.ds-${path.split('/')[1] ?? ''}-000001`;
    const hits = query.ids.values.flatMap((id) => {
      const found = this.documents.get(`${index}/${id}`);
      if (found === undefined) return [];
      return {
        _index: index,
        _id: id,
        _seq_no: found.seqNo,
        _primary_term: 1,
        _source: found.source,
      };
    });
    return { hits: { hits } };
  }

  #store(index: string, id: string, version: number, source: Record<string, unknown>): void {
    this.#seqNo += 1;
    this.documents.set(`${index}/${id}`, { index, id, version, seqNo: this.#seqNo, source });
  }
}
