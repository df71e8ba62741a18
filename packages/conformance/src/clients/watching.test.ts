import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ApiServer } from '@client-ts/apiserver';
import type { ConfigMap } from 'client-ts/api/core/v1';
import { Clientset } from 'client-ts/kubernetes';
import { isExpired, isForbidden } from 'client-ts/meta';
import { retryWatch, untilWithoutRetry } from 'client-ts/wait';
import { fastClock } from '../recordings/fast-clock.ts';
import { ways } from './test-targets.ts';

/** A fast clock for timeouts and pauses of seconds. */
const clock = fastClock(50);

for (const { name, configOf } of ways) {
  describe(`watching ${name}`, () => {
    let server: ApiServer;
    let client: Clientset;
    let namespace: string;
    let round = 0;

    before(async () => {
      server = await ApiServer.start({ authorization: 'rbac', clock });
      client = new Clientset(configOf(server));
    });

    after(async () => {
      await client[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    });

    /** Creates an empty namespace, and returns the version to watch it from. */
    async function fresh() {
      round += 1;
      namespace = `round-${round}`;
      await client.coreV1.namespaces().create({ metadata: { name: namespace } });
      const maps = client.coreV1.configMaps(namespace);
      const { metadata } = await maps.list();
      const write = (name: string, data: ConfigMap['data'] = {}) =>
        maps.create({ metadata: { name }, data });
      return { maps, write, resourceVersion: metadata.resourceVersion };
    }

    /** Returns the next events of a watch, as text. */
    async function take(
      events: AsyncIterator<{
        readonly type: string;
        readonly object: { metadata?: { name?: string } };
      }>,
      count: number,
    ): Promise<string[]> {
      const texts: string[] = [];
      while (texts.length < count) {
        const { done, value } = await events.next();
        if (done === true) break;
        texts.push(`${value.type} ${value.object.metadata?.name}`);
      }
      return texts;
    }

    it('delivers events in order, with the whole object', async () => {
      const { maps, write, resourceVersion } = await fresh();
      await using watch = maps.watch({ resourceVersion });
      const created = await write('one', { a: '1' });
      const updated = await maps.update({ ...created, data: { a: '2' } });
      await maps.delete('one');
      const objects = [];
      for await (const event of watch) {
        objects.push(event.object);
        if (event.type === 'DELETED') break;
      }
      assert.deepEqual(objects.slice(0, 2), [created, updated]);
      assert.deepEqual(objects[2]?.data, { a: '2' });
    });

    it('starts with the current state without a version', async () => {
      const { maps, write } = await fresh();
      await write('one');
      await using watch = maps.watch();
      assert.deepEqual(await take(watch, 1), ['ADDED one']);
      await write('two');
      assert.deepEqual(await take(watch, 1), ['ADDED two']);
    });

    it('sends the initial state and a bookmark on request', async () => {
      const { maps, write } = await fresh();
      await write('one');
      await using watch = maps.watch({
        sendInitialEvents: true,
        allowWatchBookmarks: true,
        resourceVersionMatch: 'NotOlderThan',
      });
      const { value: first } = await watch.next();
      const { value: second } = await watch.next();
      assert.equal(first?.type, 'ADDED');
      assert.equal(second?.type, 'BOOKMARK');
      assert.equal(second?.object.metadata.annotations?.['k8s.io/initial-events-end'], 'true');
    });

    it('ends without an error when the server ends it', async () => {
      const { maps, resourceVersion } = await fresh();
      const events = [];
      for await (const event of maps.watch({ resourceVersion, timeoutSeconds: 1 }))
        events.push(event);
      assert.deepEqual(events, []);
    });

    it('ends when aborted, at any point', async () => {
      const { maps, write, resourceVersion } = await fresh();
      const stop = new AbortController();
      const waiting = maps.watch({ resourceVersion, signal: stop.signal });
      const reading = maps.watch({ resourceVersion, signal: stop.signal });
      await write('one');
      await take(waiting, 1);
      const pending = waiting.next();
      await reading.open();
      stop.abort();
      assert.equal((await pending).done, true);
      assert.equal((await reading.next()).done, true);
      assert.equal((await maps.watch({ signal: stop.signal }).next()).done, true);
    });

    it('throws an ApiError for an expired version, at the start or later', async () => {
      const { maps, write, resourceVersion } = await fresh();
      await write('one');
      using _fault = server.faults.add({
        match: { verb: 'watch', resource: 'configmaps', namespace },
        fault: {
          kind: 'error-event',
          afterEvents: 1,
          code: 410,
          reason: 'Expired',
          message: 'gone',
        },
        count: 1,
      });
      const watch = maps.watch({ resourceVersion });
      assert.deepEqual(await take(watch, 1), ['ADDED one']);
      await assert.rejects(
        watch.next(),
        (error) =>
          isExpired(error) &&
          (error as { request?: { path: string } }).request?.path ===
            `/api/v1/namespaces/${namespace}/configmaps`,
      );
      await write('two');
      server.compact();
      await assert.rejects(maps.watch({ resourceVersion }).next(), (error) => isExpired(error));
      const [event] = await collect(maps.watch({ resourceVersion, errorEvents: true }));
      assert.equal(event?.type === 'ERROR' && event.object.reason, 'Expired');
    });

    it('throws the error of a broken connection', async () => {
      const { maps, write, resourceVersion } = await fresh();
      await write('one');
      using _fault = server.faults.add({
        match: { verb: 'watch', resource: 'configmaps', namespace },
        fault: { kind: 'reset', afterEvents: 1 },
        count: 1,
      });
      const watch = maps.watch({ resourceVersion });
      assert.deepEqual(await take(watch, 1), ['ADDED one']);
      await assert.rejects(watch.next(), {
        name: 'TransportError',
        code: 'TRANSPORT_CONNECTION_RESET',
      });
    });

    it('resumes after every break with retryWatch, without gaps or duplicates', async () => {
      const { maps, write, resourceVersion } = await fresh();
      const match = { verb: 'watch', resource: 'configmaps', namespace };
      using broken = server.faults.add({
        match,
        fault: { kind: 'reset', afterEvents: 2 },
        count: 1,
      });
      using ended = server.faults.add({
        match,
        fault: { kind: 'end-stream', afterEvents: 1 },
        after: 1,
        count: 1,
      });
      using failed = server.faults.add({
        match,
        fault: { kind: 'status', code: 500 },
        after: 2,
        count: 1,
      });
      await using watch = retryWatch(maps, { resourceVersion, clock });
      const names = Array.from({ length: 6 }, (_, index) => `map-${index}`);
      for (const map of names) await write(map);
      assert.deepEqual(
        await take(watch, 6),
        names.map((map) => `ADDED ${map}`),
      );
      assert.deepEqual([broken.hits, ended.hits, failed.hits], [1, 1, 1]);
    });

    it('lists, watches, resumes and lists again with watchAll', async () => {
      const { maps, write } = await fresh();
      const match = { verb: 'watch', resource: 'configmaps', namespace };
      for (const name of ['one', 'two', 'three']) await write(name);
      using ended = server.faults.add({
        match,
        fault: { kind: 'end-stream', afterEvents: 1 },
        count: 1,
      });
      using _gone = server.faults.add({
        match,
        fault: { kind: 'error-event', afterEvents: 1, code: 410, reason: 'Expired' },
        after: 1,
        count: 1,
      });
      const stop = new AbortController();
      const events = maps.watchAll({ clock, pageSize: 2, signal: stop.signal });
      const next = async (): Promise<string> => {
        const { value } = await events.next();
        if (value === undefined) return 'end';
        const objects = value.type === 'init' ? value.objects : [value.object];
        return `${value.type} ${objects.map(({ metadata }) => metadata.name).join(' ')}`;
      };
      assert.equal(await next(), 'init one three two');
      await write('four');
      assert.equal(await next(), 'applied four');
      await maps.delete('two');
      assert.equal(await next(), 'deleted two', 'resumed after the end');
      assert.equal(ended.hits, 1);
      await maps.delete('one');
      assert.equal(await next(), 'init four three', 'listed again after 410');
      const last = next();
      stop.abort();
      assert.equal(await last, 'end');
    });

    it('ends retryWatch with a typed error when the version has expired', async () => {
      const { maps, write, resourceVersion } = await fresh();
      await write('one');
      await write('two');
      using _fault = server.faults.add({
        match: { verb: 'watch', resource: 'configmaps', namespace },
        fault: { kind: 'reset', afterEvents: 1 },
        count: 1,
      });
      const watch = retryWatch(maps, { resourceVersion, clock });
      assert.deepEqual(await take(watch, 1), ['ADDED one']);
      server.compact();
      await assert.rejects(watch.next(), (error) => isExpired(error));
    });

    it('ends retryWatch when watching is forbidden', async () => {
      const { resourceVersion } = await fresh();
      await using guest = new Clientset({ ...configOf(server), impersonate: { user: 'guest' } });
      const watch = retryWatch(guest.coreV1.secrets(namespace), { resourceVersion });
      await assert.rejects(watch.next(), (error) => isForbidden(error));
    });

    it('waits for one event', async () => {
      const { maps, write, resourceVersion } = await fresh();
      await write('one');
      await write('two', { wanted: 'yes' });
      const event = await untilWithoutRetry(
        maps.watch({ resourceVersion }),
        ({ object }) => object.data?.['wanted'] === 'yes',
      );
      assert.equal(event.object.metadata.name, 'two');
    });
  });
}

async function collect<E>(events: AsyncIterable<E>): Promise<E[]> {
  const all: E[] = [];
  for await (const event of events) all.push(event);
  return all;
}
