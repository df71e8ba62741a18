import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Backlog } from './backlog.ts';
import type { CollectedEvent } from './collected-event.ts';
import { anEvent } from './test-events.ts';

describe('Backlog', () => {
  function add(backlog: Backlog, settled: string[], event: CollectedEvent): void {
    const arrived = (): void => void settled.push(`${event.uid}@${event.resourceVersion}`);
    backlog.add({ event, passage: { arrived } });
  }

  it('hands out batches in order, and settles them when they are written', async () => {
    const backlog = new Backlog();
    const settled: string[] = [];
    for (const number of [1, 2, 3]) add(backlog, settled, anEvent(number));
    assert.equal(backlog.size, 3);
    const first = await backlog.take(2);
    const second = await backlog.take(2);
    assert.deepEqual([first.length, second.length, backlog.size], [2, 1, 0]);
    assert.deepEqual(settled, []);
    backlog.finish(first);
    assert.deepEqual(settled, ['uid-1@1', 'uid-2@2']);
  });

  it('keeps only the newest state of a queued event', async () => {
    const backlog = new Backlog();
    const settled: string[] = [];
    for (const version of [5, 7, 6]) add(backlog, settled, anEvent(1, { version }));
    assert.deepEqual(settled, ['uid-1@5', 'uid-1@6'], 'pointless by now');
    const batch = await backlog.take(10);
    assert.deepEqual(
      batch.map(({ event }) => event.resourceVersion),
      ['7'],
    );
  });

  it('never hands states of one event to two writers', async () => {
    const backlog = new Backlog();
    const settled: string[] = [];
    add(backlog, settled, anEvent(1, { version: 5 }));
    const first = await backlog.take(10);
    add(backlog, settled, anEvent(1, { version: 6 }));
    add(backlog, settled, anEvent(2));
    const second = await backlog.take(10);
    assert.deepEqual(
      second.map(({ event }) => event.uid),
      ['uid-2'],
    );
    backlog.finish(first);
    const third = await backlog.take(10);
    assert.deepEqual(
      third.map(({ event }) => event.resourceVersion),
      ['6'],
    );
  });

  it('keeps a segment until the newest state of each of its events is written', async () => {
    const backlog = new Backlog();
    let holders = 0;
    const hold = { retain: () => void (holders += 1), release: () => void (holders -= 1) };
    for (const version of [5, 6]) {
      hold.retain();
      backlog.add({ event: anEvent(1, { version }), segments: new Set([hold]) });
    }
    assert.equal(holders, 1, 'one event needs it');
    // Straight from the source: only in memory.
    backlog.add({ event: anEvent(1, { version: 7 }), passage: { arrived: () => undefined } });
    assert.equal(holders, 1);
    const batch = await backlog.take(10);
    assert.deepEqual(
      batch.map(({ event }) => event.resourceVersion),
      ['7'],
    );
    backlog.giveUp(batch);
    assert.equal(holders, 1, 'what is not written is not released');
    backlog.finish(batch);
    assert.equal(holders, 0);
  });

  it('ends when closed and empty', async () => {
    const backlog = new Backlog();
    const waiting = backlog.take(10);
    backlog.close();
    assert.deepEqual(await waiting, []);
  });
});
