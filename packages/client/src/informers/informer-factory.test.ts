import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';
import { Deferred } from '../lib/deferred.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { recordingLogger } from '../lib/test-logger.ts';
import type { InformerFactoryOptions } from './informer-factory.ts';
import { SharedInformerFactory } from './shared-informer-factory.ts';
import type { TestApi } from './test-api.ts';
import { TestFactory } from './test-factory.ts';

const mapsPath = '/api/v1/configmaps';
const secretsPath = '/api/v1/secrets';

/** Returns the number of requests for a path. */
function asked(api: TestApi, path: string): number {
  return api.requests.filter((request) => request.startsWith(path)).length;
}

describe('a factory, starting', () => {
  it('starts the requested informers, each once', async () => {
    const { factory, api, settle } = new TestFactory();
    api.serve(mapsPath);
    factory.coreV1.configMaps();
    await settle();
    assert.deepEqual(api.requests, []);
    factory.start();
    factory.start();
    await settle();
    factory.start();
    await settle();
    assert.equal(asked(api, mapsPath), 1);
    await factory.shutdown();
  });

  it('starts informers that were requested since, and does not affect others', async () => {
    const { factory, api, settle } = new TestFactory();
    api.serve(mapsPath);
    api.serve(secretsPath, 'v1 Secret');
    const stop = new AbortController();
    const maps = factory.coreV1.configMaps();
    factory.start({ signal: stop.signal });
    await settle();
    const secrets = factory.coreV1.secrets();
    assert.equal(secrets.informer.isRunning, false);
    factory.start({ signal: stop.signal });
    await factory.waitForCacheSync();
    assert.ok(maps.informer.isRunning && secrets.informer.isRunning);
    assert.equal(asked(api, mapsPath), 1);
    await factory.shutdown();
    assert.equal(getEventListeners(stop.signal, 'abort').length, 0);
  });

  it('stops with the signal of its start, and can be started again', async () => {
    const { factory, api, settle } = new TestFactory();
    const source = api.serve(mapsPath);
    source.write('one/a');
    const maps = factory.coreV1.configMaps();
    const calls: string[] = [];
    maps.informer.addEventHandler({
      onAdd: ({ metadata }) => void calls.push(`+${metadata.name}`),
      onUpdate: (_, { metadata }) => void calls.push(`~${metadata.name}`),
    });
    const first = new AbortController();
    factory.start({ signal: first.signal });
    await factory.waitForCacheSync();
    first.abort();
    await settle();
    assert.equal(maps.informer.isStopped, true);
    assert.equal(api.openWatches, 0);
    source.write('one/a');
    source.write('one/b');
    factory.start({ signal: new AbortController().signal });
    await settle();
    assert.deepEqual(calls, ['+a', '~a', '+b']);
    await factory.shutdown();
    assert.equal(api.openWatches, 0);
  });

  it('does nothing under a signal that has aborted', async () => {
    const { factory, api, settle } = new TestFactory();
    factory.coreV1.configMaps();
    factory.start({ signal: AbortSignal.abort() });
    await settle();
    assert.deepEqual(api.requests, []);
  });

  it('restarts an informer that was stopped directly, only on the next start', async () => {
    const { factory, api, settle } = new TestFactory();
    api.serve(mapsPath);
    const maps = factory.coreV1.configMaps();
    factory.start();
    await settle();
    await maps.informer.stop();
    await settle();
    assert.equal(maps.informer.isRunning, false);
    factory.start();
    await settle();
    assert.equal(maps.informer.isRunning, true);
    await factory.shutdown();
    assert.equal(maps.informer.isRunning, false);
  });

  it('does not affect an informer that was run directly', async () => {
    const { factory, api, settle } = new TestFactory();
    api.serve(mapsPath);
    const maps = factory.coreV1.configMaps();
    const stop = new AbortController();
    const running = maps.informer.run({ signal: stop.signal });
    factory.start();
    await factory.waitForCacheSync();
    await factory.shutdown();
    await settle();
    assert.equal(maps.informer.isRunning, true);
    stop.abort();
    await running;
  });
});

describe('a handler that throws', () => {
  it('is logged unless there is a callback', async () => {
    const run = async (options: InformerFactoryOptions): Promise<void> => {
      const { factory, api } = new TestFactory(options);
      api.serve(mapsPath).write('one/a');
      const handler = { onAdd: () => assert.fail('wet paint') };
      const { synced } = factory.coreV1.configMaps().informer.addEventHandler(handler);
      factory.start();
      await synced;
      await factory.shutdown();
    };
    const logger = recordingLogger();
    await run({ logger });
    assert.match(logger.lines.join('\n'), /^warn handler configmaps #1 failed[^]*wet paint/m);
    const told: string[] = [];
    await run({ onHandlerError: (_, name) => told.push(name) });
    assert.deepEqual(told, ['configmaps']);
  });
});

describe('invalid numbers in options', () => {
  it('are refused by name', () => {
    const { client, factory } = new TestFactory();
    const make = (options: InformerFactoryOptions) => (): unknown =>
      new SharedInformerFactory(client, options);
    const pods = { group: '', version: 'v1', resource: 'pods' };
    const code = 'OPTION_INVALID';
    assert.throws(make({ resyncPeriodMs: NaN }), { code, option: 'resyncPeriodMs' });
    assert.throws(make({ customResyncMs: [[pods, NaN]] }), {
      code,
      option: 'customResyncMs of pods',
    });
    assert.throws(make({ gracePeriodMs: -1 }), { code, option: 'gracePeriodMs' });
    assert.throws(make({ pageSize: NaN }), { code, option: 'pageSize' });
    assert.throws(() => factory.coreV1.pods({ resyncPeriodMs: NaN }), { code });
    make({ resyncPeriodMs: 0, customResyncMs: [[pods, 5000]], gracePeriodMs: Infinity })();
  });
});

describe('an object that the store refuses', () => {
  it('is logged unless there is a callback', async () => {
    const logger = recordingLogger();
    const { factory, api, settle } = new TestFactory({ logger });
    const served = api.serve(mapsPath);
    const { informer } = factory.coreV1.configMaps();
    informer.addIndexers({ broken: () => assert.fail('wet paint') });
    factory.start();
    await settle();
    served.write('one/a');
    await settle();
    assert.match(
      logger.lines.join('\n'),
      /^warn configmaps: the index function of "broken" failed for the object "one\/a"[^]*wet paint/m,
    );
    await factory.shutdown();
  });
});

describe('a factory, shutting down', () => {
  it('does not wait for the handler that it is called in', async () => {
    const { factory, api, clock, settle } = new TestFactory();
    api.serve(mapsPath).write('one/a');
    const { informer } = factory.coreV1.configMaps();
    const done = new Deferred();
    informer.addEventHandler({
      onAdd: async () => {
        await nextTurn();
        await factory.shutdown();
        done.resolve();
      },
    });
    factory.start();
    await done.promise;
    assert.equal(api.openWatches, 0);
    await settle();
    assert.equal(informer.isRunning, false);
    assert.equal(clock.pending, 0);
  });

  it('waits for everything, handlers included', async () => {
    const { factory, api, clock, settle } = new TestFactory();
    api.serve(mapsPath).write('one/a');
    const slow = new Deferred();
    const called = new Deferred();
    factory.coreV1.configMaps().informer.addEventHandler({
      onAdd: async () => {
        called.resolve();
        await slow.promise;
      },
    });
    factory.start();
    await called.promise;
    const ended: string[] = [];
    const first = factory.shutdown().then(() => ended.push('first'));
    const second = factory.shutdown().then(() => ended.push('second'));
    await settle();
    assert.equal(ended.length, 0);
    slow.resolve();
    await Promise.all([first, second]);
    assert.equal(api.openWatches, 0);
    assert.equal(clock.pending, 0);
    const before = api.requests.length;
    await clock.advance(3_600_000);
    assert.equal(api.requests.length, before);
  });

  it('waits for informers that its signal has stopped', async () => {
    const { factory, api } = new TestFactory();
    api.serve(mapsPath);
    const maps = factory.coreV1.configMaps();
    const stop = new AbortController();
    factory.start({ signal: stop.signal });
    await factory.waitForCacheSync();
    stop.abort();
    await factory.shutdown();
    assert.equal(maps.informer.isStopped, true);
  });

  it('is done by await using', async () => {
    const { client, api, machinery } = new TestFactory();
    api.serve(mapsPath);
    {
      await using factory = new SharedInformerFactory(client, machinery);
      factory.coreV1.configMaps();
      factory.start();
      await factory.waitForCacheSync();
      assert.equal(api.openWatches, 1);
    }
    assert.equal(api.openWatches, 0);
  });

  it('leaves a factory that can be used again', async () => {
    const { factory, api } = new TestFactory();
    api.serve(mapsPath).write('one/a');
    const before = factory.coreV1.configMaps();
    await factory.shutdown();
    factory.start();
    assert.deepEqual(api.requests, []);
    const after = factory.coreV1.configMaps();
    assert.notEqual(after.informer, before.informer);
    factory.start();
    await factory.waitForCacheSync();
    assert.equal(after.lister.list().length, 1);
    assert.equal(before.lister.list().length, 0);
    await factory.shutdown();
  });
});

describe('a factory, releasing', () => {
  it('stops an informer with its last user', async () => {
    const { factory, api, settle } = new TestFactory();
    api.serve(mapsPath);
    const first = factory.coreV1.configMaps();
    const second = factory.coreV1.configMaps();
    factory.start();
    await settle();
    await first.release();
    await first.release();
    assert.equal(second.informer.isRunning, true);
    await second.release();
    assert.equal(second.informer.isStopped, true);
    assert.equal(api.openWatches, 0);
    assert.notEqual(factory.coreV1.configMaps().informer, second.informer);
    await first.release();
    await factory.shutdown();
  });

  it('releases at the end of a block', async () => {
    const { factory, api } = new TestFactory();
    api.serve(mapsPath);
    {
      await using maps = factory.coreV1.configMaps();
      factory.start();
      await factory.waitForCacheSync();
      assert.equal(maps.informer.isRunning, true);
    }
    assert.equal(api.openWatches, 0);
  });

  it('drops an informer that was never started', async () => {
    const { factory, api, settle } = new TestFactory();
    await factory.coreV1.configMaps().release();
    factory.start();
    await settle();
    assert.deepEqual(api.requests, []);
  });

  it('of an earlier user does not affect later ones', async () => {
    const { factory, api } = new TestFactory();
    api.serve(mapsPath);
    const past = factory.coreV1.configMaps();
    await factory.shutdown();
    const today = factory.coreV1.configMaps();
    factory.start();
    await factory.waitForCacheSync();
    await past.release();
    assert.equal(today.informer.isRunning, true);
    await factory.shutdown();
    assert.equal(today.informer.isRunning, false);
  });
});

describe('factories that share informers', () => {
  it('keep an informer running while one of them uses it', async () => {
    const { factory, api, settle } = new TestFactory();
    api.serve(mapsPath);
    const other = factory.with({});
    const mine = factory.coreV1.configMaps();
    const theirs = other.coreV1.configMaps();
    assert.equal(mine.informer, theirs.informer);
    const stop = new AbortController();
    factory.start({ signal: stop.signal });
    other.start();
    await settle();
    assert.equal(asked(api, mapsPath), 1);
    stop.abort();
    await factory.shutdown();
    await settle();
    assert.equal(theirs.informer.isRunning, true);
    assert.equal(asked(api, mapsPath), 1);
    await other.shutdown();
    assert.equal(theirs.informer.isRunning, false);
    assert.equal(api.openWatches, 0);
  });

  it('are started separately', async () => {
    const { factory, api, settle } = new TestFactory();
    const narrowed = factory.namespace('one');
    narrowed.coreV1.configMaps();
    factory.start();
    await settle();
    assert.deepEqual(api.requests, []);
    await assert.rejects(narrowed.waitForCacheSync(), /configmaps in one was not started/);
  });

  it('run an informer again that is started while it stops', async () => {
    const { factory, api, settle } = new TestFactory();
    api.serve(mapsPath);
    const other = factory.with({});
    const maps = other.coreV1.configMaps();
    factory.coreV1.configMaps();
    factory.start();
    await settle();
    const down = factory.shutdown();
    other.start();
    await down;
    await settle();
    assert.equal(maps.informer.isRunning, true);
    assert.equal(asked(api, mapsPath), 2);
    await other.shutdown();
    assert.equal(api.openWatches, 0);
  });
});
