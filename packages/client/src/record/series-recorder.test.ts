import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextTurn } from '../lib/next-turn.ts';
import { newAlreadyExists } from '../meta/error-factories.ts';
import { type EventV1Details, getIsomorphicKey } from './events-v1-broadcaster.ts';
import type { EventSubject } from './reference.ts';
import { EventsV1Trial, MemoryEventsV1Sink, podReference } from './test-record.ts';

const minute = 60_000;

describe('series', () => {
  it('start with the second event, which is written immediately; later ones are counted', async () => {
    const trial = new EventsV1Trial();
    await trial.record();
    assert.deepEqual(trial.counts, [undefined]);
    await trial.clock.advance(1000);
    await trial.record();
    assert.deepEqual(trial.sink.calls.at(-1), {
      verb: 'patch',
      event: trial.sink.calls.at(-1)?.event,
      patch: { series: { count: 2, lastObservedTime: '2026-01-01T00:00:01.000000Z' } },
    });
    await trial.record();
    await trial.record();
    assert.deepEqual(trial.sink.verbs, ['create', 'patch']);
    assert.deepEqual(trial.counts, [2]);
    assert.equal(trial.broadcaster.statistics.condensed, 2);
  });

  it('contain events that differ only in note, annotations and resourceVersion', async () => {
    const trial = new EventsV1Trial();
    await trial.record();
    await trial.record({ note: 'another', annotations: { a: 'b' } });
    await trial.record({}, { ...podReference, resourceVersion: '2' });
    assert.equal(trial.stored.length, 1);
    const others: [Partial<EventV1Details>, EventSubject?][] = [
      [{ type: 'Warning' }],
      [{ action: 'Other' }],
      [{ reason: 'Other' }],
      [{ related: podReference }],
      [{}, { ...podReference, name: 'other' }],
      [{}, { ...podReference, namespace: 'other' }],
      [{}, { ...podReference, uid: 'other' }],
      [{}, { ...podReference, fieldPath: 'spec.containers{a}' }],
      [{}, { ...podReference, kind: 'Other' }],
      [{}, { ...podReference, apiVersion: 'other/v1' }],
    ];
    for (const [parts, object] of others) await trial.record(parts, object);
    assert.equal(trial.stored.length, 1 + others.length);
    const [event] = trial.stored;
    assert.ok(event);
    const key = getIsomorphicKey(event);
    assert.notEqual(key, getIsomorphicKey({ ...event, reportingController: 'other' }));
    assert.notEqual(key, getIsomorphicKey({ ...event, reportingInstance: 'other' }));
  });

  it('end after six minutes without a repetition, and write the last count', async () => {
    const trial = new EventsV1Trial();
    for (let count = 0; count < 10; count += 1) await trial.record();
    await trial.clock.advance(6 * minute - 1);
    assert.deepEqual(trial.counts, [2]);
    await trial.clock.advance(1);
    assert.deepEqual(trial.counts, [10]);
    assert.deepEqual(trial.sink.verbs, ['create', 'patch', 'patch']);
    assert.equal(trial.clock.pending, 1, 'the refreshing comes once more');
    await trial.clock.advance(30 * minute);
    assert.equal(trial.clock.pending, 0);
    assert.equal(trial.sink.calls.length, 3);
  });

  it('continue while events are repeated', async () => {
    const trial = new EventsV1Trial();
    for (let count = 0; count < 10; count += 1) {
      await trial.record();
      await trial.clock.advance(6 * minute - 1);
    }
    assert.equal(trial.stored.length, 1);
    assert.equal(trial.sink.verbs.filter((verb) => verb === 'create').length, 1);
  });

  it('write nothing at the end if the count is already written', async () => {
    const trial = new EventsV1Trial();
    await trial.record();
    await trial.record();
    await trial.clock.advance(10 * minute);
    assert.deepEqual(trial.sink.verbs, ['create', 'patch']);
  });

  it('are forgotten after six minutes: the next event is a new one', async () => {
    const trial = new EventsV1Trial();
    await trial.record();
    await trial.clock.advance(6 * minute);
    await trial.record();
    assert.deepEqual(trial.sink.verbs, ['create', 'create']);
    assert.equal(trial.stored.length, 2);
  });

  it('end separately', async () => {
    const trial = new EventsV1Trial();
    for (const reason of ['A', 'A', 'A']) await trial.record({ reason });
    await trial.clock.advance(2 * minute);
    for (const reason of ['B', 'B', 'B']) await trial.record({ reason });
    await trial.clock.advance(4 * minute);
    assert.deepEqual(trial.counts, [3, 2]);
    await trial.clock.advance(2 * minute);
    assert.deepEqual(trial.counts, [3, 3]);
  });

  it('end in the order of their last event', async () => {
    const trial = new EventsV1Trial();
    for (const reason of ['A', 'A', 'A']) await trial.record({ reason });
    await trial.clock.advance(minute);
    for (const reason of ['B', 'B', 'B']) await trial.record({ reason });
    await trial.clock.advance(minute);
    await trial.record({ reason: 'A' });
    await trial.clock.advance(5 * minute);
    assert.deepEqual(trial.counts, [2, 3]);
    await trial.clock.advance(minute);
    assert.deepEqual(trial.counts, [4, 3]);
  });

  it('are written one at a time', async () => {
    const trial = new EventsV1Trial();
    for (const reason of ['A', 'A', 'A']) await trial.record({ reason });
    let underWay = 0;
    let most = 0;
    const releases: (() => void)[] = [];
    trial.sink.onWrite = async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise<void>((resolve) => releases.push(resolve));
      underWay -= 1;
    };
    await trial.clock.advance(6 * minute - 1);
    await trial.record({ reason: 'B' });
    await trial.clock.advance(1);
    assert.equal(releases.length, 1);
    releases[0]?.();
    await nextTurn();
    releases[1]?.();
    await nextTurn();
    assert.equal(most, 1);
    assert.deepEqual(trial.counts, [3, undefined]);
  });

  it('are written every half hour, so that the server keeps them', async () => {
    const trial = new EventsV1Trial();
    const patchTimes: number[] = [];
    trial.sink.onWrite = ({ verb }) => {
      if (verb === 'patch') patchTimes.push(trial.clock.monotonic() / minute);
    };
    for (let minutes = 0; minutes < 65; minutes += 1) {
      await trial.record();
      await trial.clock.advance(minute);
    }
    assert.deepEqual(patchTimes, [1, 31, 61]);
    assert.deepEqual(trial.counts, [61]);
  });

  it('recreate an expired event', async () => {
    const trial = new EventsV1Trial();
    await trial.record();
    trial.sink.stored.clear();
    await trial.record();
    assert.deepEqual(trial.sink.verbs, ['create', 'patch', 'create']);
    assert.deepEqual(trial.counts, [2]);
    assert.equal(trial.sink.calls.at(-1)?.event.metadata?.resourceVersion, undefined);
  });

  it('patch again when the expired event was created concurrently', async () => {
    const trial = new EventsV1Trial();
    const group = { group: 'events.k8s.io', resource: 'events' };
    await trial.record();
    const [kept] = trial.sink.stored;
    assert.ok(kept);
    trial.sink.stored.clear();
    trial.sink.onWrite = ({ verb }) => {
      if (verb === 'patch') return;
      trial.sink.stored.set(...kept);
      throw newAlreadyExists(group, 'web');
    };
    await trial.record();
    await trial.clock.advance(minute);
    assert.deepEqual(trial.sink.verbs, ['create', 'patch', 'create', 'patch']);
    assert.deepEqual(trial.counts, [2]);
  });

  it('are written when the broadcaster shuts down', async () => {
    const trial = new EventsV1Trial();
    for (let count = 0; count < 7; count += 1) await trial.record();
    await trial.record({ reason: 'Other' });
    await trial.broadcaster.shutdown();
    assert.deepEqual(trial.counts, [7, undefined]);
    assert.equal(trial.clock.pending, 0);
  });

  it('leave no timer when they are closed during a write', async () => {
    const stop = new AbortController();
    const trial = new EventsV1Trial({ signal: stop.signal });
    for (let count = 0; count < 3; count += 1) await trial.record();
    await trial.clock.advance(minute);
    await trial.record({ reason: 'Other' });
    trial.sink.onWrite = (_call, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    await trial.clock.advance(5 * minute);
    assert.equal(trial.sink.calls.length, 4);
    stop.abort();
    await trial.broadcaster.shutdown();
    await nextTurn();
    assert.equal(trial.clock.pending, 0);
    assert.equal(trial.sink.calls.length, 4);
  });

  it('are not written when the watcher is closed', async () => {
    const trial = new EventsV1Trial();
    const sink = new MemoryEventsV1Sink();
    const watcher = trial.broadcaster.startRecordingToSink(sink);
    for (let count = 0; count < 3; count += 1) await trial.record();
    await watcher.close();
    assert.deepEqual(sink.verbs, ['create', 'patch']);
    assert.deepEqual(trial.errors, []);
  });

  it('are limited in number: the least recent one ends early', async () => {
    const trial = new EventsV1Trial({ series: { cacheSize: 2 } });
    for (const reason of ['A', 'A', 'A', 'B', 'C']) await trial.record({ reason });
    assert.deepEqual(trial.counts, [3, undefined, undefined]);
    await trial.record({ reason: 'B' });
    await trial.record({ reason: 'A' });
    assert.equal(trial.stored.length, 4);
    assert.deepEqual(trial.counts, [3, 2, undefined, undefined]);
  });

  it('have configurable times', async () => {
    const trial = new EventsV1Trial({ series: { finishTimeMs: 1000, refreshTimeMs: 500 } });
    for (let count = 0; count < 3; count += 1) await trial.record();
    await trial.clock.advance(500);
    assert.deepEqual(trial.counts, [3]);
    await trial.clock.advance(500);
    await trial.record();
    assert.equal(trial.stored.length, 2);
  });
});
