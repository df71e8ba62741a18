import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, request } from 'node:https';
import type { Duplex, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';

import { KubeletServer } from '@client-ts/apiserver';
import { SpdyConnection } from 'client-ts/spdy';

import { FakeKubelet } from './fake-kubelet.ts';

const pod = {
  metadata: { name: 'web', namespace: 'default', uid: '1' },
  spec: { containers: [{ name: 'app', image: 'app', command: ['echo', 'hello'] }] },
};

async function read(url: string): Promise<[number | undefined, string]> {
  const call = get(url, { rejectUnauthorized: false });
  const [response] = (await once(call, 'response')) as [Readable & { statusCode?: number }];
  return [response.statusCode, await text(response)];
}

describe('KubeletServer', () => {
  it('serves the logs of containers, and refusals as text', async () => {
    await using kubelet = new FakeKubelet();
    await using server = await KubeletServer.start(kubelet);
    await kubelet.start(pod, 'app');
    const logs = `${server.url}/containerLogs/default/web/app`;
    assert.deepEqual(await read(logs), [200, 'hello\n']);
    assert.deepEqual(await read(`${logs}?limitBytes=2`), [200, 'he']);
    assert.equal((await read(`${logs}?previous=true`))[0], 400);
    assert.equal((await read(`${server.url}/containerLogs/default/none/app`))[0], 404);
    assert.deepEqual(await read(`${server.url}/healthz`), [200, 'ok']);
  });

  it('runs commands over SPDY, as an API server asks for them', async () => {
    await using kubelet = new FakeKubelet({ programs: { echo: ({ signal }) => wait(signal) } });
    await using server = await KubeletServer.start(kubelet);
    void kubelet.start(pod, 'app');
    const query = 'input=1&output=1&command=cat';
    const call = request(`${server.url}/exec/default/web/app?${query}`, {
      method: 'POST',
      rejectUnauthorized: false,
      headers: {
        connection: 'Upgrade',
        upgrade: 'SPDY/3.1',
        'x-stream-protocol-version': 'v4.channel.k8s.io',
      },
    });
    call.end();
    const [, socket] = (await once(call, 'upgrade')) as [unknown, Duplex];
    using connection = new SpdyConnection(socket, { role: 'client' });
    const error = connection.open({ streamtype: 'error' });
    connection.open({ streamtype: 'stdin' }).end('to and fro');
    const stdout = connection.open({ streamtype: 'stdout' });
    assert.equal(await text(stdout), 'to and fro');
    assert.match(await text(error), /"Success"/);
  });
});

async function wait(signal: AbortSignal): Promise<number> {
  await once(signal, 'abort');
  return 0;
}
