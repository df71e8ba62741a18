import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { OtlpLogs } from './otlp-logs.ts';

/** What a receiver answers; `hang` never answers, `reset` closes the connection. */
export type ReceiverAnswer =
  | 'hang'
  | 'reset'
  | { readonly status: number; readonly body?: object; readonly headers?: Record<string, string> };

/** For tests: a receiver of OTLP over HTTP. */
export class OtlpReceiver {
  readonly url: string;
  readonly requests: {
    readonly path: string;
    readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
    readonly logs: OtlpLogs;
  }[] = [];
  /** The answer to a request. */
  answer: (logs: OtlpLogs) => ReceiverAnswer = () => ({ status: 200, body: {} });

  private constructor(url: string) {
    this.url = url;
  }

  static async start(
    t: Pick<TestContext, 'after'>,
    tls?: { readonly certificate: string; readonly key: string },
  ): Promise<OtlpReceiver> {
    const serve: RequestListener = (request, response) => {
      void buffer(request).then((data) => {
        const isPacked = request.headers['content-encoding'] === 'gzip';
        const logs = JSON.parse((isPacked ? gunzipSync(data) : data).toString()) as OtlpLogs;
        self.requests.push({ path: request.url ?? '', headers: request.headers, logs });
        const answer = self.answer(logs);
        if (answer === 'hang') return;
        if (answer === 'reset') return void request.socket.destroy();
        const { status, body = {}, headers = {} } = answer;
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(JSON.stringify(body));
      });
    };
    const listener =
      tls === undefined
        ? createServer(serve)
        : createTlsServer({ cert: tls.certificate, key: tls.key }, serve);
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    t.after(() => {
      listener.closeAllConnections();
      listener.close();
    });
    const { port } = listener.address() as AddressInfo;
    const self = new OtlpReceiver(`${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`);
    return self;
  }

  /** The bodies of all records that were answered with success or not. */
  get bodies(): string[] {
    return this.requests.flatMap(({ logs }) => bodiesOf(logs));
  }
}

/** For tests: the bodies of the records of a request. */
export function bodiesOf({ resourceLogs }: OtlpLogs): string[] {
  return resourceLogs
    .flatMap(({ scopeLogs }) => scopeLogs)
    .flatMap(({ logRecords }) => logRecords)
    .map(({ body }) => ('stringValue' in body ? body.stringValue : body.intValue));
}
