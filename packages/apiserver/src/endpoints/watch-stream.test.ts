import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { nextTurn } from 'client-ts/internal';

import { isPollable } from '../http.ts';
import type { Entry } from '../store/store.ts';
import { TestServer } from '../testing/test-server.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const OTHERS = '/api/v1/namespaces/kube-public/configmaps';
const MINUTE = 60_000;

async function given(server: TestServer, name: string, path = MAPS, data = ''): Promise<void> {
  await server.given('post', path, { metadata: { name }, data: { data } });
  // Requests over sockets take more than one turn; without a server in between they take none.
  await nextTurn();
}

function firstOf([entry]: readonly Entry[]): object {
  assert.ok(entry !== undefined);
  return entry.value;
}

/** Opens a watch as a socket does, and notes the names that it sends. */
async function polled(
  server: TestServer,
  url: string,
  watch: string,
  sent: string[],
): Promise<AsyncIterator<Uint8Array>> {
  const { handler, token } = server.backend;
  const { signal } = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const body = async (): Promise<Uint8Array> => new Uint8Array();
  const response = await handler({ method: 'GET', url, headers, peer: {}, signal, body });
  const stream = response.body as AsyncIterable<Uint8Array>;
  assert.ok(isPollable(stream));
  const pull = (): void => {
    for (let next = stream.poll(pull); next?.done === false; next = stream.poll(pull)) {
      const names = Buffer.from(next.value)
        .toString()
        .matchAll(/"name":"(\w)"/g);
      sent.push(`${watch} ${[...names].map(([, name]) => name).join('')}`);
    }
  };
  pull();
  return stream;
}

describe('bookmarks', () => {
  it('are sent every minute, with the newest version of all resources', async () => {
    using server = new TestServer();
    const watch = await server.watch(
      `${MAPS}?watch=1&allowWatchBookmarks=true&resourceVersion=${server.revision}`,
    );
    await server.clock.advance(MINUTE - 1);
    await server.given('post', '/api/v1/namespaces', { metadata: { name: 'elsewhere' } });
    assert.deepEqual(await watch.take(), []);
    await server.clock.advance(1);
    assert.deepEqual(await watch.take(), [
      {
        type: 'BOOKMARK',
        object: {
          kind: 'ConfigMap',
          apiVersion: 'v1',
          metadata: { resourceVersion: String(server.revision) },
        },
      },
    ]);
    await server.clock.advance(2 * MINUTE);
    assert.equal((await watch.take()).length, 2);
  });

  it('are sent a last time two seconds before the end', async () => {
    using server = new TestServer();
    const watch = await server.watch(
      `${MAPS}?watch=1&allowWatchBookmarks=1&timeoutSeconds=100&resourceVersion=${server.revision}`,
    );
    const times: number[] = [];
    for (let second = 1; second <= 100; second += 1) {
      await server.clock.advance(1000);
      for (const { type } of await watch.take()) if (type === 'BOOKMARK') times.push(second);
    }
    assert.deepEqual(times, [60, 98]);
    assert.equal(watch.outcome, 'end');
  });

  it('are not sent before the server has reached the version of the watch', async () => {
    using server = new TestServer();
    const version = server.revision + 3;
    const watch = await server.watch(
      `${MAPS}?watch=1&allowWatchBookmarks=true&resourceVersion=${version}`,
    );
    await given(server, 'a');
    await server.clock.advance(5 * MINUTE);
    assert.deepEqual(await watch.take(), []);
    for (const name of ['b', 'c']) await given(server, name);
    await server.clock.advance(MINUTE);
    const [bookmark] = await watch.take();
    assert.equal(bookmark?.object.metadata.resourceVersion, String(version));
  });

  it('are not sent unless requested, and never for events', async () => {
    using server = new TestServer();
    const from = `resourceVersion=${server.revision}`;
    const silent = [
      await server.watch(`${MAPS}?watch=1&${from}`),
      await server.watch(`${MAPS}?watch=1&allowWatchBookmarks=false&${from}`),
      await server.watch(`/api/v1/events?watch=1&allowWatchBookmarks=true&${from}`),
    ];
    await server.clock.advance(5 * MINUTE);
    for (const watch of silent) assert.deepEqual(await watch.take(), []);
  });

  it('let a client resume after everything else has expired', async () => {
    using server = new TestServer();
    const watch = await server.watch(
      `${MAPS}?watch=1&allowWatchBookmarks=1&resourceVersion=${server.revision}`,
    );
    for (const name of ['a', 'b']) await given(server, name, OTHERS);
    server.backend.core.store.compact();
    await server.clock.advance(MINUTE);
    const [bookmark] = await watch.take();
    assert.equal(bookmark?.type, 'BOOKMARK');
    const version = bookmark.object.metadata.resourceVersion ?? '';
    assert.equal(version, String(server.revision));
    const again = await server.watch(`${MAPS}?watch=1&resourceVersion=${version}`);
    await given(server, 'c');
    assert.deepEqual(await again.takeBriefly(), ['ADDED c']);
  });

  it('are sent to an idle watch after more writes to other namespaces than the history keeps', async () => {
    using server = new TestServer({ historyLimit: 10 });
    const watch = await server.watch(
      `${MAPS}?watch=1&allowWatchBookmarks=1&resourceVersion=${server.revision}`,
    );
    for (let minute = 0; minute < 2; minute += 1) {
      for (let index = 0; index < 30; index += 1) {
        await given(server, `m-${minute}-${index}`, OTHERS);
      }
      await server.clock.advance(MINUTE);
      assert.deepEqual(await watch.takeBriefly(), ['BOOKMARK']);
    }
    await given(server, 'a');
    assert.deepEqual(await watch.takeBriefly(), ['ADDED a']);
  });
});

describe('the end of a watch', () => {
  it('comes after timeoutSeconds', async () => {
    using server = new TestServer();
    const watch = await server.watch(`${MAPS}?watch=1&timeoutSeconds=7`);
    await server.clock.advance(6999);
    assert.equal(watch.outcome, undefined);
    await server.clock.advance(1);
    await watch.take();
    assert.equal(watch.outcome, 'end');
    assert.equal(server.clock.pending, 0);
  });

  it('comes after 30 to 60 minutes by default', async () => {
    using server = new TestServer();
    const watches = [];
    for (let count = 0; count < 20; count += 1) watches.push(await server.watch(`${MAPS}?watch=1`));
    await server.clock.advance(30 * MINUTE - 1);
    assert.ok(watches.every(({ outcome }) => outcome === undefined));
    await server.clock.advance(15 * MINUTE);
    const ended = watches.filter(({ outcome }) => outcome === 'end').length;
    assert.ok(ended > 0 && ended < 20, `${ended} of 20`);
    await server.clock.advance(15 * MINUTE);
    assert.ok(watches.every(({ outcome }) => outcome === 'end'));
  });

  it('is on time, however much there is to send', async () => {
    using server = new TestServer();
    const { body } = await server.open(`${MAPS}?watch=1&timeoutSeconds=5`);
    const chunks = body[Symbol.asyncIterator]();
    for (const name of ['a', 'b']) await given(server, name, MAPS, 'x'.repeat(70_000));
    assert.equal((await chunks.next()).done, false);
    await server.clock.advance(5000);
    assert.equal((await chunks.next()).done, true);
  });

  it('releases everything when the client disconnects, at any point', async () => {
    using server = new TestServer();
    const abort = new AbortController();
    const { signal } = abort;
    const path = `${MAPS}?watch=1&allowWatchBookmarks=1`;
    await given(server, 'a');
    const [unread, half, waiting] = [
      await server.open(path, { signal }),
      await server.open(path, { signal }),
      await server.watch(path),
    ];
    await half.body[Symbol.asyncIterator]().next();
    await waiting.take();
    await server.settle();
    assert.ok(server.clock.pending > 0);
    abort.abort();
    waiting.close();
    await nextTurn();
    assert.equal(server.clock.pending, 0);
    await assert.rejects(async () => await unread.body[Symbol.asyncIterator]().next());
  });
});

describe('an open watch', () => {
  it('does not keep the state that it began with', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    using server = new TestServer();
    const { store } = server.backend.core;
    await given(server, 'a');
    const watch = await server.watch(`${MAPS}?watch=1`);
    assert.deepEqual(await watch.takeBriefly(), ['ADDED a']);
    const reference = new WeakRef(firstOf(store.range({ prefix: '//configmaps/default/' })));
    await server.delete(`${MAPS}/a`);
    assert.deepEqual(await watch.takeBriefly(), ['DELETED a']);
    store.compact();
    // A weak reference keeps its object alive until the turn ends.
    await nextTurn();
    collectGarbage();
    assert.equal(reference.deref(), undefined);
  });
});

describe('a slow watcher', () => {
  /** Each of these fills a chunk. */
  const large = 'x'.repeat(70_000);

  it('does not delay others, and gets everything in order when it reads', async () => {
    using server = new TestServer();
    const { body } = await server.open(`${MAPS}?watch=1&resourceVersion=${server.revision}`);
    const quick = await server.watch(`${MAPS}?watch=1&resourceVersion=${server.revision}`);
    const names = ['a', 'b', 'c', 'd'];
    for (const name of names) await given(server, name, MAPS, large);
    assert.deepEqual(
      await quick.takeBriefly(),
      names.map((name) => `ADDED ${name}`),
    );
    const chunks = body[Symbol.asyncIterator]();
    for (const name of names) {
      const { value } = await chunks.next();
      const text = Buffer.from(value as Uint8Array).toString();
      const event = JSON.parse(text) as { object: { metadata: { name: string } } };
      assert.equal(event.object.metadata.name, name);
    }
  });

  it('reads ahead no more than one chunk', async () => {
    using server = new TestServer();
    const { store } = server.backend.core;
    const { body } = await server.open(`${MAPS}?watch=1&resourceVersion=${server.revision}`);
    const chunks = body[Symbol.asyncIterator]();
    for (let index = 0; index < 200; index += 1)
      await given(server, `m-${index}`, MAPS, 'x'.repeat(1000));
    const { value } = await chunks.next();
    const frames = Buffer.from(value as Uint8Array)
      .toString()
      .trimEnd()
      .split('\n');
    assert.ok(frames.length > 10 && frames.length < 100, `${frames.length} frames`);
    // Unsent events exist only in the history and are lost with it.
    store.compact();
    const next = await chunks.next();
    const error = JSON.parse(Buffer.from(next.value as Uint8Array).toString()) as {
      type: string;
      object: { code: number };
    };
    assert.equal(error.type, 'ERROR');
    assert.equal(error.object.code, 410);
    assert.equal((await chunks.next()).done, true);
    await server.settle();
    assert.equal(server.clock.pending, 0);
  });

  it('expires when it falls behind the retained history, without affecting others', async () => {
    using server = new TestServer({ historyLimit: 50 });
    const from = `${MAPS}?watch=1&resourceVersion=${server.revision}`;
    const { body } = await server.open(from);
    const chunks = body[Symbol.asyncIterator]();
    const quick = await server.watch(from);
    await given(server, 'first', MAPS, large);
    await chunks.next();
    for (let index = 0; index < 60; index += 1) await given(server, `m-${index}`);
    assert.equal((await quick.take()).length, 61);
    assert.equal(quick.outcome, undefined);
    const { value } = await chunks.next();
    assert.match(Buffer.from(value as Uint8Array).toString(), /"code":410/);
  });

  it('does not include one whose namespace is quiet while others are busy', async () => {
    using server = new TestServer({ historyLimit: 20 });
    const watch = await server.watch(`${MAPS}?watch=1&resourceVersion=${server.revision}`);
    await watch.take();
    for (let index = 0; index < 60; index += 1) await given(server, `m-${index}`, OTHERS);
    await given(server, 'a');
    for (let index = 60; index < 120; index += 1) await given(server, `m-${index}`, OTHERS);
    await given(server, 'b');
    assert.deepEqual(await watch.takeBriefly(), ['ADDED a', 'ADDED b']);
  });

  it('gets the writes of one turn in one chunk', async () => {
    using server = new TestServer();
    const { body } = await server.open(`${MAPS}?watch=1&resourceVersion=${server.revision}`);
    const chunks = body[Symbol.asyncIterator]();
    const first = chunks.next();
    await nextTurn();
    for (const name of ['a', 'b', 'c']) {
      await server.given('post', MAPS, { metadata: { name } });
    }
    const { value } = await first;
    const names = Buffer.from(value as Uint8Array)
      .toString()
      .matchAll(/"name":"(\w)"/g);
    assert.deepEqual(
      [...names].map(([, name]) => name),
      ['a', 'b', 'c'],
    );
  });

  it('is sent its events in one turn with all others, without a promise of its own', async () => {
    using server = new TestServer();
    const path = `${MAPS}?watch=1&resourceVersion=${server.revision}`;
    const sent: string[] = [];
    const watches = await Promise.all(['x', 'y'].map((name) => polled(server, path, name, sent)));
    await server.given('post', MAPS, { metadata: { name: 'a' } });
    await server.given('post', MAPS, { metadata: { name: 'b' } });
    assert.deepEqual(sent, []);
    await nextTurn();
    assert.deepEqual(sent, ['x ab', 'y ab']);
    const [first, second] = watches;
    await first?.return?.();
    await given(server, 'c');
    assert.deepEqual(sent.slice(2), ['y c']);
    await second?.return?.();
    const { text } = await server.get('/metrics');
    assert.match(text, /apiserver_longrunning_requests\{[^}]*resource="configmaps"[^}]*\} 0\n/);
  });

  it('shares bytes that were encoded once for all', async () => {
    using server = new TestServer();
    await given(server, 'a');
    const path = `${MAPS}?watch=1`;
    const texts = [];
    for (let count = 0; count < 3; count += 1) {
      const { body } = await server.open(path);
      const { value } = await body[Symbol.asyncIterator]().next();
      texts.push(Buffer.from(value as Uint8Array).toString());
    }
    assert.equal(new Set(texts).size, 1);
    const { text } = await server.get(`${MAPS}/a`);
    assert.equal(texts[0], `{"type":"ADDED","object":${text.trimEnd()}}\n`);
  });
});
