import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { it } from 'node:test';

import { openHttpTunnel } from './http-tunnel.ts';

it('leaves what the target said first to the next who reads', async () => {
  const server = createServer((socket) => {
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\nhello'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  const proxy = { kind: 'http', host: '127.0.0.1', port, name: 'proxy' } as const;
  const { signal } = new AbortController();
  await openHttpTunnel(socket, { host: 'api', port: 443 }, proxy, signal);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  assert.equal(chunk.toString(), 'hello');
  socket.destroy();
  server.close();
});
