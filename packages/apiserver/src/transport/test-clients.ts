import { once } from 'node:events';
import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect as connectHttp2,
  constants,
} from 'node:http2';
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https';

import { systemClock } from 'client-ts/internal';

import { CertificateAuthority } from '../auth/certificates.ts';
import type { Handler } from '../http.ts';
import { Listener, type ListenerOptions } from './listener.ts';

/** The CA of all servers and clients in these tests. */
export const authority: CertificateAuthority = new CertificateAuthority({ clock: systemClock });
export const ca: string = authority.certificate;

export function start(handler: Handler, options: Partial<ListenerOptions> = {}): Promise<Listener> {
  return Listener.start(handler, { authority, ...options });
}

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: AsyncIterable<Uint8Array>;
  /** Disconnects without reading on. */
  leave(): void;
}

export interface Ask {
  method?: string;
  path?: string;
  headers?: OutgoingHttpHeaders;
  body?: Uint8Array;
  /** Chunks of a body that never ends. */
  upload?: readonly string[];
}

/** A client for one protocol, so that every test runs on both. */
export interface Client extends AsyncDisposable {
  ask(request?: Ask): Promise<Answer>;
}

export type Connect = (
  listener: Listener,
  tls?: { cert?: string; key?: string },
) => Promise<Client>;

export async function http1Client(listener: Listener, tls: object = {}): Promise<Client> {
  const agent = new Agent({ keepAlive: true, ca, ...tls });
  return {
    ask: async ({ method = 'GET', path = '/', headers = {}, body, upload } = {}) => {
      const options: RequestOptions = { method, headers, agent };
      const request: ClientRequest = httpsRequest(new URL(path, listener.url), options);
      // Errors after the headers show in the body.
      request.on('error', () => undefined);
      for (const chunk of upload ?? []) request.write(chunk);
      if (upload === undefined) request.end(body);
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      return {
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: response,
        leave: () => request.destroy(),
      };
    },
    [Symbol.asyncDispose]: async () => agent.destroy(),
  };
}

/** Node ends the reading side of a broken stream as if complete; this makes it an error. */
async function* wholeBody(stream: ClientHttp2Stream): AsyncGenerator<Uint8Array> {
  yield* stream as AsyncIterable<Uint8Array>;
  if (!stream.closed) await once(stream, 'close');
  if (stream.aborted || stream.rstCode !== constants.NGHTTP2_NO_ERROR) throw new Error('cut off');
}

export async function http2Client(listener: Listener, tls: object = {}): Promise<Client> {
  const session: ClientHttp2Session = connectHttp2(listener.url, { ca, ...tls });
  session.on('error', () => undefined);
  return {
    ask: async ({ method = 'GET', path = '/', headers = {}, body, upload } = {}) => {
      const stream: ClientHttp2Stream = session.request(
        { ':method': method, ':path': path, ...headers },
        { endStream: body === undefined && upload === undefined },
      );
      for (const chunk of upload ?? []) stream.write(chunk);
      if (body !== undefined) stream.end(body);
      stream.on('error', () => undefined);
      const head = await new Promise<Record<string, string>>((resolve, reject) => {
        stream.on('response', (headers) => resolve(headers as Record<string, string>));
        // A reset may close the stream without an error.
        stream.on('close', () => reject(new Error('cut off')));
      });
      return {
        status: Number(head[':status']),
        headers: head,
        body: wholeBody(stream),
        leave: () => stream.close(constants.NGHTTP2_CANCEL),
      };
    },
    [Symbol.asyncDispose]: async () => session.destroy(),
  };
}

export const json = (value: unknown, status = 200): Awaited<ReturnType<Handler>> => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(value)),
});

export function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

export const protocols: [name: string, connect: Connect][] = [
  ['HTTP/1.1', http1Client],
  ['HTTP/2', http2Client],
];
