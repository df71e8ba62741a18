import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { DeltaFIFO } from './delta-fifo.ts';
import { Indexer } from './indexer.ts';
import { metaNamespaceKeyFunc } from './store.ts';
import { type TestObject, testObject } from './test-objects.ts';
import { describeDelta } from './test-queues.ts';

/** The queue as a plain list of texts: simple, not fast. */
class ModelQueue {
  lines: { readonly key: string; deltas: string[] }[] = [];

  push(key: string, delta: string): void {
    const line = this.lines.find((other) => other.key === key);
    if (line === undefined) this.lines.push({ key, deltas: [delta] });
    else if (!delta.startsWith('Deleted') || !line.deltas.at(-1)?.startsWith('Deleted')) {
      line.deltas.push(delta);
    } else if (!delta.endsWith('(missed)')) line.deltas.splice(-1, 1, delta);
  }

  lastVersion(key: string): string | undefined {
    const line = this.lines.find((other) => other.key === key);
    return line?.deltas.at(-1)?.split('@')[1]?.split(' ')[0];
  }

  has(key: string): boolean {
    return this.lines.some((line) => line.key === key);
  }
}

const keys = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const steps = fc.array(
  fc.oneof(
    fc.record({ type: fc.constantFrom('add' as const, 'update' as const), key: keys }),
    fc.record({ type: fc.constantFrom('delete' as const, 'take' as const), key: keys }),
    fc.record({ type: fc.constant('replace' as const), listed: fc.uniqueArray(keys) }),
    fc.record({ type: fc.constant('resync' as const) }),
  ),
  { maxLength: 50 },
);

it('a DeltaFIFO behaves like its plain model after any history', () => {
  fc.assert(
    fc.property(fc.uniqueArray(keys), steps, (alreadyKnown, history) => {
      const knownObjects = new Indexer<TestObject>({ keyFunc: metaNamespaceKeyFunc });
      knownObjects.replace(
        alreadyKnown.map((key) => testObject(key, 'known')),
        '1',
      );
      const queue = new DeltaFIFO({ keyFunc: metaNamespaceKeyFunc, knownObjects });
      const model = new ModelQueue();

      for (const [position, step] of history.entries()) {
        const version = String(position);
        if (step.type === 'add' || step.type === 'update') {
          queue[step.type](testObject(step.key, version));
          model.push(
            step.key,
            `${step.type === 'add' ? 'Added' : 'Updated'} ${step.key}@${version}`,
          );
        } else if (step.type === 'delete') {
          queue.delete(testObject(step.key, version));
          if (model.has(step.key) || alreadyKnown.includes(step.key)) {
            model.push(step.key, `Deleted ${step.key}@${version}`);
          }
        } else if (step.type === 'replace') {
          queue.replace(
            step.listed.map((key) => testObject(key, version)),
            version,
          );
          for (const key of step.listed) model.push(key, `Replaced ${key}@${version}`);
          for (const key of model.lines.map((line) => line.key)) {
            if (step.listed.some((listed) => listed === key)) continue;
            model.push(key, `Deleted ${key}@${model.lastVersion(key)} (missed)`);
          }
          for (const key of alreadyKnown) {
            if (step.listed.includes(key) || model.has(key)) continue;
            model.push(key, `Deleted ${key}@known (missed)`);
          }
        } else if (step.type === 'resync') {
          queue.resync();
          for (const key of alreadyKnown) {
            if (!model.has(key)) model.push(key, `Sync ${key}@known`);
          }
        } else {
          let taken: string[] | undefined;
          void queue.tryPop((deltas) => {
            taken = deltas.map(describeDelta);
          });
          assert.deepEqual(taken, model.lines.shift()?.deltas);
        }
        assert.equal(queue.size, model.lines.length);
      }
    }),
  );
});
