import { request as send, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** An answer, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Options of a request of {@link TestBrowser}. */
export interface TestRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A browser in a few lines: it keeps its cookie, and what it has received. */
export class TestBrowser {
  readonly received: string[] = [];
  readonly #origin: URL;
  #cookie = '';

  constructor(origin: string) {
    this.#origin = new URL(origin);
  }

  /** Opens an address with a token. */
  async open(url: string): Promise<Answer> {
    const { pathname, search } = new URL(url);
    const answer = await this.get(`${pathname}${search}`);
    const [cookie = ''] = answer.headers['set-cookie'] ?? [];
    if (cookie !== '') this.#cookie = cookie.split(';')[0] ?? '';
    return answer;
  }

  async get(path: string, options: TestRequest = {}): Promise<Answer> {
    const response = await this.stream(path, options);
    const body = await text(response);
    this.received.push(JSON.stringify(response.headers), body);
    return { status: response.statusCode ?? 0, headers: response.headers, body };
  }

  async json<T>(path: string, options: TestRequest = {}): Promise<T> {
    const { status, body } = await this.get(path, options);
    if (status !== 200) throw new Error(`${path}: ${status} ${body}`);
    return JSON.parse(body) as T;
  }

  /** Sends a request and resolves with the head of the answer. */
  stream(
    path: string,
    { method = 'GET', headers = {}, body }: TestRequest = {},
  ): Promise<IncomingMessage> {
    const { hostname, port, host } = this.#origin;
    const cookie = this.#cookie === '' ? {} : { cookie: this.#cookie };
    return new Promise((resolve, reject) => {
      const all = { host, ...cookie, ...headers };
      const request = send({ hostname, port, path, method, headers: all }, resolve);
      request.on('error', reject);
      request.end(body);
    });
  }
}

/** Reads Server-Sent Events from an answer. */
export async function* eventsOf(
  response: IncomingMessage,
): AsyncGenerator<{ readonly event: string; readonly id: string; readonly data: string }> {
  let rest = '';
  for await (const chunk of response) {
    rest += String(chunk);
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line) => {
          const at = line.indexOf(': ');
          return [line.slice(0, at), line.slice(at + 2)] as const;
        }),
      );
      const data = fields.get('data');
      if (data === undefined) continue;
      yield { event: fields.get('event') ?? '', id: fields.get('id') ?? '', data };
    }
  }
}
