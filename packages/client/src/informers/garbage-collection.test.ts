import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { nextTurn } from '../lib/next-turn.ts';
import { quiescence } from '../testing/quiescence.ts';
import { TestFactory } from './test-factory.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const mapsPath = '/api/v1/configmaps';
const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

/** Returns how many objects were not collected. Reading a reference keeps its object for a turn. */
async function countHeld(references: readonly WeakRef<object>[]): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    await nextTurn();
    collectGarbage();
  }
  await nextTurn();
  return references.filter((reference) => reference.deref() !== undefined).length;
}

/** Uses a factory under a signal that lives as long as the process. */
async function runOnce(signal: AbortSignal): Promise<WeakRef<object>> {
  const { factory, api } = new TestFactory();
  api.serve(mapsPath).write('one/a');
  const { informer } = factory.coreV1.configMaps();
  informer.addEventHandler({ onAdd: () => undefined }, { signal });
  factory.start({ signal });
  await factory.waitForCacheSync({ signal });
  await informer.reached('1', { signal });
  await factory.shutdown();
  return new WeakRef(informer);
}

describe('a signal that outlives informers', () => {
  it('keeps neither the informers nor listeners', async () => {
    const { signal } = new AbortController();
    const informers: WeakRef<object>[] = [];
    for (let run = 0; run < 10; run += 1) informers.push(await runOnce(signal));
    assert.equal(await countHeld(informers), 0);
    await quiescence();
    assert.equal(listeners(signal), 0);
  });

  it('loses its listener with a handler that is removed, for whatever reason', async () => {
    const { signal } = new AbortController();
    const { factory, api, settle } = new TestFactory();
    const maps = api.serve(mapsPath);
    const { informer } = factory.coreV1.configMaps();
    const removed = informer.addEventHandler({}, { signal });
    const stuck = { onAdd: () => new Promise<void>(() => undefined) };
    const slow = informer.addEventHandler(stuck, { signal, maxPending: 1, overflow: 'remove' });
    factory.start();
    await factory.waitForCacheSync();
    assert.equal(listeners(signal), 2);
    await removed.remove();
    assert.equal(listeners(signal), 1);
    maps.write('one/a');
    maps.write('one/b');
    await settle();
    assert.ok(slow.isRemoved);
    assert.equal(listeners(signal), 0);
    await factory.shutdown();
  });

  it('still removes a handler of an informer that is in use', async () => {
    const stop = new AbortController();
    const { factory, api, settle } = new TestFactory();
    const maps = api.serve(mapsPath);
    const { informer } = factory.coreV1.configMaps();
    const calls: string[] = [];
    const onAdd = ({ metadata }: { readonly metadata: { readonly name: string } }): void =>
      void calls.push(metadata.name);
    const registration = new WeakRef(informer.addEventHandler({ onAdd }, { signal: stop.signal }));
    assert.equal(await countHeld([registration]), 0);
    factory.start();
    maps.write('one/a');
    await settle();
    stop.abort();
    maps.write('one/b');
    await settle();
    assert.deepEqual(calls, ['a']);
    await factory.shutdown();
  });
});
