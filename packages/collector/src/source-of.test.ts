import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it } from 'node:test';

import { ApiServer } from '@client-ts/apiserver';
import { Clientset } from 'client-ts/kubernetes';

import { sourceOf } from './source-of.ts';

const { signal } = new AbortController();
/** The same for all, as on a machine where clusters come and go. */
const server = 'https://127.0.0.1:6443';

it('tells clusters at the same address apart, and namespaces', async () => {
  const sources = new Set<string>();
  for (let round = 0; round < 2; round += 1) {
    await using cluster = await ApiServer.start();
    await using client = new Clientset(cluster.config);
    const all = await sourceOf(client, { server, namespace: undefined, signal });
    assert.equal(await sourceOf(client, { server, namespace: undefined, signal }), all);
    sources.add(all);
    sources.add(await sourceOf(client, { server, namespace: 'shop', signal }));
  }
  assert.equal(sources.size, 4);
});

it('goes by the address where it may not look', async () => {
  await using cluster = await ApiServer.start({ authorization: 'rbac' });
  await using client = new Clientset({ ...cluster.config, impersonate: { user: 'nobody' } });
  assert.equal(await sourceOf(client, { server, namespace: undefined, signal }), server);
});

it('goes by the address where the answer has no uid', async (t) => {
  const other = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end('{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"kube-system"}}');
  });
  await new Promise<void>((resolve) => {
    other.listen(0, '127.0.0.1', resolve);
  });
  t.after(() => {
    other.closeAllConnections();
    other.close();
  });
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  await using client = new Clientset({ server: url });
  assert.equal(await sourceOf(client, { server, namespace: undefined, signal }), server);
});
