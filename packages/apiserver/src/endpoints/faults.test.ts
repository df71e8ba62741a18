import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestServer } from '../testing/test-server.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';

/** Faults have their own tests; these check their effect on the real API. */
describe('faults and the API', () => {
  it('lose the response to a write that took effect', async () => {
    using server = new TestServer();
    const fault = { kind: 'reset', at: 'after-handling' } as const;
    using _ = server.backend.faults.add({ match: { verb: 'create' }, fault, count: 1 });
    await assert.rejects(server.post(MAPS, { metadata: { name: 'a' } }), { code: 'ECONNRESET' });
    // A retry finds the object of the first attempt.
    const again = await server.post(MAPS, { metadata: { name: 'a' } });
    assert.equal(again.status, 409);
  });

  it('prevent a write from taking effect', async () => {
    using server = new TestServer();
    const fault = { kind: 'status', code: 503, retryAfterSeconds: 2 } as const;
    using _ = server.backend.faults.add({ match: { resource: 'configmaps' }, fault, count: 1 });
    const refused = await server.post(MAPS, { metadata: { name: 'a' } });
    assert.equal(refused.status, 503);
    assert.equal(refused.headers['retry-after'], '2');
    assert.equal((await server.get(`${MAPS}/a`)).status, 404);
  });

  it("delay requests on the server's clock", async () => {
    using server = new TestServer();
    await server.settle();
    using _ = server.backend.faults.add({ fault: { kind: 'latency', ms: 500 } });
    const answer = server.post(MAPS, { metadata: { name: 'a' } });
    await server.clock.advance(499);
    assert.equal(server.backend.core.store.get('//configmaps/default/a'), undefined);
    await server.clock.advance(1);
    assert.equal((await answer).status, 201);
    assert.equal(server.clock.pending, 0);
  });

  it('break a watch after some events, from which another one resumes', async () => {
    using server = new TestServer();
    const fault = { kind: 'reset', afterEvents: 2 } as const;
    using _ = server.backend.faults.add({ match: { verb: 'watch' }, fault, count: 1 });
    const from = server.revision;
    const watch = await server.watch(`${MAPS}?watch=1&resourceVersion=${from}`);
    for (const name of ['a', 'b', 'c']) await server.given('post', MAPS, { metadata: { name } });
    const events = await watch.take();
    assert.deepEqual(
      events.map(({ object }) => object.metadata.name),
      ['a', 'b'],
    );
    assert.equal((watch.outcome as { code?: string }).code, 'ECONNRESET');
    const version = events.at(-1)?.object.metadata.resourceVersion;
    const next = await server.watch(`${MAPS}?watch=1&resourceVersion=${version}`);
    assert.deepEqual(await next.takeBriefly(), ['ADDED c']);
  });

  it('expire a watch', async () => {
    using server = new TestServer();
    const fault = { kind: 'error-event', afterEvents: 1, code: 410 } as const;
    using _ = server.backend.faults.add({ match: { verb: 'watch' }, fault, count: 1 });
    const watch = await server.watch(`${MAPS}?watch=1&resourceVersion=${server.revision}`);
    await server.given('post', MAPS, { metadata: { name: 'a' } });
    const [added, error] = await watch.take();
    assert.equal(added?.type, 'ADDED');
    assert.equal(error?.type, 'ERROR');
    assert.equal(error?.object.code, 410);
    assert.equal(watch.outcome, 'end');
  });

  it('leave no timer behind after breaking a watch', async () => {
    using server = new TestServer();
    const fault = { kind: 'end-stream', afterEvents: 1 } as const;
    using _ = server.backend.faults.add({ match: { verb: 'watch' }, fault });
    const watch = await server.watch(`${MAPS}?watch=1&resourceVersion=${server.revision}`);
    await server.given('post', MAPS, { metadata: { name: 'a' } });
    await watch.take();
    assert.equal(watch.outcome, 'end');
    await server.settle();
    assert.equal(server.clock.pending, 0);
  });
});
