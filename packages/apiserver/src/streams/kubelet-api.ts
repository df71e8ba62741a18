import type { Pod } from 'client-ts/api/core/v1';
import type { Clock } from 'client-ts/internal';

import type { ApiRequest, ApiResponse } from '../http.ts';
import {
  type ContainerLogOptions,
  type ContainerProcess,
  type ContainerTarget,
  type Kubelet,
  KubeletError,
} from '../kubelet.ts';
import { servePortForward, serveSpdyPortForward } from './port-forward.ts';
import { serveCommand, serveSpdyCommand } from './remote-command.ts';
import { isWebSocketRequest } from './web-socket-response.ts';

/** The HTTP API of a kubelet, as far as API servers use it. */
export class KubeletApi {
  readonly #kubelet: Kubelet;
  readonly #node: string;
  readonly #clock: Clock;
  readonly #podOf: (namespace: string, name: string) => Pod | undefined;

  /** `podOf` returns a pod that the kubelet may not have started yet, if the caller knows it. */
  constructor(
    kubelet: Kubelet,
    node: string,
    clock: Clock,
    podOf: (namespace: string, name: string) => Pod | undefined = () => undefined,
  ) {
    this.#kubelet = kubelet;
    this.#node = node;
    this.#clock = clock;
    this.#podOf = podOf;
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

  #target([namespace = '', name = '', container = '']: readonly string[]): ContainerTarget {
    const pod = this.#podOf(namespace, name);
    return { node: this.#node, namespace, name, container, pod };
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
