import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestServer } from '../testing/test-server.ts';
import type { TestEvent } from '../testing/test-watch.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';

async function given(server: TestServer, name: string, labels: object = {}): Promise<string> {
  const { metadata } = await server.given('post', MAPS, { metadata: { name, labels } });
  return metadata.resourceVersion ?? '';
}

async function relabel(server: TestServer, name: string, labels: object): Promise<string> {
  const { body } = await server.patch('merge', `${MAPS}/${name}`, { metadata: { labels } });
  return body.metadata.resourceVersion ?? '';
}

/** Returns type, name and version of each event. */
function brief(events: readonly TestEvent[]): string[] {
  return events.map(
    ({ type, object: { metadata } }) => `${type} ${metadata.name} ${metadata.resourceVersion}`,
  );
}

describe('a watch', () => {
  for (const query of ['', '&resourceVersion=0', '&resourceVersion=']) {
    it(`starts with the current state for “${query}” and continues with changes`, async () => {
      using server = new TestServer();
      const first = [await given(server, 'b'), await given(server, 'a')];
      const watch = await server.watch(`${MAPS}?watch=1${query}`);
      assert.equal(watch.status, 200);
      assert.equal(watch.headers['content-type'], 'application/json');
      assert.deepEqual(brief(await watch.take()), [`ADDED a ${first[1]}`, `ADDED b ${first[0]}`]);
      const changed = await relabel(server, 'a', { x: 'y' });
      await server.delete(`${MAPS}/b`);
      assert.deepEqual(brief(await watch.take()), [
        `MODIFIED a ${changed}`,
        `DELETED b ${server.revision}`,
      ]);
    });
  }

  it('starts after a version, with everything since', async () => {
    using server = new TestServer();
    const version = await given(server, 'a');
    const changed = await relabel(server, 'a', { x: 'y' });
    const added = await given(server, 'b');
    const watch = await server.watch(`${MAPS}?watch=1&resourceVersion=${version}`);
    assert.deepEqual(brief(await watch.take()), [`MODIFIED a ${changed}`, `ADDED b ${added}`]);
  });

  it('covers one namespace, or all', async () => {
    using server = new TestServer();
    const [one, all] = await Promise.all([
      server.watch(`${MAPS}?watch=1`),
      server.watch('/api/v1/configmaps?watch=1'),
    ]);
    await given(server, 'a');
    await server.given('post', '/api/v1/namespaces/kube-public/configmaps', {
      metadata: { name: 'b' },
    });
    assert.deepEqual(await one.takeBriefly(), ['ADDED a']);
    assert.deepEqual(await all.takeBriefly(), ['ADDED a', 'ADDED b']);
  });

  it('turns updates into additions and deletions by its selector', async () => {
    using server = new TestServer();
    await given(server, 'a', { color: 'red' });
    const watch = await server.watch(`${MAPS}?watch=1&labelSelector=color%3Dblue`);
    await relabel(server, 'a', { color: 'blue' });
    await relabel(server, 'a', { color: 'blue', size: 'big' });
    const left = await relabel(server, 'a', { color: 'red' });
    await relabel(server, 'a', { size: 'small' });
    await server.delete(`${MAPS}/a`);
    const events = await watch.take();
    assert.deepEqual(
      events.map(({ type }) => type),
      ['ADDED', 'MODIFIED', 'DELETED'],
    );
    // The last matching state, with the version of the change.
    const { metadata } = events[2]?.object ?? { metadata: {} };
    assert.deepEqual(metadata.labels, { color: 'blue', size: 'big' });
    assert.equal(metadata.resourceVersion, left);
  });

  it('filters by fields, also by the name in an old path', async () => {
    using server = new TestServer();
    const watches = [
      await server.watch(`${MAPS}?watch=1&fieldSelector=metadata.name%3Da`),
      await server.watch('/api/v1/watch/namespaces/default/configmaps/a'),
    ];
    await given(server, 'a');
    await given(server, 'b');
    for (const watch of watches) assert.deepEqual(await watch.takeBriefly(), ['ADDED a']);
  });

  it('does not report writes without changes or dry runs', async () => {
    using server = new TestServer();
    await given(server, 'a', { x: 'y' });
    const watch = await server.watch(`${MAPS}?watch=1&resourceVersion=${server.revision}`);
    await relabel(server, 'a', { x: 'y' });
    await server.post(`${MAPS}?dryRun=All`, { metadata: { name: 'b' } });
    await server.delete(`${MAPS}/a?dryRun=All`);
    assert.deepEqual(await watch.take(), []);
  });

  it('is silent until a future version is passed', async () => {
    using server = new TestServer();
    const watch = await server.watch(`${MAPS}?watch=1&resourceVersion=${server.revision + 2}`);
    await given(server, 'a');
    await given(server, 'b');
    await given(server, 'c');
    assert.deepEqual(await watch.takeBriefly(), ['ADDED c']);
  });

  it('reports an expired version in the stream', async () => {
    using server = new TestServer();
    const version = await given(server, 'a');
    await given(server, 'b');
    const { store } = server.backend.core;
    store.compact();
    const watch = await server.watch(`${MAPS}?watch=1&resourceVersion=${version}`);
    assert.equal(watch.status, 200);
    const [event] = await watch.take();
    assert.equal(event?.type, 'ERROR');
    assert.equal(event?.object.code, 410);
    assert.equal(
      event?.object.message,
      `too old resource version: ${version} (${store.compactedRevision('//configmaps/')})`,
    );
    assert.equal(watch.outcome, 'end');
  });

  it('has another message for resources without a watch cache', async () => {
    using server = new TestServer();
    const events = '/api/v1/namespaces/default/events';
    const event = { metadata: { name: 'e' }, involvedObject: { namespace: 'default' } };
    const { metadata } = await server.given('post', events, event);
    await server.delete(`${events}/e`);
    server.backend.core.store.compact();
    const watch = await server.watch(
      `${events}?watch=1&resourceVersion=${metadata.resourceVersion}`,
    );
    const [error] = await watch.take();
    assert.equal(error?.object.message, 'The resourceVersion for the provided watch is too old.');
  });

  it('ends silently if an event would have to be a list', async () => {
    using server = new TestServer();
    await given(server, 'a');
    const accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
    const watch = await server.watch(`${MAPS}?watch=1`, { headers: { accept } });
    assert.deepEqual(await watch.take(), []);
    assert.equal(watch.outcome, 'end');
  });
});

describe('sendInitialEvents', () => {
  const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';

  it('marks the end of the initial state', async () => {
    using server = new TestServer();
    await given(server, 'a');
    const bookmarks = `${MAPS}?${query}&allowWatchBookmarks=true`;
    const watch = await server.watch(bookmarks);
    const [added, bookmark, ...rest] = await watch.take();
    assert.equal(added?.type, 'ADDED');
    assert.equal(bookmark?.type, 'BOOKMARK');
    assert.deepEqual(bookmark?.object.metadata, {
      resourceVersion: String(server.revision),
      annotations: { 'k8s.io/initial-events-end': 'true' },
    });
    assert.deepEqual(rest, []);
    await given(server, 'b');
    assert.deepEqual(await watch.takeBriefly(), ['ADDED b']);
  });

  it('does not mark it without bookmarks', async () => {
    using server = new TestServer();
    await given(server, 'a');
    const watch = await server.watch(`${MAPS}?${query}`);
    assert.deepEqual(await watch.takeBriefly(), ['ADDED a']);
  });

  it('sends no initial state if false', async () => {
    using server = new TestServer();
    await given(server, 'a');
    const without = query.replace('=true', '=false');
    const watch = await server.watch(`${MAPS}?${without}&allowWatchBookmarks=true`);
    await given(server, 'b');
    assert.deepEqual(await watch.takeBriefly(), ['ADDED b']);
  });

  it('waits three seconds for a future version, then fails', async () => {
    using server = new TestServer();
    const path = `${MAPS}?${query}&resourceVersion=${server.revision + 1}`;
    const [early, late] = [server.watch(path), server.watch(path)];
    await server.clock.advance(2999);
    await given(server, 'a');
    assert.deepEqual(await (await early).takeBriefly(), ['ADDED a']);
    assert.deepEqual(await (await late).takeBriefly(), ['ADDED a']);

    const never = server.watch(`${MAPS}?${query}&resourceVersion=${server.revision + 1}`);
    await server.clock.advance(3000);
    const [event] = await (await never).take();
    assert.equal(event?.type, 'ERROR');
    assert.equal(event?.object.code, 504);
    assert.equal(event?.object.details?.causes?.[0]?.reason, 'ResourceVersionTooLarge');
  });
});
