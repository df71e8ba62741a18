import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CacheSyncError } from '../cache/wait-for-cache-sync.ts';
import { forbidden } from './test-api.ts';
import { TestFactory } from './test-factory.ts';

const mapsPath = '/api/v1/configmaps';
const secretsPath = '/api/v1/secrets';

describe('a factory, waiting for its caches', () => {
  it('resolves when the last has synced', async () => {
    const { factory, api, settle } = new TestFactory();
    api.serve(mapsPath).write('one/a');
    const secrets = api.serve(secretsPath, 'v1 Secret');
    secrets.marksEnd = false;
    factory.coreV1.configMaps();
    factory.coreV1.secrets();
    factory.start();
    let isSynced = false;
    const synced = factory.waitForCacheSync().then(() => (isSynced = true));
    await settle();
    assert.equal(isSynced, false);
    const annotations = { 'k8s.io/initial-events-end': 'true' };
    secrets.send({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '9', annotations } } });
    await synced;
    await factory.waitForCacheSync();
    await factory.shutdown();
  });

  it('resolves immediately if there is nothing to wait for', async () => {
    await assert.doesNotReject(new TestFactory().factory.waitForCacheSync());
  });

  it('names forbidden and absent resources when all others have synced', async () => {
    const { factory, api, failures, settle } = new TestFactory();
    const maps = api.serve(mapsPath);
    maps.marksEnd = false;
    api.serve(secretsPath, 'v1 Secret').refusal = forbidden;
    factory.coreV1.secrets();
    factory.coreV1.configMaps();
    factory.resourceV1.deviceClasses();
    factory.start();
    const outcomes: unknown[] = [];
    const waited = factory.waitForCacheSync().catch((error: unknown) => outcomes.push(error));
    await settle();
    assert.equal(outcomes.length, 0);
    const annotations = { 'k8s.io/initial-events-end': 'true' };
    maps.send({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '9', annotations } } });
    await waited;
    const [outcome] = outcomes;
    assert.ok(outcome instanceof CacheSyncError);
    assert.deepEqual(
      outcome.waiting.map(({ name, state }) => [name, state?.state]),
      [
        ['secrets', 'denied'],
        ['deviceclasses.resource.k8s.io', 'absent'],
      ],
    );
    assert.match(outcome.message, /secrets may not (list|watch): secrets is forbidden: no rights/);
    assert.match(outcome.message, /deviceclasses\.resource\.k8s\.io has nothing to list/);
    assert.match(String(outcome.cause), /no rights/);
    assert.ok(failures.some((failure) => failure.startsWith('secrets: ')));
    await factory.shutdown();
  });

  it('waits for rights with unavailable: wait', async () => {
    const { factory, api, clock, settle } = new TestFactory();
    const secrets = api.serve(secretsPath, 'v1 Secret');
    secrets.refusal = forbidden;
    const { informer } = factory.coreV1.secrets();
    factory.start();
    const synced = factory.waitForCacheSync({ unavailable: 'wait' });
    await settle();
    assert.equal(informer.state.state, 'denied');
    secrets.refusal = undefined;
    await clock.advance(60_000);
    await synced;
    await factory.shutdown();
  });

  it('names informers that have not synced when the signal aborts', async () => {
    const { factory, api, settle } = new TestFactory();
    api.serve(mapsPath);
    api.serve(secretsPath, 'v1 Secret').marksEnd = false;
    factory.coreV1.configMaps();
    factory.coreV1.secrets();
    factory.start();
    const stop = new AbortController();
    const waited = factory.waitForCacheSync({ signal: stop.signal });
    await settle();
    stop.abort(new Error('enough'));
    await assert.rejects(waited, (error) => {
      assert.ok(error instanceof CacheSyncError);
      assert.deepEqual(
        error.waiting.map(({ name }) => name),
        ['secrets'],
      );
      assert.equal((error.cause as Error).message, 'enough');
      return true;
    });
    await factory.shutdown();
  });

  it('rejects if the factory is shut down meanwhile', async () => {
    const { factory, api, settle } = new TestFactory();
    api.serve(secretsPath, 'v1 Secret').marksEnd = false;
    factory.coreV1.secrets();
    factory.start();
    const waited = assert.rejects(factory.waitForCacheSync(), /secrets was stopped/);
    await settle();
    await factory.shutdown();
    await waited;
  });
});
