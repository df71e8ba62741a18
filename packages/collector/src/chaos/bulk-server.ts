import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { CollectedEvent } from '../collected-event.ts';
import type { Gap } from '../collector-sink.ts';

/** How a {@link BulkServer} responds. */
export type BulkMode = 'away' | 'failing' | 'slow' | 'well';

interface BulkAction {
  readonly index: { readonly _id: string; readonly version: number };
}

/** A minimal search server that can be down, failing or slow. */
export class BulkServer implements AsyncDisposable {
  readonly events: Map<string, CollectedEvent> = new Map();
  readonly gaps: Gap[] = [];
  mode: BulkMode = 'well';
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#respond(request, response).catch(() => response.destroy());
    });
  }

  static async start(): Promise<BulkServer> {
    const self = new BulkServer();
    await new Promise<void>((resolve) => {
      self.#server.listen(0, '127.0.0.1', resolve);
    });
    return self;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    if (this.mode === 'away') {
      response.destroy();
      return;
    }
    if (this.mode === 'slow') await delay(500);
    // The official client checks this header.
    response.setHeader('x-elastic-product', 'Elasticsearch');
    response.setHeader('content-type', 'application/vnd.elasticsearch+json;compatible-with=8');
    const status = this.mode === 'failing' ? 503 : 200;
    const answer = status === 200 ? this.#answer(request.url ?? '', body) : {};
    response.writeHead(status).end(JSON.stringify(answer));
  }

  #answer(path: string, body: string): object {
    if (path.includes('-gaps/_doc/')) this.gaps.push(JSON.parse(body) as Gap);
    if (!path.startsWith('/_bulk')) return {};
    const lines = body.split('\n').filter((line) => line !== '');
    const items: object[] = [];
    for (let line = 0; line + 1 < lines.length; line += 2) {
      const { index } = JSON.parse(lines[line] ?? '') as BulkAction;
      const event = JSON.parse(lines[line + 1] ?? '') as CollectedEvent;
      const old = this.events.get(index._id);
      const isOld = old !== undefined && Number(old.resourceVersion) > index.version;
      if (!isOld) this.events.set(index._id, event);
      items.push({ index: { status: isOld ? 409 : 200 } });
    }
    return { errors: false, items };
  }
}
