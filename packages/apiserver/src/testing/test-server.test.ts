import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestServer } from './test-server.ts';

describe('TestServer', () => {
  it('is the whole server, on a clock that stands still', async () => {
    using server = new TestServer();
    const { status, body } = await server.get('/api/v1/namespaces/default');
    assert.equal(status, 200);
    assert.equal(body.metadata.creationTimestamp, '2026-01-01T00:00:00Z');
    await server.settle();
    assert.equal(server.clock.pending, 0);
  });

  it('is deterministic', async () => {
    const uids = [];
    for (const _ of [1, 2]) {
      using server = new TestServer();
      const { metadata } = await server.given('post', '/api/v1/namespaces', {
        metadata: { generateName: 'a-' },
      });
      uids.push(`${metadata.name} ${metadata.uid}`);
    }
    assert.equal(uids[0], uids[1]);
  });

  it('collects the events of a watch', async () => {
    using server = new TestServer();
    const watch = await server.watch('/api/v1/namespaces?watch=1&resourceVersion=1000000');
    assert.equal(watch.status, 200);
    await server.given('post', '/api/v1/namespaces', { metadata: { name: 'a' } });
    assert.deepEqual(await watch.takeBriefly(), []);
    const other = await server.watch('/api/v1/namespaces?watch=1&fieldSelector=metadata.name=a');
    assert.deepEqual(await other.takeBriefly(), ['ADDED a']);
    assert.deepEqual(await other.takeBriefly(), []);
  });

  it('throws if a precondition of a test fails', async () => {
    using server = new TestServer();
    await assert.rejects(server.given('post', '/api/v1/namespaces', {}), /422/);
  });
});
