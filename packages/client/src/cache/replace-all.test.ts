import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deferred } from '../lib/deferred.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { TestInformer } from './test-informer.ts';
import { type TestObject, testObject } from './test-objects.ts';

/** Returns an object with a uid. */
function withUid(key: string, version: string, uid: string): TestObject {
  const object = testObject(key, version);
  return { ...object, metadata: { ...object.metadata, uid } };
}

/** Runs an informer on a server that lists `first`, then again on one that lists `next`. */
async function relisting(
  queue: 'delta' | 'in-order',
  first: readonly TestObject[],
  next: readonly TestObject[],
): Promise<{ readonly first: string[]; readonly relist: string[]; readonly keys: string[] }> {
  const world = new TestInformer({ queue, useWatchList: false });
  const handler = world.record();
  const calls: string[][] = [];
  for (const items of [first, next]) {
    world.source.objects = () => [...items];
    await world.start();
    calls.push(handler.take());
    await world.stop();
  }
  return { first: calls[0] ?? [], relist: calls[1] ?? [], keys: world.informer.indexer.listKeys() };
}

for (const queue of ['in-order', 'delta'] as const) {
  describe(`a list that replaces the store (${queue})`, () => {
    it('delivers one addition for several items with one key, with the last of them', async () => {
      const items = ['3', '4', '4'].map((version) => testObject('ns/a', version));
      const { first, keys } = await relisting(queue, [...items, testObject('b', '5')], []);
      const additions = first.filter((call) => call.startsWith('+'));
      assert.equal(additions.length, 2);
      assert.deepEqual(keys, []);
      if (queue === 'in-order') assert.deepEqual(first, ['+ns/a@4 first', '+b@5 first']);
      else assert.deepEqual(first, ['+ns/a@3 first', '~ns/a@3→4', '+b@5 first']);
    });

    it('delivers an object with the same version and another uid as an update', async () => {
      const { relist } = await relisting(
        queue,
        [withUid('a', '3', 'old'), withUid('b', '4', 'same')],
        [withUid('a', '3', 'new'), withUid('b', '4', 'same')],
      );
      assert.deepEqual(relist, ['~a@3→3']);
    });
  });
}

describe('a list that replaces the store', () => {
  it('delivers deletions before changes, and changes in the order of the list', async () => {
    const { relist } = await relisting(
      'in-order',
      ['gone', 'b', 'lost'].map((key) => testObject(key, '3')),
      [testObject('new', '5'), testObject('b', '6'), testObject('a', '4')],
    );
    assert.deepEqual(relist, ['-gone@3 missed', '-lost@3 missed', '+new@5', '~b@3→6', '+a@4']);
  });
});

describe('a list that is read again', () => {
  it('is nothing that a handler has to see to be synced', async () => {
    const world = new TestInformer({ useWatchList: false });
    const released = new Deferred();
    const registration = world.informer.addEventHandler({ onAdd: () => released.promise });
    world.source.write('a');
    await world.start();
    await world.missing(() => world.source.write('new'));
    assert.equal(registration.hasSynced, false);
    released.resolve();
    await world.settle();
    assert.ok(registration.hasSynced);
    await world.stop();
  });
});

describe('a list with several items of one key', () => {
  it('delivers nothing if the last of them is in the store already', async () => {
    const { relist } = await relisting(
      'in-order',
      [testObject('a', '3')],
      [testObject('a', '5'), testObject('a', '3')],
    );
    assert.deepEqual(relist, []);
  });
});

describe('a deletion', () => {
  it('moves the version of the store, and a tombstone does not', async () => {
    const world = new TestInformer();
    world.source.write('a');
    world.source.write('b');
    await world.start();
    world.source.remove('a');
    await world.settle();
    assert.equal(world.informer.indexer.resourceVersion, '4');
    const handler = world.record();
    await world.settle();
    handler.take();
    world.source.send({ type: 'DELETED', object: testObject('unknown', '5') });
    await world.settle();
    assert.deepEqual(handler.take(), []);
    assert.equal(world.informer.indexer.resourceVersion, '5');
    await world.stop();
  });
});

describe('a watch event', () => {
  it('with the same version and another uid is delivered as an update', async () => {
    const world = new TestInformer({ useWatchList: false });
    const handler = world.record();
    world.source.objects = () => [withUid('a', '3', 'old')];
    await world.start();
    handler.take();
    world.source.send({ type: 'ADDED', object: withUid('a', '3', 'old') });
    world.source.send({ type: 'ADDED', object: withUid('a', '3', 'new') });
    await world.settle();
    assert.deepEqual(handler.take(), ['~a@3→3']);
    await world.stop();
  });
});

describe('a list that takes long to apply', () => {
  /** Applies a list under a clock that moves 3 ms with each reading; returns what ran in between. */
  async function turnsOf(first: readonly TestObject[], next: readonly TestObject[]) {
    let now = 0;
    let isCounting = false;
    const clock = new VirtualClock();
    clock.monotonic = () => (isCounting ? (now += 3) : now);
    const world = new TestInformer({ useWatchList: false, clock });
    world.source.objects = () => [...first];
    await world.start();
    await world.stop();
    let turns = 0;
    let sizes: number[] = [];
    const other = (): void => {
      turns += 1;
      sizes.push(world.informer.indexer.size);
      if (isCounting) setImmediate(other);
    };
    world.source.objects = () => [...next];
    const list = world.source.list.bind(world.source);
    world.source.list = async (request) => {
      const answer = await list(request);
      isCounting = true;
      setImmediate(other);
      return answer;
    };
    world.source.watch = () => {
      isCounting = false;
      return Promise.reject(new Error('no watch'));
    };
    await world.start();
    const size = world.informer.indexer.size;
    await world.stop();
    sizes = [...new Set(sizes)];
    return { turns, sizes, size };
  }

  const many = (prefix: string): TestObject[] =>
    Array.from({ length: 40 }, (_, index) => testObject(`${prefix}${index}`, '3'));

  it('yields to the event loop, and readers see the old or the new content', async () => {
    const added = await turnsOf([], many('a'));
    assert.ok(added.turns >= 30 && added.turns <= 60, `${added.turns} turns`);
    assert.equal(added.size, 40);
    assert.ok(added.sizes.every((size) => size === 0 || size === 40));
    const removed = await turnsOf(many('a'), []);
    assert.ok(removed.turns >= 15 && removed.turns <= 30, `${removed.turns} turns`);
    assert.equal(removed.size, 0);
    assert.ok(removed.sizes.every((size) => size === 0 || size === 40));
  });

  it('is applied in one turn if it is short', async () => {
    const { turns } = await turnsOf([], [testObject('a', '3')]);
    assert.ok(turns <= 3, `${turns} turns`);
  });
});
