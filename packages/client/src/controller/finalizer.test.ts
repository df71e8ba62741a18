import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requeueAfter } from '../workqueue/reconcile.ts';
import { type FinalizerOptions, withFinalizer } from './finalizer.ts';
import { type StoredObject, TestObjectStore } from './test-object-store.ts';

const finalizer = 'example.com/disks';
const context = { signal: new AbortController().signal, attempt: 1 };

function setUp(options: Partial<FinalizerOptions<StoredObject>> = {}): {
  readonly store: TestObjectStore;
  readonly calls: string[];
  readonly reconcile: ReturnType<typeof withFinalizer<StoredObject>>;
} {
  const store = new TestObjectStore();
  const calls: string[] = [];
  const note = (what: string) => (object: StoredObject) =>
    void calls.push(`${what} ${object.metadata?.finalizers?.join(' ')}`);
  const reconcile = withFinalizer<StoredObject>({
    finalizer,
    client: () => store,
    apply: note('apply'),
    cleanup: note('cleanup'),
    ...options,
  });
  return { store, calls, reconcile };
}

describe('withFinalizer', () => {
  it('stores the finalizer before apply, after those of other controllers', async () => {
    const { store, calls, reconcile } = setUp();
    const object = store.create({ finalizers: ['others/one'] });
    await reconcile(object, context);
    assert.deepEqual(calls, [`apply others/one ${finalizer}`]);
    assert.deepEqual(store.patches, [
      { metadata: { resourceVersion: '1', finalizers: ['others/one', finalizer] } },
    ]);
  });

  it('writes nothing when the finalizer is already set', async () => {
    const { store, calls, reconcile } = setUp();
    await reconcile(store.create({ finalizers: [finalizer] }), context);
    assert.deepEqual(calls, [`apply ${finalizer}`]);
    assert.deepEqual(store.patches, []);
  });

  it('does not apply when the finalizer could not be stored', async () => {
    const { store, calls, reconcile } = setUp();
    const requests: string[] = [];
    store.fault = (request) => {
      requests.push(request);
      throw new Error('the server is away');
    };
    await assert.rejects(reconcile(store.create(), context), /the server is away/);
    assert.deepEqual(calls, []);
    assert.deepEqual(requests, ['patch']);
  });

  it('removes the finalizer whatever else a cleanup in plain JavaScript returns', async () => {
    const { store, reconcile } = setUp({ cleanup: async () => true as never });
    const object = store.create({ finalizers: [finalizer], deletionTimestamp: '2026-01-01' });
    assert.equal(await reconcile(object, context), undefined);
    assert.deepEqual(
      store.patches.map(({ metadata }) => metadata.finalizers),
      [[]],
    );
  });

  it('returns the result of apply and rethrows its error', async () => {
    const { store, reconcile } = setUp({ apply: () => requeueAfter(1000) });
    assert.deepEqual(await reconcile(store.create(), context), requeueAfter(1000));
    const failing = setUp({ apply: () => Promise.reject(new Error('no')) });
    await assert.rejects(failing.reconcile(failing.store.create(), context), /no/);
  });

  it('cleans up, then removes its finalizer and no other', async () => {
    const { store, calls, reconcile } = setUp();
    store.create({ finalizers: ['others/one', finalizer, 'others/two'] });
    store.delete();
    await reconcile(store.object as StoredObject, context);
    assert.deepEqual(calls, [`cleanup others/one ${finalizer} others/two`]);
    assert.deepEqual(store.object?.metadata?.finalizers, ['others/one', 'others/two']);
  });

  it('removes the last finalizer, which deletes the object', async () => {
    const { store, reconcile } = setUp();
    store.create({ finalizers: [finalizer] });
    store.delete();
    await reconcile(store.object as StoredObject, context);
    assert.equal(store.object, undefined);
  });

  for (const [what, cleanup] of [
    ['fails', () => Promise.reject(new Error('not yet'))],
    ['returns requeueAfter', () => requeueAfter(1000)],
  ] as const) {
    it(`keeps the object while cleanup ${what}`, async () => {
      const { store, reconcile } = setUp({ cleanup });
      store.create({ finalizers: [finalizer] });
      store.delete();
      const result = await reconcile(store.object as StoredObject, context).catch(() => 'failed');
      assert.deepEqual(result, what === 'fails' ? 'failed' : requeueAfter(1000));
      assert.deepEqual(store.object?.metadata?.finalizers, [finalizer]);
      assert.deepEqual(store.patches, []);
    });
  }

  it('does nothing for a deleted object without the finalizer', async () => {
    const { store, calls, reconcile } = setUp();
    store.create({ finalizers: ['others/one'] });
    store.delete();
    await reconcile(store.object as StoredObject, context);
    assert.deepEqual(calls, []);
    assert.deepEqual(store.patches, []);
  });

  it('applies to the newest state when the object has changed', async () => {
    const { store, calls, reconcile } = setUp();
    const old = store.create();
    store.change((metadata) => ({ ...metadata, finalizers: ['others/new'] }));
    await reconcile(old, context);
    assert.deepEqual(calls, [`apply others/new ${finalizer}`]);
  });

  it('does not apply to an object that was deleted, is gone or was replaced', async () => {
    for (const meanwhile of [
      (store: TestObjectStore) => {
        store.change((metadata) => ({ ...metadata, finalizers: ['others/one'] }));
        store.delete();
      },
      (store: TestObjectStore) => store.delete(),
      (store: TestObjectStore) => {
        store.delete();
        store.create();
      },
      (store: TestObjectStore) => {
        store.change((metadata) => ({ ...metadata, finalizers: [finalizer] }));
        store.delete();
      },
    ]) {
      const { store, calls, reconcile } = setUp();
      const old = store.create();
      meanwhile(store);
      const there = store.object;
      assert.equal(await reconcile(old, context), undefined);
      assert.deepEqual(calls, []);
      assert.equal(store.object, there, 'and leaves it alone');
    }
  });

  it('cleans up once when the object changes during cleanup', async () => {
    let cleanups = 0;
    const { store, reconcile } = setUp({
      cleanup: () => {
        cleanups += 1;
        store.change((metadata) => ({ ...metadata, labels: { state: 'cleaned' } }));
      },
    });
    store.create({ finalizers: [finalizer, 'others/one'] });
    store.delete();
    await reconcile(store.object as StoredObject, context);
    assert.equal(cleanups, 1);
    assert.deepEqual(store.object?.metadata?.finalizers, ['others/one']);
  });

  it('succeeds when the object is gone during or after cleanup', async () => {
    const { store, reconcile } = setUp({
      cleanup: () => store.change((metadata) => ({ ...metadata, finalizers: [] })),
    });
    store.create({ finalizers: [finalizer] });
    store.delete();
    const last = store.object as StoredObject;
    await reconcile(last, context);
    assert.equal(store.object, undefined);
    store.create();
    await reconcile(last, context);
    assert.deepEqual(store.patches, [], 'the next of the same name is another');
  });

  it('writes nothing if another program has removed the finalizer', async () => {
    const { store, reconcile } = setUp({
      cleanup: () => store.change((metadata) => ({ ...metadata, finalizers: ['others/one'] })),
    });
    store.create({ finalizers: [finalizer, 'others/one'] });
    store.delete();
    await reconcile(store.object as StoredObject, context);
    assert.deepEqual(store.patches, []);
  });

  it('throws the second consecutive conflict', async () => {
    const { store, reconcile } = setUp();
    const old = store.create();
    store.fault = (request) => {
      if (request === 'patch') store.change((metadata) => metadata);
    };
    await assert.rejects(reconcile(old, context), { code: 'API_CONFLICT' });
  });

  it('uses the client of the object namespace and passes the signal on', async () => {
    const asked: unknown[] = [];
    const store = new TestObjectStore();
    const reconcile = withFinalizer<StoredObject>({
      finalizer,
      client: (namespace) => {
        asked.push(namespace);
        return {
          get: () => store.get(),
          patch: (name, patch, options) => {
            asked.push(name, options);
            return store.patch(name, patch);
          },
        };
      },
      apply: (_object, { signal }) => void asked.push(signal),
      cleanup: () => undefined,
    });
    await reconcile(store.create(), context);
    assert.deepEqual(asked, [
      'ns',
      'thing',
      { type: 'merge', signal: context.signal },
      context.signal,
    ]);
  });
});
