import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { TestObject } from '../testing/test-object.ts';
import { TestServer } from '../testing/test-server.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const PODS = '/api/v1/namespaces/default/pods';

async function given(server: TestServer, name: string, metadata: object = {}): Promise<TestObject> {
  return await server.given('post', MAPS, { metadata: { name, ...metadata } });
}

async function pod(server: TestServer, name: string, spec: object = {}): Promise<TestObject> {
  return await server.given('post', PODS, {
    metadata: { name },
    spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
  });
}

describe('delete', () => {
  it('returns a Status with the details of the object for most kinds', async () => {
    using server = new TestServer();
    const { metadata } = await given(server, 'a');
    const { status, body } = await server.delete(`${MAPS}/a`);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'a', kind: 'configmaps', uid: metadata.uid },
    });
    assert.equal((await server.delete(`${MAPS}/a`)).status, 404);
  });

  it('returns the object at the revision of its deletion for some kinds', async () => {
    using server = new TestServer();
    await pod(server, 'p');
    const { body } = await server.delete(`${PODS}/p`);
    assert.equal(body.kind, 'Pod');
    assert.equal(body.metadata.resourceVersion, String(server.revision));
    assert.equal((await server.get(`${PODS}/p`)).status, 404);
  });

  it('gives pods on a node their grace period', async () => {
    using server = new TestServer();
    await pod(server, 'p', { nodeName: 'n', terminationGracePeriodSeconds: 20 });
    const watch = await server.watch(`${PODS}?watch=1&resourceVersion=${server.revision}`);
    const first = await server.delete(`${PODS}/p`);
    const { deletionTimestamp, deletionGracePeriodSeconds } = first.body.metadata;
    assert.equal(deletionTimestamp, '2026-01-01T00:00:20Z');
    assert.equal(deletionGracePeriodSeconds, 20);
    await server.clock.advance(5000);
    assert.deepEqual((await server.delete(`${PODS}/p`)).body, first.body);
    const sooner = await server.delete(`${PODS}/p`, { gracePeriodSeconds: 10 });
    assert.equal(sooner.body.metadata.deletionTimestamp, '2026-01-01T00:00:10Z');
    await server.delete(`${PODS}/p?gracePeriodSeconds=0`);
    assert.deepEqual(await watch.takeBriefly(), [
      'MODIFIED p',
      'MODIFIED p',
      'MODIFIED p',
      'DELETED p',
    ]);
  });

  it('ignores the query if there is a body', async () => {
    using server = new TestServer();
    await given(server, 'a');
    const { status } = await server.delete(`${MAPS}/a?dryRun=All`, {});
    assert.equal(status, 200);
    assert.equal((await server.get(`${MAPS}/a`)).status, 404);
  });

  it('checks preconditions', async () => {
    using server = new TestServer();
    const { metadata } = await given(server, 'a');
    const { uid, resourceVersion } = metadata;
    const attempt = async (preconditions: object): Promise<number> =>
      (await server.delete(`${MAPS}/a`, { preconditions })).status;
    assert.equal(await attempt({ uid: 'x' }), 409);
    assert.equal(await attempt({ resourceVersion: '1' }), 409);
    assert.equal(await attempt({ uid, resourceVersion }), 200);
  });

  it('reads its options in every encoding', async () => {
    using server = new TestServer();
    for (const name of ['a', 'b']) await given(server, name);
    const yaml = Buffer.from('kind: DeleteOptions\napiVersion: v1\ndryRun:\n- All\n');
    const dry = await server.send('DELETE', `${MAPS}/a`, yaml, {
      headers: { 'content-type': 'application/yaml' },
    });
    assert.equal(dry.status, 200);
    assert.equal((await server.get(`${MAPS}/a`)).status, 200);
    const text = await server.send('DELETE', `${MAPS}/a`, Buffer.from('x'), {
      headers: { 'content-type': 'text/plain' },
    });
    assert.equal(text.status, 415);
  });

  for (const [body, message] of [
    [
      '{"propagationPolicy":"Odd"}',
      /supported values: "Foreground", "Background", "Orphan", "nil"/,
    ],
    [
      '{"propagationPolicy":"Orphan","orphanDependents":true}',
      /orphanDependents and deletionPropagation cannot be both set/,
    ],
    ['{"dryRun":["Some"]}', /dryRun: Unsupported value: \["Some"\]: supported values: "All"/],
    ['{"kind":"Pod","apiVersion":"v1"}', /no kind "Pod" is registered for version "v1"/],
    ['[]', /cannot unmarshal array into Go value/],
    ['nonsense', /invalid character 'o' in literal null/],
  ] as const) {
    it(`rejects ${body}`, async () => {
      using server = new TestServer();
      await given(server, 'a');
      const answer = await server.send('DELETE', `${MAPS}/a`, Buffer.from(body));
      assert.ok([400, 422].includes(answer.status), answer.text);
      assert.match(answer.body.message ?? '', message);
      assert.equal((await server.get(`${MAPS}/a`)).status, 200);
    });
  }
});

describe('deletecollection', () => {
  it('deletes what the selectors match and returns it unchanged', async () => {
    using server = new TestServer();
    await given(server, 'a', { labels: { go: 'yes' } });
    await given(server, 'b');
    await given(server, 'c', { labels: { go: 'yes' }, finalizers: ['x.y/z'] });
    const before = await server.get(`${MAPS}?labelSelector=go`);
    const { status, body } = await server.delete(`${MAPS}?labelSelector=go`);
    assert.equal(status, 200);
    assert.equal(body.kind, 'ConfigMapList');
    assert.deepEqual(body.items, before.body.items);
    const { body: rest } = await server.get(MAPS);
    assert.deepEqual(
      rest.items?.map(
        ({ metadata }) => `${metadata.name} ${metadata.deletionTimestamp ?? 'stays'}`,
      ),
      ['b stays', 'c 2026-01-01T00:00:00Z'],
    );
  });

  it('is limited to its namespace', async () => {
    using server = new TestServer();
    await given(server, 'a');
    const other = '/api/v1/namespaces/kube-public/configmaps';
    await server.given('post', other, { metadata: { name: 'a' } });
    await server.delete(MAPS);
    assert.equal((await server.get(`${other}/a`)).status, 200);
    assert.equal((await server.delete('/api/v1/configmaps')).status, 405);
  });
});
