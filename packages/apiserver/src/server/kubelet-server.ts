import { type Clock, systemClock } from 'client-ts/internal';

import { CertificateAuthority } from '../auth/certificates.ts';
import type { ApiRequest, ApiResponse } from '../http.ts';
import {
  type ContainerLogOptions,
  type ContainerProcess,
  type Kubelet,
  KubeletError,
} from '../kubelet.ts';
import { servePortForward, serveSpdyPortForward } from '../streams/port-forward.ts';
import { serveCommand, serveSpdyCommand } from '../streams/remote-command.ts';
import { isWebSocketRequest } from '../streams/web-socket-response.ts';
import { Listener } from '../transport/listener.ts';

/** Options of {@link KubeletServer.start}. */
export interface KubeletServerOptions {
  /** The address to listen on. Default: `127.0.0.1`. */
  readonly host?: string | undefined;
  /** Default: 0, any free port. */
  readonly port?: number | undefined;
  /** The name of the node. Default `node-1`. */
  readonly node?: string | undefined;
  readonly clock?: Clock | undefined;
  /** Called with failures that no response can report. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Serves a {@link Kubelet} over HTTPS as the kubelet of one node does, so that a real API server can
 * proxy to it: put the address and port into the status of a Node. It accepts every client; keep it
 * on the loopback interface.
 */
export class KubeletServer implements AsyncDisposable {
  /** The base URL. */
  readonly url: string;
  readonly #listener: Listener;

  private constructor(listener: Listener) {
    this.#listener = listener;
    this.url = listener.url;
  }

  /** Starts to listen. */
  static async start(kubelet: Kubelet, options: KubeletServerOptions = {}): Promise<KubeletServer> {
    const { clock = systemClock, node = 'node-1', host, port, onError } = options;
    const authority = new CertificateAuthority({ clock: systemClock });
    const handler = new KubeletHandler(kubelet, node, clock);
    const listener = await Listener.start((request) => handler.handle(request), {
      host,
      port,
      authority,
      onError,
    });
    return new KubeletServer(listener);
  }

  /** Stops listening and closes every connection. */
  async close(): Promise<void> {
    await this.#listener.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** The HTTP API of a kubelet, as far as API servers use it. */
class KubeletHandler {
  readonly #kubelet: Kubelet;
  readonly #node: string;
  readonly #clock: Clock;

  constructor(kubelet: Kubelet, node: string, clock: Clock) {
    this.#kubelet = kubelet;
    this.#node = node;
    this.#clock = clock;
  }

  async handle(request: ApiRequest): Promise<ApiResponse> {
    const { pathname, searchParams } = new URL(request.url, 'https://kubelet');
    const [action = '', ...place] = pathname.split('/').slice(1).map(decodeURIComponent);
    try {
      switch (action) {
        case 'containerLogs':
          return await this.#logs(place, searchParams, request.signal);
        case 'exec':
        case 'attach':
          return await this.#command(action, place, searchParams, request);
        case 'portForward':
          return this.#forward(place, searchParams, request);
        default: {
          const { method, url, signal } = request;
          return await this.#kubelet.request(this.#node, { method, url, signal });
        }
      }
    } catch (error) {
      if (error instanceof KubeletError) return plain(error.status, error.message);
      throw error;
    }
  }

  #target([namespace = '', name = '', container = '']: readonly string[]): {
    readonly node: string;
    readonly namespace: string;
    readonly name: string;
    readonly container: string;
  } {
    return { node: this.#node, namespace, name, container };
  }

  async #logs(
    place: readonly string[],
    query: URLSearchParams,
    signal: AbortSignal,
  ): Promise<ApiResponse> {
    const number = (name: string): number | undefined =>
      query.has(name) ? Number(query.get(name)) : undefined;
    const since = query.get('sinceTime');
    const options: ContainerLogOptions = {
      follow: query.get('follow') === 'true',
      previous: query.get('previous') === 'true',
      timestamps: query.get('timestamps') === 'true',
      tailLines: number('tailLines'),
      limitBytes: number('limitBytes'),
      sinceSeconds: number('sinceSeconds'),
      sinceTimeMs: since === null ? undefined : Date.parse(since),
      signal,
    };
    const body = await this.#kubelet.logs(this.#target(place), options);
    return { status: 200, headers: { 'content-type': 'text/plain' }, body };
  }

  async #command(
    kind: 'attach' | 'exec',
    place: readonly string[],
    query: URLSearchParams,
    request: ApiRequest,
  ): Promise<ApiResponse> {
    const target = this.#target(place);
    const process: ContainerProcess =
      kind === 'exec'
        ? await this.#kubelet.exec(target, query.getAll('command'))
        : await this.#kubelet.attach(target);
    if (request.canUpgrade !== true) return plain(400, 'upgrade request required');
    const wants = (name: string): boolean => query.get(name) === '1' || query.get(name) === 'true';
    const options = {
      open: async (): Promise<ContainerProcess> => process,
      kind,
      wanted: {
        stdin: wants('input'),
        stdout: wants('output'),
        stderr: wants('error'),
        tty: wants('tty'),
      },
      clock: this.#clock,
      signal: request.signal,
    };
    const serve = isWebSocketRequest(request) ? serveCommand : serveSpdyCommand;
    return { status: 101, headers: {}, upgrade: (connection) => serve(connection, options) };
  }

  #forward(place: readonly string[], query: URLSearchParams, request: ApiRequest): ApiResponse {
    const target = this.#target(place);
    if (request.canUpgrade !== true) return plain(400, 'upgrade request required');
    const options = {
      connect: (port: number, signal: AbortSignal) =>
        this.#kubelet.connect(target, port, { signal }),
      pod: target.name,
      ports: query.getAll('port').flatMap((ports) => ports.split(',').map(Number)),
      clock: this.#clock,
      signal: request.signal,
    };
    const serve = isWebSocketRequest(request) ? servePortForward : serveSpdyPortForward;
    return { status: 101, headers: {}, upgrade: (connection) => serve(connection, options) };
  }
}

function plain(status: number, message: string): ApiResponse {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: Buffer.from(message),
  };
}
