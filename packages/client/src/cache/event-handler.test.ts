import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { filteringResourceEventHandler } from './event-handler.ts';
import { type TestObject, testObject } from './test-objects.ts';
import { DeletedFinalStateUnknown } from './store.ts';

function makeHandler() {
  const calls: string[] = [];
  const name = (object: TestObject): string =>
    `${object.metadata?.name}@${object.metadata?.resourceVersion}`;
  const handler = filteringResourceEventHandler<TestObject>({
    filter: (object) => object.metadata?.labels?.['in'] === 'yes',
    handler: {
      onAdd: (object, isInInitialList) => void calls.push(`add ${name(object)} ${isInInitialList}`),
      onUpdate: (before, after) => void calls.push(`update ${name(before)} ${name(after)}`),
      onDelete: (object) =>
        void calls.push(
          `delete ${object instanceof DeletedFinalStateUnknown ? `tombstone ${object.key}` : name(object)}`,
        ),
    },
  });
  return { handler, calls };
}

const inside = (version: string): TestObject => testObject('a', version, { in: 'yes' });
const outside = (version: string): TestObject => testObject('a', version);

describe('filteringResourceEventHandler', () => {
  it('passes on objects that pass the filter', () => {
    const { handler, calls } = makeHandler();
    void handler.onAdd?.(inside('1'), true);
    void handler.onAdd?.(outside('1'), true);
    void handler.onUpdate?.(inside('1'), inside('2'));
    void handler.onUpdate?.(outside('1'), outside('2'));
    void handler.onDelete?.(inside('3'));
    void handler.onDelete?.(outside('3'));
    assert.deepEqual(calls, ['add a@1 true', 'update a@1 a@2', 'delete a@3']);
  });

  it('turns an update into an addition or a deletion when the result of the filter changes', () => {
    const { handler, calls } = makeHandler();
    void handler.onUpdate?.(outside('1'), inside('2'));
    void handler.onUpdate?.(inside('2'), outside('3'));
    assert.deepEqual(calls, ['add a@2 false', 'delete a@2']);
  });

  it('filters tombstones by their last state, if there is one', () => {
    const { handler, calls } = makeHandler();
    void handler.onDelete?.(new DeletedFinalStateUnknown('in', inside('1')));
    void handler.onDelete?.(new DeletedFinalStateUnknown('out', outside('1')));
    void handler.onDelete?.(new DeletedFinalStateUnknown<TestObject>('unknown', undefined));
    assert.deepEqual(calls, ['delete tombstone in', 'delete tombstone unknown']);
  });

  it('returns the promise of the handler, so that the next call waits', async () => {
    const promise = Promise.resolve();
    const handler = filteringResourceEventHandler<TestObject>({
      filter: () => true,
      handler: { onAdd: () => promise },
    });
    assert.equal(handler.onAdd?.(inside('1'), false), promise);
    assert.equal(handler.onUpdate?.(inside('1'), inside('2')), undefined);
    await promise;
  });
});
