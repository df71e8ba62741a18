import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { waitForCacheSync } from 'client-ts/cache';
import { ClientError } from 'client-ts/internal';
import type { Config } from 'client-ts/transport';

import { remoteTargets, RemoteWorld, type RemoteWorldOptions } from './test-remote-world.ts';

/** Ends every wait: a test that takes this long fails. */
const inTime = (): AbortSignal => AbortSignal.timeout(120_000);

const withoutMatch = (path: string): string => path.replace(/&?resourceVersionMatch=\w+/, '');
/** Removes `resourceVersion=0`: a read from the watch cache is not paged. */
const fromStorage = (path: string): string => path.replace('resourceVersion=0&', '');
const withoutStream = (path: string): string =>
  withoutMatch(path).replace(/&?(?:allowWatchBookmarks|sendInitialEvents)=true/g, '');
const isStream = (path: string): boolean => path.includes('sendInitialEvents=true');
const isList = (path: string): boolean => !path.includes('watch=');

for (const { name, protocol, start } of remoteTargets) {
  describe(`an informer on ${name}`, () => {
    let target: { readonly config: Config } & AsyncDisposable;
    before(async () => {
      target = await start();
    });
    after(() => target[Symbol.asyncDispose]());

    const create = (options: RemoteWorldOptions): Promise<RemoteWorld> =>
      RemoteWorld.create({ config: target.config, protocol }, options);

    for (const queue of ['in-order', 'delta'] as const) {
      it(`resumes where it was when connections are cut (${queue})`, async () => {
        await using world = await create({ queue, speed: 20 });
        const { history, registration } = world.handle({ name: 'first' });
        await world.create('a', 'red');
        world.start();
        const { informer, namespace } = world;
        await informer.synced;
        assert.ok(informer.indexer.has(`${namespace}/a`));
        await waitForCacheSync([informer, registration], { signal: inTime() });
        assert.ok(history.calls.some(({ key }) => key === `${namespace}/a`));
        for (let round = 0; round < 5; round += 1) {
          await world.create(`b-${round}`, 'red');
          world.proxy.cut();
          await world.paint('a', `color-${round}`);
          if (round === 2) world.handle({ name: 'late' });
          await world.maps.delete(`b-${round}`);
        }
        await world.settle();
        const { wire, problems } = await world.judge();
        assert.deepEqual(problems, []);
        assert.equal(wire.relists.length, 1);
      });

      it(`relists when the version has expired, and delivers what it missed (${queue})`, async () => {
        await using world = await create({ queue, speed: 20 });
        const { history } = world.handle();
        for (const one of ['a', 'b', 'c']) await world.create(one, 'red');
        world.start();
        await waitForCacheSync([world.informer], { signal: inTime() });
        world.forgetOnce();
        world.proxy.block();
        await world.maps.delete('a');
        await world.maps.delete('b');
        await world.create('b', 'again');
        await world.paint('c', 'blue');
        await world.paint('c', 'green');
        world.proxy.unblock();
        await world.settle();
        const { wire, problems } = await world.judge();
        assert.deepEqual(problems, []);
        assert.deepEqual(
          wire.relists.map(({ cause }) => cause),
          ['start', '410'],
        );
        const delivered = history.calls.map(({ type, key }) => `${type} ${key.split('/')[1]}`);
        assert.ok(delivered.includes('tombstone a'));
        assert.ok(delivered.includes('update b'));
        assert.equal(delivered.filter((call) => call === 'update c').length, 1);
      });
    }

    it('detects a dead connection and resumes on another one', async () => {
      // On HTTP/1.1 only the timeout of the watch detects it: at least five and a half minutes.
      await using world = await create({ speed: protocol === 'http1' ? 300 : 30 });
      world.handle();
      await world.create('a', 'red');
      world.start();
      await waitForCacheSync([world.informer], { signal: inTime() });
      const { connections } = world.proxy;
      world.proxy.freeze();
      await world.paint('a', 'blue');
      await world.maps.delete('a');
      await world.settle();
      const { wire, problems } = await world.judge();
      assert.deepEqual(problems, []);
      assert.equal(wire.relists.length, 1);
      assert.ok(world.proxy.connections > connections);
    });

    it('detects that the connection of its first list is dead', async () => {
      await using world = await create({ speed: 300, useWatchList: false });
      await world.create('a', 'red');
      world.handle();
      world.start();
      await world.until(() => world.proxy.connections === 1);
      world.proxy.freeze();
      await world.settle();
      assert.deepEqual((await world.judge()).problems, []);
      assert.ok(world.proxy.connections > 1);
    });

    it('reads the initial state page by page if its stream is rejected', async () => {
      await using world = await create({ speed: 20, pageSize: 2 });
      world.rewrite = (path) => fromStorage(withoutMatch(path));
      for (const one of ['a', 'b', 'c', 'd', 'e']) await world.create(one, 'red');
      world.handle();
      world.start();
      await waitForCacheSync([world.informer], { signal: inTime() });
      const [stream = '', ...rest] = world.requests;
      assert.ok(isStream(stream));
      const lists = rest.filter(isList);
      assert.ok(lists.length >= 3);
      assert.ok(lists.every((path) => path.includes('limit=2')));
      assert.ok(lists.slice(1).every((path) => path.includes('continue=')));
      world.rewrite = (path) => path;
      await world.settle();
      assert.deepEqual((await world.judge()).problems, []);
    });

    it('reads the initial state page by page if its stream has no end', async () => {
      await using world = await create({ speed: 100, pageSize: 2 });
      world.rewrite = (path) => fromStorage(withoutStream(path));
      for (const one of ['a', 'b', 'c']) await world.create(one, 'red');
      world.handle();
      world.start();
      await waitForCacheSync([world.informer], { signal: inTime() });
      const lists = world.requests.filter(isList);
      assert.ok(lists.length >= 2);
      await world.settle();
      assert.deepEqual((await world.judge()).problems, []);
    });

    it('waits for a server that is down, and reports it', async () => {
      await using world = await create({ speed: 20 });
      world.handle();
      await world.create('a', 'red');
      world.start();
      await waitForCacheSync([world.informer], { signal: inTime() });
      world.proxy.block();
      for await (const { state } of world.informer.stateChanges({ signal: inTime() })) {
        if (state === 'stale') break;
      }
      await world.paint('a', 'blue');
      world.proxy.unblock();
      await world.settle();
      const { wire, problems } = await world.judge();
      assert.deepEqual(problems, []);
      assert.equal(wire.relists.length, 1);
      assert.ok(world.failures.every((failure) => failure instanceof ClientError));
    });
  });
}
