import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { withFinalizer } from './finalizer.ts';
import { type StoredObject, TestObjectStore } from './test-object-store.ts';

const finalizer = 'example.com/disks';
const context = { signal: new AbortController().signal, attempt: 1 };

/** Steps in any order. `reconcile` sees a state that is `lag` changes old. */
const events = fc.array(
  fc.oneof(
    fc.record({ type: fc.constantFrom('create', 'delete', 'label', 'other finalizer') }),
    fc.record({
      type: fc.constant('reconcile'),
      lag: fc.nat(4),
      /** Where the process crashes: nowhere, before or after a request takes effect, or in its work. */
      dies: fc.constantFrom('never', 'before', 'after', 'in apply', 'in cleanup'),
      /** Another program changes the object meanwhile. */
      interferes: fc.constantFrom('none', 'label', 'delete'),
    }),
  ),
  { maxLength: 40 },
);

it('if apply ever started, cleanup succeeds before the object is gone', async () => {
  await fc.assert(
    fc.asyncProperty(events, async (history) => {
      const store = new TestObjectStore();
      const started = new Set<string>();
      const cleaned = new Set<string>();
      const faults: string[] = [];
      store.onGone = ({ metadata: { uid = '' } = {} }) => {
        if (started.has(uid) && !cleaned.has(uid)) faults.push(`${uid} went without cleanup`);
      };
      let others: readonly string[] = [];
      const touch = {
        create: () => {
          if (store.object === undefined) store.create();
        },
        delete: () => store.delete(),
        label: () => store.change((metadata) => ({ ...metadata, labels: { any: 'change' } })),
        'other finalizer': () =>
          store.change((metadata) => {
            const has = metadata.finalizers?.includes('others/one') ?? false;
            const rest = (metadata.finalizers ?? []).filter((name) => name !== 'others/one');
            return { ...metadata, finalizers: has ? rest : ['others/one', ...rest] };
          }),
        none: () => undefined,
      };
      /** The newest state that the informer of this process has seen. */
      let seen = 0;

      for (const event of history) {
        if (event.type !== 'reconcile' || !('lag' in event)) {
          touch[event.type as keyof typeof touch]();
        } else {
          const { lag, dies, interferes } = event;
          seen = Math.max(seen, store.history.length - 1 - lag);
          const object = store.history[seen];
          if (object === undefined) continue;
          let isFirst = true;
          store.fault = (_request, when) => {
            if (isFirst && when === 'before') touch[interferes]();
            isFirst = false;
            if (when === dies) throw new Error(`died ${when} a request`);
          };
          const work = (done: Set<string>, here: string) => (held: StoredObject) => {
            if (done === started) done.add(held.metadata?.uid ?? '');
            if (dies === here) throw new Error(`died ${here}`);
            done.add(held.metadata?.uid ?? '');
          };
          others = (store.object?.metadata?.finalizers ?? []).filter((name) => name !== finalizer);
          const patches = store.patches.length;
          await withFinalizer<StoredObject>({
            finalizer,
            client: () => store,
            apply: work(started, 'in apply'),
            cleanup: work(cleaned, 'in cleanup'),
          })(object, context).catch(() => undefined);
          store.fault = () => undefined;
          for (const { metadata } of store.patches.slice(patches)) {
            const kept = metadata.finalizers.filter((name) => name !== finalizer);
            if (kept.join() !== others.join()) faults.push('touched the finalizers of others');
          }
        }
      }
      assert.deepEqual(faults, []);

      // After any sequence of crashes, a process that keeps running completes the cleanup.
      touch.delete();
      store.change((metadata) => ({
        ...metadata,
        finalizers: (metadata.finalizers ?? []).filter((name) => name === finalizer),
      }));
      const last = store.object;
      if (last !== undefined) {
        await withFinalizer<StoredObject>({
          finalizer,
          client: () => store,
          apply: () => assert.fail(),
          cleanup: (held) => void cleaned.add(held.metadata?.uid ?? ''),
        })(last, context);
      }
      assert.equal(store.object, undefined);
      assert.deepEqual(faults, []);
    }),
    { numRuns: 500 },
  );
});
