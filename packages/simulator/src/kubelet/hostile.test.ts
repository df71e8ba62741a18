import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { describe, it } from 'node:test';

import fc from 'fast-check';

import { TestCluster } from './test-cluster.ts';

/** Sends an upgrade request and what follows it, and resolves when the server has closed. */
async function attack(
  { server }: TestCluster,
  path: string,
  headers: readonly string[],
  bytes: readonly Uint8Array[],
): Promise<void> {
  const { hostname: host, port } = new URL(server.url);
  const socket: TLSSocket = connect({ host, port: Number(port), ca: server.ca });
  socket.on('error', () => undefined);
  socket.resume();
  const lines = [
    `GET /api/v1/namespaces/default/pods/web/${path} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${server.token}`,
    'Connection: Upgrade',
    ...headers,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  for (const part of bytes) socket.write(part);
  socket.end();
  if (!socket.destroyed) await once(socket, 'close');
}

const webSocket = (protocol: string): string[] => [
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  `Sec-WebSocket-Protocol: ${protocol}`,
];

/** A masked frame with any first byte: reserved bits, unknown opcodes and fragments included. */
const frame = fc
  .tuple(fc.nat({ max: 255 }), fc.uint8Array({ maxLength: 20 }))
  .map(([first, data]) => Buffer.from([first, 0x80 | data.length, 0, 0, 0, 0, ...data]));
const bytes = fc.array(fc.oneof(frame, fc.uint8Array({ maxLength: 30 })), { maxLength: 6 });
const kind = fc.constantFrom(
  ['exec?stdin=1&stdout=1&tty=1&command=cat', webSocket('v5.channel.k8s.io')] as const,
  ['exec?stdin=1&stdout=1&command=cat', webSocket('v4.base64.channel.k8s.io')] as const,
  ['attach?stdin=1&stdout=1', webSocket('v4.channel.k8s.io')] as const,
  ['portforward', webSocket('SPDY/3.1+portforward.k8s.io')] as const,
  ['portforward?ports=80', webSocket('v4.channel.k8s.io')] as const,
  ['portforward', ['Upgrade: SPDY/3.1', 'X-Stream-Protocol-Version: portforward.k8s.io']] as const,
  ['exec?stdout=1&command=cat', ['Upgrade: SPDY/3.1']] as const,
  ['log?follow=1', webSocket('base64.binary.k8s.io')] as const,
  ['exec?command=cat', ['Upgrade: h2c']] as const,
);

describe('hostile clients', () => {
  it('do not harm the server, whatever they send after an upgrade', async () => {
    const errors: unknown[] = [];
    await using cluster = await TestCluster.start({ onError: (error) => errors.push(error) });
    await cluster.pod('web', { command: ['cat'], stdin: true });
    await fc.assert(
      fc.asyncProperty(kind, bytes, async ([path, headers], parts) => {
        await attack(cluster, path, headers, parts);
      }),
      { numRuns: 150 },
    );
    const query = { stdout: 'true', command: ['echo', 'alive'] };
    const stream = cluster.open('web', 'exec', query);
    assert.equal((await stream.result()).status, 'Success');
    assert.deepEqual(errors, []);
  });

  it('cannot send a message of any size', async () => {
    await using cluster = await TestCluster.start();
    await cluster.pod('web');
    const stream = cluster.open('web', 'exec', { stdin: '1', stdout: '1', command: 'cat' });
    await stream.opened();
    stream.socket.send(Buffer.alloc(33 * 1024 * 1024));
    const [code] = (await once(stream.socket, 'close')) as [number];
    assert.equal(code, 1009);
  });
});
