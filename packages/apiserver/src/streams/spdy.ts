import type { Duplex } from 'node:stream';

import { type Clock, onAbort } from 'client-ts/internal';
import type { SpdyStream } from 'client-ts/spdy';

import type { UpgradableConnection } from '../http.ts';
import { IdleTimeout } from './idle-timeout.ts';

/** The header that negotiates the protocol inside of SPDY. */
const PROTOCOL_HEADER = 'x-stream-protocol-version';

/**
 * Upgrades a connection to SPDY with the first protocol of the client that is supported, and returns
 * it. Otherwise answers with a 403 and returns undefined.
 */
export function acceptSpdy(
  { request, socket, head }: UpgradableConnection,
  supported: readonly string[],
): string | undefined {
  const offered = request.headersDistinct[PROTOCOL_HEADER] ?? [];
  const wanted = offered.flatMap((line) => line.split(',').map((name) => name.trim()));
  const protocol = wanted.length === 0 ? '' : wanted.find((name) => supported.includes(name));
  if (protocol === undefined) {
    const text = `unable to upgrade: unable to negotiate protocol: client supports [${wanted.join(' ')}], server accepts [${supported.join(' ')}]`;
    const accepted = supported.map((name) => `X-Accepted-Stream-Protocol-Versions: ${name}\r\n`);
    const headers = `Content-Type: text/plain; charset=utf-8\r\nContent-Length: ${text.length}\r\nConnection: close\r\n`;
    socket.end(`HTTP/1.1 403 Forbidden\r\n${accepted.join('')}${headers}\r\n${text}`);
    return undefined;
  }
  const chosen = protocol === '' ? '' : `X-Stream-Protocol-Version: ${protocol}\r\n`;
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n${chosen}\r\n`,
  );
  if (head.length > 0) socket.unshift(head);
  return protocol;
}

/** Serves a SPDY connection until it is over. */
export async function serveSpdy(
  transport: Duplex,
  onStream: (stream: SpdyStream) => void,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const { SpdyConnection } = await import('client-ts/spdy');
  using connection = new SpdyConnection(transport, {
    role: 'server',
    onStream,
    onActivity: () => idle.touch(),
  });
  using idle = new IdleTimeout(clock, () => connection.close());
  using _stop = onAbort(signal, () => connection.close());
  await connection.closed;
}
