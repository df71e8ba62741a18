import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6, type Socket } from 'node:net';
import { onAbort } from '../../lib/signal.ts';
import { nodeHttp } from '../../lib/node-modules.ts';
import { TransportError } from '../transport-error.ts';
import type { HostAndPort, ProxySettings } from './proxy-settings.ts';

/**
 * Opens a tunnel to the target through an HTTP proxy, on a socket that is connected to the proxy.
 */
export async function openHttpTunnel(
  socket: Socket,
  target: HostAndPort,
  { name, username, password = '' }: ProxySettings,
  signal: AbortSignal,
): Promise<void> {
  const path = `${target.host.includes(':') ? `[${target.host}]` : target.host}:${target.port}`;
  const credentials = Buffer.from(`${username}:${password}`).toString('base64');
  const request = nodeHttp().request({
    createConnection: () => socket,
    method: 'CONNECT',
    path,
    headers: {
      host: path,
      ...(username !== undefined && { 'proxy-authorization': `Basic ${credentials}` }),
    },
  });
  using _ = onAbort(signal, () => request.destroy());
  const { answer, rest } = await new Promise<{ answer: IncomingMessage; rest: Buffer }>(
    (resolve, reject) => {
      request.on('error', reject);
      request.on('connect', (answer, _socket, rest: Buffer) => resolve({ answer, rest }));
      request.end();
    },
  );
  const { statusCode = 0 } = answer;
  if (statusCode < 200 || statusCode > 299) throw refusal(name, statusCode);
  // Bytes that the target has already sent belong to the next reader.
  if (rest.length > 0) socket.unshift(rest);
}

function refusal(name: string, status: number): TransportError {
  return status === 407
    ? new TransportError('TRANSPORT_PROXY', `the proxy ${name} requires credentials`, {
        retry: 'never',
        hint: 'Put them into the URL of the proxy: http://user:password@host:port.',
      })
    : new TransportError(
        'TRANSPORT_PROXY',
        `the proxy ${name} refuses to connect: status ${status}`,
      );
}

const VERSION = 5;
const NO_AUTHENTICATION = 0;
const PASSWORD = 2;
const CONNECT = 1;
const ADDRESS_TYPES = { ipv4: 1, name: 3, ipv6: 4 } as const;

/** The reply codes of RFC 1928. */
const REPLIES: readonly string[] = [
  'succeeded',
  'general failure',
  'not allowed by its rules',
  'network unreachable',
  'host unreachable',
  'connection refused',
  'TTL expired',
  'command not supported',
  'address type not supported',
];

/**
 * Opens a tunnel to the target through a SOCKS5 proxy, on a socket that is connected to the proxy
 * (RFC 1928, with user and password as in RFC 1929). The proxy resolves names.
 */
export async function openSocks5Tunnel(
  socket: Socket,
  target: HostAndPort,
  proxy: ProxySettings,
): Promise<void> {
  const { username } = proxy;
  const methods = username === undefined ? [NO_AUTHENTICATION] : [NO_AUTHENTICATION, PASSWORD];
  socket.write(Uint8Array.of(VERSION, methods.length, ...methods));
  const [version, method] = await readBytes(socket, 2);
  if (version !== VERSION) throw failure(proxy, 'does not speak SOCKS5');
  if (method === PASSWORD && username !== undefined) await authenticate(socket, proxy, username);
  else if (method !== NO_AUTHENTICATION)
    throw failure(proxy, 'offers no supported authentication method');
  const port = Uint8Array.of(target.port >> 8, target.port & 0xff);
  socket.write(Buffer.concat([Uint8Array.of(VERSION, CONNECT, 0), address(target.host), port]));
  await readReply(socket, proxy);
}

async function authenticate(socket: Socket, proxy: ProxySettings, username: string): Promise<void> {
  const fields = [username, proxy.password ?? ''].map((text) => withLength(text, proxy));
  socket.write(Buffer.concat([Uint8Array.of(1), ...fields]));
  const [, status] = await readBytes(socket, 2);
  if (status !== 0) throw failure(proxy, 'does not accept the user and password');
}

async function readReply(socket: Socket, proxy: ProxySettings): Promise<void> {
  const [, reply = 1, , type] = await readBytes(socket, 4);
  if (reply !== 0) throw failure(proxy, `refuses to connect: ${REPLIES[reply] ?? `code ${reply}`}`);
  const lengths: Record<number, number> = { [ADDRESS_TYPES.ipv4]: 4, [ADDRESS_TYPES.ipv6]: 16 };
  const length = lengths[type ?? 0] ?? (await readBytes(socket, 1))[0] ?? 0;
  await readBytes(socket, length + 2);
}

function address(host: string): Uint8Array {
  if (isIPv4(host)) return Uint8Array.of(ADDRESS_TYPES.ipv4, ...host.split('.').map(Number));
  if (isIPv6(host)) return Uint8Array.of(ADDRESS_TYPES.ipv6, ...ipv6Bytes(host));
  const name = Buffer.from(host);
  return Uint8Array.of(ADDRESS_TYPES.name, name.length, ...name);
}

/** The URL parser normalises every notation to hexadecimal groups with at most one `::`. */
function ipv6Bytes(host: string): number[] {
  const [head = '', tail] = new URL(`http://[${host}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [left, right] = [groups(head), groups(tail ?? '')];
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => 0);
  return [...left, ...zeros, ...right].flatMap((group) => [group >> 8, group & 0xff]);
}

function withLength(text: string, proxy: ProxySettings): Uint8Array {
  const bytes = Buffer.from(text);
  if (bytes.length > 255) throw failure(proxy, 'cannot take a user or password over 255 bytes');
  return Uint8Array.of(bytes.length, ...bytes);
}

/** Reads exactly this many bytes; further bytes stay for the next reader. */
function readBytes(socket: Socket, count: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void): void => {
      socket.off('readable', attempt).off('close', closed).off('error', reject);
      finish();
    };
    const attempt = (): void => {
      const bytes = socket.read(count) as Uint8Array | null;
      if (bytes !== null) settle(() => resolve(bytes));
    };
    const closed = (): void => {
      settle(() => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    };
    socket.on('readable', attempt).on('close', closed).on('error', reject);
    attempt();
  });
}

function failure({ name }: ProxySettings, what: string): TransportError {
  return new TransportError('TRANSPORT_PROXY', `the proxy ${name} ${what}`);
}
