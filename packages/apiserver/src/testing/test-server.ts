import { seededRandom } from 'client-ts/internal';
import { VirtualClock } from 'client-ts/testing';
import type { Transport, TransportHeaders, TransportResponse } from 'client-ts/transport';

import { Backend, type BackendOptions } from '../server/backend.ts';
import {
  openPersistence,
  type Persistence,
  type PersistenceOptions,
} from '../server/persistence.ts';
import { memoryTransport } from '../transport/memory.ts';
import type { TestObject } from './test-object.ts';
import { TestWatch } from './test-watch.ts';

/** A response: the body as bytes and, if it is JSON, as an object. */
export interface Answer {
  readonly status: number;
  readonly headers: TransportHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  readonly body: TestObject;
}

export interface RequestOptions {
  readonly headers?: TransportHeaders;
  readonly signal?: AbortSignal;
}

const PATCH_TYPES = {
  apply: 'application/apply-patch+yaml',
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

export interface TestServerOptions extends Omit<BackendOptions, 'clock' | 'onError' | 'random'> {
  /** Default: a new one. */
  readonly clock?: VirtualClock | undefined;
  /** Gets the defects of the server. Default: a new array. */
  readonly errors?: unknown[] | undefined;
}

/**
 * A server in memory, on a virtual clock and with seeded randomness. Defects of the server are
 * collected in `errors`.
 */
export class TestServer implements Disposable {
  readonly clock: VirtualClock;
  readonly backend: Backend;
  readonly errors: unknown[];
  readonly #transport: Transport;
  readonly #watches: TestWatch[] = [];

  constructor(options: TestServerOptions = {}, persistence?: Persistence) {
    const { clock = new VirtualClock(), errors = [], ...others } = options;
    this.clock = clock;
    this.errors = errors;
    this.backend = new Backend(
      { ...others, clock, random: seededRandom(1), onError: (error) => errors.push(error) },
      persistence,
    );
    this.#transport = memoryTransport(this.backend.handler, { token: this.backend.token });
  }

  /** Starts a server that keeps its state. */
  static async open(options: PersistenceOptions & TestServerOptions): Promise<TestServer> {
    const { data, store, clock = new VirtualClock(), errors = [], ...others } = options;
    const onError = (error: unknown): void => void errors.push(error);
    const persistence = await openPersistence({ ...others, data, store, clock, onError });
    const server = new TestServer({ ...others, clock, errors }, persistence);
    await server.backend.core.store.durable();
    return server;
  }

  [Symbol.dispose](): void {
    for (const watch of this.#watches) watch.close();
    this.backend[Symbol.dispose]();
  }

  /** Stops the server and releases its data. */
  async close(): Promise<void> {
    this[Symbol.dispose]();
    await this.backend.core.store.close();
  }

  get revision(): number {
    return this.backend.core.store.revision;
  }

  /** Runs controllers and watches until they wait for time to pass. */
  async settle(): Promise<void> {
    await this.clock.advance(0);
  }

  async get(path: string, options: RequestOptions = {}): Promise<Answer> {
    return await this.send('GET', path, undefined, options);
  }

  async post(path: string, body: object, options: RequestOptions = {}): Promise<Answer> {
    return await this.send('POST', path, json(body), options);
  }

  async put(path: string, body: object, options: RequestOptions = {}): Promise<Answer> {
    return await this.send('PUT', path, json(body), options);
  }

  async patch(
    type: keyof typeof PATCH_TYPES,
    path: string,
    body: object | string,
    options: RequestOptions = {},
  ): Promise<Answer> {
    const headers = { 'content-type': PATCH_TYPES[type], ...options.headers };
    const content = typeof body === 'string' ? Buffer.from(body) : json(body);
    return await this.send('PATCH', path, content, { ...options, headers });
  }

  async delete(path: string, body?: object, options: RequestOptions = {}): Promise<Answer> {
    return await this.send('DELETE', path, body && json(body), options);
  }

  /** Creates or changes an object as a precondition; throws if that fails. */
  async given(method: 'post' | 'put', path: string, body: object): Promise<TestObject> {
    const { status, text, body: object } = await this[method](path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return object;
  }

  /** Opens a watch or any other stream of JSON lines. */
  async watch(path: string, options: RequestOptions = {}): Promise<TestWatch> {
    const abort = new AbortController();
    const { status, headers, body } = await this.open(path, { ...options, signal: abort.signal });
    const watch = new TestWatch(status, headers, body, abort);
    this.#watches.push(watch);
    return watch;
  }

  /** Sends a GET and leaves the body to the test. */
  async open(
    path: string,
    { headers = {}, signal }: RequestOptions = {},
  ): Promise<TransportResponse> {
    const request = { method: 'GET', path, headers };
    return await this.#transport.request(signal === undefined ? request : { ...request, signal });
  }

  async send(
    method: string,
    path: string,
    body: Uint8Array | undefined,
    { headers = {}, signal }: RequestOptions = {},
  ): Promise<Answer> {
    const response = await this.#transport.request({
      method,
      path,
      headers,
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const text = bytes.toString();
    return {
      status: response.status,
      headers: response.headers,
      bytes,
      text,
      body: (text.startsWith('{') ? JSON.parse(text) : { metadata: {} }) as TestObject,
    };
  }
}

function json(body: object): Buffer {
  return Buffer.from(JSON.stringify(body));
}
