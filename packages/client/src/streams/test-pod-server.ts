import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { RESTClient } from '../rest/rest-client.ts';
import type { Config } from '../transport/config.ts';

/** How a {@link TestPodServer} answers. */
export interface TestPodServerOptions {
  /** The subprotocols of the server, best first. Default: v5. */
  readonly protocols?: readonly string[];
  /** Answers the upgrade instead of the WebSocket server if it returns true. */
  readonly onUpgrade?: (request: IncomingMessage, socket: Socket) => boolean;
  /** Answers a request without an upgrade. */
  readonly onRequest?: (request: IncomingMessage, response: ServerResponse) => void;
}

/** Speaks the server's side of pod streams, as a test directs. */
export class TestPodServer implements AsyncDisposable {
  readonly port: number;
  readonly sockets: Set<Socket>;
  readonly #close: () => Promise<void>;

  private constructor(port: number, sockets: Set<Socket>, close: () => Promise<void>) {
    this.port = port;
    this.sockets = sockets;
    this.#close = close;
  }

  static async start(
    serve: (socket: WebSocket, request: IncomingMessage) => void,
    options: TestPodServerOptions = {},
  ): Promise<TestPodServer> {
    const { protocols = ['v5.channel.k8s.io'], onUpgrade, onRequest } = options;
    const http = createServer((request, response) => onRequest?.(request, response));
    const sockets = new Set<Socket>();
    http.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    });
    const webSockets = new WebSocketServer({ noServer: true });
    webSockets.on('headers', (headers, request) => {
      const chosen = chosenProtocols.get(request);
      if (chosen !== undefined) headers.push(`Sec-WebSocket-Protocol: ${chosen}`);
    });
    http.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      if (onUpgrade?.(request, socket) === true) return;
      // The protocol of tunnels has a slash, which `ws` does not accept.
      const offered = (request.headers['sec-websocket-protocol'] ?? '').split(/, */);
      delete request.headers['sec-websocket-protocol'];
      const chosen = protocols.find((one) => offered.includes(one));
      if (chosen !== undefined) chosenProtocols.set(request, chosen);
      webSockets.handleUpgrade(request, socket, head, (one) => {
        one.on('error', () => undefined);
        serve(one, request);
      });
    });
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    return new TestPodServer((http.address() as AddressInfo).port, sockets, async () => {
      for (const socket of sockets) socket.destroy();
      webSockets.close();
      http.close();
      await once(http, 'close');
    });
  }

  get config(): Config {
    return { server: `http://127.0.0.1:${this.port}`, logger: silent };
  }

  client(config: Partial<Config> = {}): RESTClient {
    return new RESTClient({ ...this.config, ...config });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }
}

const chosenProtocols = new WeakMap<IncomingMessage, string>();

const nothing = (): void => undefined;
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** A message on a channel. */
export function onChannel(channel: number, payload: Uint8Array | string = ''): Buffer {
  return Buffer.concat([Buffer.of(channel), Buffer.from(payload)]);
}

/** The message at the end of a command. */
export function exitMessage(exitCode: number): Buffer {
  const status =
    exitCode === 0
      ? { metadata: {}, status: 'Success' }
      : {
          metadata: {},
          status: 'Failure',
          message: `command terminated with non-zero exit code: exit status ${exitCode}`,
          reason: 'NonZeroExitCode',
          details: { causes: [{ reason: 'ExitCode', message: String(exitCode) }] },
        };
  return onChannel(3, JSON.stringify(status));
}

/** Sends the end of a command and closes, as servers do. */
export function exit(socket: WebSocket, exitCode: number): void {
  socket.send(exitMessage(exitCode));
  socket.close(1000);
}

/** Reads everything. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
