import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DiagnosedInformer, InformerChange } from 'client-ts/cache';
import type { ObservedTrigger, QueueAddRecord, WatchEventRecord } from 'client-ts/observe';
import { ObjectHistory } from './object-history.ts';

function changeOf(key: string, resourceVersion: string): [WatchEventRecord, InformerChange] {
  const after = { metadata: { name: key, resourceVersion } };
  const common = { key, informer: 'pods' };
  return [
    { at: 1, seq: 1, type: 'watch.event', event: 'update', ...common, resourceVersion },
    {
      informer: { name: 'pods' } as DiagnosedInformer,
      type: 'update',
      key,
      before: undefined,
      after,
      isInInitialList: false,
    },
  ];
}

function triggerOf(key: string): ObservedTrigger {
  const common = { informer: 'pods', handler: 'h', event: 'update' } as const;
  return { kind: 'change', ...common, key, resourceVersion: '1' };
}

function addOf(object: string, key: string): QueueAddRecord {
  const trigger = triggerOf(object);
  return { at: 1, seq: 1, type: 'queue.add', queue: 'q', key, trigger };
}

describe('ObjectHistory', () => {
  it('keeps the last changes of an object, and drops the objects that changed first', () => {
    const history = new ObjectHistory();
    for (let version = 1; version <= 50; version += 1) {
      history.change(...changeOf('hot', String(version)));
    }
    const { changes } = history.of('pods', 'hot');
    assert.equal(changes.length, 20);
    assert.equal(changes[0]?.after?.metadata?.resourceVersion, '50');
    for (let object = 0; object < 2000; object += 1) history.change(...changeOf(`p${object}`, '1'));
    assert.deepEqual(history.of('pods', 'hot').changes, []);
    assert.deepEqual(history.of('pods', 'p0').changes, []);
    assert.equal(history.of('pods', 'p1999').changes.length, 1);
    const kept = Array.from({ length: 2000 }, (_, object) => history.of('pods', `p${object}`));
    const count = kept.filter((each) => each.changes.length > 0).length;
    assert.ok(count >= 1000 && count <= 1100, String(count));
  });

  it('connects a reconcile with everything that was added for its key before', () => {
    const history = new ObjectHistory();
    const start = (id: number, key: string): void =>
      history.started({
        at: 1,
        seq: 1,
        type: 'reconcile.start',
        id,
        controller: 'q',
        key,
        attempt: 1,
        trigger: triggerOf('web'),
        queuedMs: 0,
      });
    for (const key of ['a', 'b', 'a']) history.queued(addOf('web', key));
    start(7, 'a');
    history.queued(addOf('web', 'a'));
    start(8, 'b');
    start(9, 'a');
    assert.deepEqual(
      history.of('pods', 'web').triggered.map(({ key, reconcile }) => [key, reconcile]),
      [
        ['a', 9],
        ['a', 7],
        ['b', 8],
        ['a', 7],
      ],
    );
  });
});
