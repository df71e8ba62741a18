import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A proxy for tests that records the requests and credentials it received. */
export interface TestProxy extends AsyncDisposable {
  readonly port: number;
  /** Clients that are connected. */
  readonly clients: Set<Socket>;
  readonly asked: string[];
  readonly credentials: string[];
}

export interface TestProxyOptions {
  /** `user:password` that it requires. */
  readonly credentials?: string;
  /** The port it connects to, whatever the request names. */
  readonly target: number;
  /** For a proxy with TLS. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** An HTTP proxy that implements CONNECT. */
export async function startHttpProxy(options: TestProxyOptions): Promise<TestProxy> {
  const server = options.tls === undefined ? createHttpServer() : createHttpsServer(options.tls);
  const [proxy, sockets] = await listen(server);
  server.on('connect', (request: IncomingMessage, client: Duplex) => {
    proxy.asked.push(request.url ?? '');
    const header = request.headers['proxy-authorization'] ?? '';
    const credentials = Buffer.from(header.replace('Basic ', ''), 'base64').toString();
    proxy.credentials.push(credentials);
    client.on('error', () => undefined);
    if (options.credentials !== undefined && credentials !== options.credentials) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    } else if (request.url?.startsWith('forbidden.') === true) {
      client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    } else {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      join(client, options.target, sockets);
    }
  });
  return proxy;
}

/** A SOCKS5 proxy: no authentication, or user and password. */
export async function startSocksProxy(options: TestProxyOptions): Promise<TestProxy> {
  const server = createServer();
  const [proxy, sockets] = await listen(server);
  server.on('connection', (client) => {
    // A client that goes away in the middle is none of the proxy's business.
    serveSocks(client, proxy, options, sockets).catch(() => client.destroy());
  });
  return proxy;
}

async function serveSocks(
  client: Socket,
  proxy: TestProxy,
  options: TestProxyOptions,
  sockets: Set<Duplex>,
): Promise<void> {
  const [, count = 0] = await read(client, 2);
  const methods = await read(client, count);
  const method = options.credentials === undefined ? 0 : 2;
  if (!methods.includes(method)) {
    client.end(Uint8Array.of(5, 0xff));
    return;
  }
  client.write(Uint8Array.of(5, method));
  if (method === 2) {
    const [, userLength = 0] = await read(client, 2);
    const user = (await read(client, userLength)).toString();
    const [passwordLength = 0] = await read(client, 1);
    const credentials = `${user}:${(await read(client, passwordLength)).toString()}`;
    proxy.credentials.push(credentials);
    const isWrong = credentials !== options.credentials;
    client.write(Uint8Array.of(1, isWrong ? 1 : 0));
    // It leaves hanging up to the client.
    if (isWrong) return;
  }
  const [, , , type] = await read(client, 4);
  const host =
    type === 1
      ? (await read(client, 4)).join('.')
      : type === 4
        ? (await read(client, 16)).toString('hex')
        : (await read(client, (await read(client, 1))[0] ?? 0)).toString();
  proxy.asked.push(`${host}:${(await read(client, 2)).readUInt16BE()}`);
  if (host.startsWith('forbidden.')) {
    client.end(Uint8Array.of(5, 2, 0, 1, 0, 0, 0, 0, 0, 0));
    return;
  }
  // A bound address of each kind, because the client must skip all of them.
  const bound = host.length % 2 === 0 ? [1, 0, 0, 0, 0] : [3, 2, 0x61, 0x62];
  client.write(Uint8Array.of(5, 0, 0, ...bound, 0, 0));
  join(client, options.target, sockets);
}

async function read(socket: Socket, count: number): Promise<Buffer> {
  for (;;) {
    const bytes = count === 0 ? Buffer.alloc(0) : (socket.read(count) as Buffer | null);
    if (bytes !== null) return bytes;
    await once(socket, 'readable');
    if (socket.readableEnded) throw new Error('the client has gone');
  }
}

function join(client: Duplex, target: number, sockets: Set<Duplex>): void {
  const upstream = connect(target, '127.0.0.1');
  sockets.add(upstream);
  upstream.on('error', () => client.destroy());
  client.on('close', () => upstream.destroy());
  upstream.on('close', () => client.destroy());
  client.pipe(upstream).pipe(client);
}

async function listen(server: Server): Promise<[TestProxy, Set<Duplex>]> {
  const sockets = new Set<Duplex>();
  const clients = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    clients.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => clients.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: TestProxy = {
    port: (server.address() as AddressInfo).port,
    clients,
    asked: [],
    credentials: [],
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return [proxy, sockets];
}
