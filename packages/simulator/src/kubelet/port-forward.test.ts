import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:https';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';

import { SpdyConnection, type SpdyStream } from 'client-ts/spdy';

import type { Program } from './program.ts';
import { TestCluster } from './test-cluster.ts';

/** Opens a SPDY connection to a subresource of a pod, as older clients do. */
async function openSpdy(
  { server }: TestCluster,
  path: string,
  protocol: string,
): Promise<SpdyConnection> {
  const call = request(`${server.url}/api/v1/namespaces/default/pods/${path}`, {
    method: 'POST',
    ca: server.ca,
    headers: {
      authorization: `Bearer ${server.token}`,
      connection: 'Upgrade',
      upgrade: 'SPDY/3.1',
      'x-stream-protocol-version': protocol,
    },
  });
  call.end();
  const [response, socket] = (await once(call, 'upgrade')) as [{ statusCode: number }, Duplex];
  assert.equal(response.statusCode, 101);
  return new SpdyConnection(socket, { role: 'client' });
}

/** Opens the two streams of a forwarded connection. */
function forward(
  connection: SpdyConnection,
  port: number,
  requestid: string,
): { readonly data: SpdyStream; readonly error: SpdyStream } {
  const headers = { port: String(port), requestid };
  const error = connection.open({ ...headers, streamtype: 'error' });
  error.end();
  return { error, data: connection.open({ ...headers, streamtype: 'data' }) };
}

describe('port-forward', () => {
  it('forwards connections over SPDY, each with its own end', async () => {
    await using cluster = await TestCluster.start();
    await cluster.pod('web', { command: ['echo-server', '7000'] });
    await cluster.get('/api/v1/namespaces/default/pods/web/log');
    using connection = await openSpdy(cluster, 'web/portforward', 'portforward.k8s.io');
    const one = forward(connection, 7000, '0');
    const two = forward(connection, 7000, '1');
    one.data.end('first');
    two.data.end('second');
    assert.deepEqual(await Promise.all([text(one.data), text(two.data)]), ['first', 'second']);
    assert.deepEqual(await Promise.all([text(one.error), text(two.error)]), ['', '']);
  });

  it('reports a port that nothing listens on, and goes on with the others', async () => {
    await using cluster = await TestCluster.start();
    await cluster.pod('web', { command: ['echo-server', '7000'] });
    await cluster.get('/api/v1/namespaces/default/pods/web/log');
    using connection = await openSpdy(cluster, 'web/portforward', 'portforward.k8s.io');
    const bad = forward(connection, 1, '0');
    assert.match(await text(bad.error), /^error forwarding port 1 to pod web.*connection refused$/);
    const good = forward(connection, 7000, '1');
    good.data.end('still here');
    assert.equal(await text(good.data), 'still here');
  });

  it('reports no error to a client that resets its stream after the answer, as kubectl does', async () => {
    const hello: Program = async ({ listen, signal }) => {
      using _port = listen(7000, (connection) => void connection.resume().end('hello'));
      await once(signal, 'abort');
      return 0;
    };
    await using cluster = await TestCluster.start({ programs: { hello } });
    await cluster.pod('web', { command: ['hello'] });
    await cluster.get('/api/v1/namespaces/default/pods/web/log');
    using connection = await openSpdy(cluster, 'web/portforward', 'portforward.k8s.io');
    const { data, error } = forward(connection, 7000, '0');
    let answer = '';
    for await (const chunk of data.iterator({ destroyOnReturn: false })) answer += String(chunk);
    data.destroy();
    assert.equal(answer, 'hello');
    assert.equal(await text(error), '');
  });

  it('refuses streams without a valid port or type', async () => {
    await using cluster = await TestCluster.start();
    await cluster.pod('web');
    using connection = await openSpdy(cluster, 'web/portforward', 'portforward.k8s.io');
    for (const headers of [
      {},
      { port: '0', streamtype: 'data' },
      { port: '80', streamtype: 'x' },
    ]) {
      const [error] = (await once(connection.open(headers), 'error')) as [Error];
      assert.match(error.message, /reset the stream/);
    }
  });

  it('forwards a connection per port over channels of a WebSocket', async () => {
    await using cluster = await TestCluster.start();
    await cluster.pod('web', { command: ['echo-server', '7000'] });
    await cluster.get('/api/v1/namespaces/default/pods/web/log');
    const protocols = ['v4.channel.k8s.io'];
    const stream = cluster.open('web', 'portforward', { ports: ['7000', '1'] }, { protocols });
    await stream.opened();
    stream.send(0, 'hello');
    assert.equal(await stream.until(0, /hello/), '\x58\x1bhello');
    assert.match(await stream.until(3, /refused/), /error forwarding port 1 to pod web/);
    const missing = cluster.open('web', 'portforward', {}, { protocols });
    assert.equal((await missing.refused()).status, 400);
  });
});

describe('exec over SPDY', () => {
  it('has a stream for each input and output', async () => {
    await using cluster = await TestCluster.start();
    await cluster.pod('web');
    const query = 'stdin=1&stdout=1&command=cat';
    using connection = await openSpdy(cluster, `web/exec?${query}`, 'v4.channel.k8s.io');
    const [error, stdin, stdout] = ['error', 'stdin', 'stdout'].map((streamtype) =>
      connection.open({ streamtype }),
    ) as [SpdyStream, SpdyStream, SpdyStream];
    stdin.end('all of it');
    assert.equal(await text(stdout), 'all of it');
    assert.deepEqual(JSON.parse(await text(error)), { metadata: {}, status: 'Success' });
    await connection.closed;
  });
});
