import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** The two sockets of a connection through the proxy. */
interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

/**
 * A TCP proxy with faults: cut connections, which both sides notice, or freeze them, which neither
 * side notices. It does not interpret the bytes.
 */
export class TcpProxy implements AsyncDisposable {
  readonly port: number;
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  #connections = 0;
  #isBlocked = false;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  /** Starts a proxy to a port on this machine or another one. */
  static async start(targetPort: number, targetHost = '127.0.0.1'): Promise<TcpProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new TcpProxy(server, (server.address() as AddressInfo).port);
    server.on('connection', (client) => proxy.#accept(client, targetPort, targetHost));
    return proxy;
  }

  /** How many connections there have been. */
  get connections(): number {
    return this.#connections;
  }

  /** Ends every connection. */
  cut(): void {
    for (const pair of this.#pairs) end(pair);
  }

  /** Ends every connection, and every new one, until {@link TcpProxy.unblock} is called. */
  block(): void {
    this.#isBlocked = true;
    this.cut();
  }

  unblock(): void {
    this.#isBlocked = false;
  }

  /** Keeps every connection open without passing bytes on. New connections work. */
  freeze(): void {
    for (const { client, server } of this.#pairs) {
      client.unpipe(server);
      server.unpipe(client);
      client.pause();
      server.pause();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(client: Socket, targetPort: number, targetHost: string): void {
    if (this.#isBlocked) {
      client.destroy();
      return;
    }
    this.#connections += 1;
    const server = connect(targetPort, targetHost);
    const pair = { client, server };
    this.#pairs.add(pair);
    for (const socket of [client, server]) {
      socket.on('error', () => end(pair));
      socket.on('close', () => {
        this.#pairs.delete(pair);
        end(pair);
      });
    }
    client.pipe(server);
    server.pipe(client);
  }
}

function end({ client, server }: Pair): void {
  client.destroy();
  server.destroy();
}
