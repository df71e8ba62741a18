import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

import { onAbort } from '../../lib/signal.ts';
import { nodeHttp } from '../node-modules.ts';
import { TransportError } from '../transport-error.ts';
import type { HostAndPort } from './no-proxy.ts';
import type { ProxySettings } from './proxy-settings.ts';

/**
 * Asks an HTTP proxy, on a socket that is connected to it, for a way to the target. When it
 * resolves, what is written to the socket arrives at the target.
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
  // What the target sent on its own belongs to the next who reads.
  if (rest.length > 0) socket.unshift(rest);
}

function refusal(name: string, status: number): TransportError {
  return status === 407
    ? new TransportError('TRANSPORT_PROXY', `the proxy ${name} wants credentials`, {
        retry: 'never',
        hint: 'Put them into the URL of the proxy: http://user:password@host:port.',
      })
    : new TransportError(
        'TRANSPORT_PROXY',
        `the proxy ${name} refuses to connect: status ${status}`,
      );
}
