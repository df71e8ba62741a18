import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import type { QueueDelta } from './delta-queue.ts';
import { DeltaFIFO } from './delta-fifo.ts';
import { Indexer } from './indexer.ts';
import { metaNamespaceKeyFunc } from './store.ts';
import type { Queue } from './queue.ts';
import { RealFIFO } from './real-fifo.ts';
import { RequeueError } from './queue.ts';
import { type TestObject, testObject } from './test-objects.ts';

/**
 * A server and a consumer with a queue between them. While the connection is down, changes of the
 * server's objects are missed until the next list.
 */
class World {
  readonly server = new Map<string, TestObject>();
  readonly store: Indexer<TestObject>;
  readonly queue: Queue<TestObject, readonly QueueDelta<TestObject>[]>;
  /** Versions of each key as the consumer saw them; `gone` for deletions. */
  readonly seen = new Map<string, (number | 'gone')[]>();
  readonly told: number[] = [];
  #version = 0;
  #isConnected = true;

  constructor(
    makeQueue: (store: Indexer<TestObject>) => Queue<TestObject, readonly QueueDelta<TestObject>[]>,
  ) {
    this.store = new Indexer<TestObject>({ keyFunc: metaNamespaceKeyFunc });
    this.queue = makeQueue(this.store);
    this.queue.replace([], '0');
  }

  write(key: string): void {
    const exists = this.server.has(key);
    const object = testObject(key, String(++this.#version));
    this.server.set(key, object);
    if (!this.#isConnected) return;
    this.told.push(this.#version);
    if (exists) this.queue.update(object);
    else this.queue.add(object);
  }

  remove(key: string): void {
    if (!this.server.delete(key)) return;
    this.#version += 1;
    if (this.#isConnected) this.queue.delete(testObject(key, String(this.#version)));
  }

  disconnect(): void {
    this.#isConnected = false;
  }

  relist(): void {
    this.#isConnected = true;
    this.queue.replace([...this.server.values()], String(this.#version));
  }

  take(goesBack: boolean): void {
    try {
      void this.queue.tryPop((deltas) => {
        if (goesBack) throw new RequeueError(undefined);
        for (const delta of deltas) this.#apply(delta);
      });
    } catch (error) {
      assert.ok(goesBack, `taking failed: ${String(error)}`);
    }
  }

  drain(): void {
    while (this.queue.size > 0) this.take(false);
  }

  #apply(delta: QueueDelta<TestObject>): void {
    switch (delta.type) {
      case 'Bookmark':
      case 'SyncAll':
        break;
      case 'ReplacedAll': {
        const listed = new Set(delta.keys);
        for (const key of this.store.listKeys()) if (!listed.has(key)) this.#note(key, 'gone');
        this.store.replace(delta.objects, delta.resourceVersion);
        for (const object of delta.objects) this.#note(metaNamespaceKeyFunc(object), object);
        break;
      }
      case 'Deleted':
        this.store.delete(delta.object);
        this.#note(delta.key, 'gone');
        break;
      case 'Added':
      case 'Replaced':
      case 'Sync':
      case 'Updated':
        this.store.update(delta.object);
        this.#note(delta.key, delta.object);
    }
  }

  #note(key: string, state: TestObject | 'gone'): void {
    const states = this.seen.get(key) ?? [];
    states.push(state === 'gone' ? 'gone' : Number(state.metadata?.resourceVersion));
    this.seen.set(key, states);
  }
}

const keys = fc.constantFrom('a', 'b', 'c', 'd');
const step = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(fc.constant('write' as const), keys) },
  { weight: 4, arbitrary: fc.tuple(fc.constant('remove' as const), keys) },
  {
    weight: 6,
    arbitrary: fc.tuple(fc.constantFrom('take' as const, 'take back' as const), keys),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(
      fc.constantFrom('disconnect' as const, 'relist' as const, 'resync' as const),
      keys,
    ),
  },
);

function play(world: World, [action, key]: [string, string]): void {
  if (action === 'write') world.write(key);
  else if (action === 'remove') world.remove(key);
  else if (action === 'disconnect') world.disconnect();
  else if (action === 'relist') world.relist();
  else if (action === 'resync') world.queue.resync();
  else world.take(action === 'take back');
}

const makeQueues: Readonly<Record<string, ConstructorParameters<typeof World>[0]>> = {
  DeltaFIFO: (knownObjects) => new DeltaFIFO({ keyFunc: metaNamespaceKeyFunc, knownObjects }),
  RealFIFO: () => new RealFIFO<TestObject>({ keyFunc: metaNamespaceKeyFunc }),
};

for (const [name, makeQueue] of Object.entries(makeQueues)) {
  it(`${name}: after any history the consumer has the state of the server, and no state was older than the last`, () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const world = new World(makeQueue);
        for (const one of steps) play(world, one);
        world.relist();
        world.drain();

        assert.deepEqual(
          new Map(world.store.list().map((object) => [metaNamespaceKeyFunc(object), object])),
          world.server,
        );
        for (const states of world.seen.values()) {
          const versions = states.filter((state) => state !== 'gone');
          assert.deepEqual(
            versions,
            [...versions].sort((left, right) => left - right),
          );
        }
        const seen = new Set([...world.seen.values()].flat());
        for (const version of world.told) assert.ok(seen.has(version), `${version} was lost`);
        assert.equal(world.queue.hasSynced, true);
      }),
    );
  });
}

it('RealFIFO: pops everything in the order of the server', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), keys), { maxLength: 60 }), (steps) => {
      const queue = new RealFIFO<TestObject>({ keyFunc: metaNamespaceKeyFunc });
      const expected: string[] = [];
      for (const [position, [isDeletion, key]] of steps.entries()) {
        const object = testObject(key, String(position + 1));
        if (isDeletion) queue.delete(object);
        else queue.add(object);
        expected.push(`${isDeletion ? 'Deleted' : 'Added'} ${position + 1}`);
      }
      const seen: string[] = [];
      while (queue.size > 0) {
        void queue.tryPop((batch) => {
          assert.equal(batch.length, 1);
          for (const delta of batch) {
            if ('object' in delta && 'metadata' in delta.object) {
              seen.push(`${delta.type} ${delta.object.metadata?.resourceVersion}`);
            }
          }
        });
      }
      assert.deepEqual(seen, expected);
    }),
  );
});
