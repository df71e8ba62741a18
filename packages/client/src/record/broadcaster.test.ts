import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Event } from '../api/core/v1.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { podReference, Trial } from './test-record.ts';

describe('a broadcaster under load', () => {
  it('queues a thousand events and loses none', async () => {
    const trial = new Trial();
    const tries = new Map<string, number>();
    trial.sink.onWrite = ({ event }) => {
      const { message = '' } = event;
      tries.set(message, (tries.get(message) ?? 0) + 1);
      if ((tries.get(message) ?? 0) < 5) throw new Error('fake error');
    };
    const logged: Event[] = [];
    trial.broadcaster.startRecordingToSink(trial.sink);
    trial.broadcaster.startEventWatcher((event) => void logged.push(event));
    for (let index = 0; index < 1000; index += 1) {
      const object = { ...podReference, name: `web-${index}` };
      trial.recorder.event(object, 'Normal', `Reason${index}`, `${index}`);
    }
    await trial.clock.advance(1000 * 50_000);
    assert.equal(trial.sink.stored.size, 1000);
    assert.equal(logged.length, 1000);
    assert.ok([...tries.values()].every((count) => count === 5));
    assert.equal(trial.broadcaster.statistics.dropped, 0);
  });

  it('drops and counts events over the limit, reports it once and never waits', async () => {
    const trial = new Trial({ maxQueuedEvents: 3 });
    let release = (): void => undefined;
    trial.sink.onWrite = () => new Promise<void>((resolve) => (release = resolve));
    trial.broadcaster.startRecordingToSink(trial.sink);
    trial.record('first');
    await nextTurn();
    for (let index = 0; index < 10; index += 1) trial.record(`${index}`);
    assert.equal(trial.broadcaster.statistics.dropped, 7);
    assert.equal(trial.broadcaster.statistics.pending, 4);
    assert.equal(trial.broadcaster.statistics.recorded, 11);
    assert.deepEqual(trial.codes, ['RECORD_OVERFLOW']);
    trial.sink.onWrite = () => undefined;
    release();
    await nextTurn();
    trial.record('after the overflow');
    await nextTurn();
    assert.deepEqual(
      trial.sink.calls.map(({ event }) => event.message),
      ['first', '0', '1', '2', 'after the overflow'],
    );
  });

  it('drops only the events of a slow watcher', async () => {
    const trial = new Trial({ maxQueuedEvents: 5 });
    trial.broadcaster.startEventWatcher(() => new Promise(() => undefined));
    trial.broadcaster.startRecordingToSink(trial.sink);
    for (let index = 0; index < 20; index += 1) {
      trial.record(`${index}`);
      await nextTurn();
    }
    assert.equal(trial.broadcaster.statistics.written, 20);
    assert.equal(trial.broadcaster.statistics.dropped, 14);
  });

  it('counts condensed events', async () => {
    const trial = new Trial();
    trial.broadcaster.startRecordingToSink(trial.sink);
    for (let index = 0; index < 30; index += 1) trial.record('it started');
    await nextTurn();
    const { condensed, recorded, written } = trial.broadcaster.statistics;
    assert.deepEqual({ condensed, recorded, written }, { condensed: 5, recorded: 30, written: 25 });
  });
});

describe('closing a watcher', () => {
  it('does not wait when its own handler calls it', async () => {
    const trial = new Trial();
    const seen: string[] = [];
    const watcher = trial.broadcaster.startEventWatcher(async ({ message = '' }) => {
      await nextTurn();
      await watcher.close();
      seen.push(message);
    });
    trial.record('first', 'second');
    await trial.clock.advance(0);
    assert.deepEqual(seen, ['first']);
    trial.broadcaster.startEventWatcher(async ({ message = '' }) => {
      await nextTurn();
      await trial.broadcaster.shutdown();
      seen.push(message);
    });
    trial.record('third');
    await trial.clock.advance(0);
    assert.deepEqual(seen, ['first', 'third']);
    assert.equal(trial.clock.pending, 0);
  });

  it('reports a handler that does not finish and stops waiting for it', async () => {
    const trial = new Trial();
    const watcher = trial.broadcaster.startEventWatcher(() => new Promise(() => undefined));
    trial.record('first');
    await trial.clock.advance(0);
    const stopping = watcher.close();
    await trial.clock.advance(9999);
    assert.deepEqual(trial.codes, []);
    await trial.clock.advance(1);
    await stopping;
    assert.deepEqual(trial.codes, ['RECORD_HANDLER_STUCK']);
  });
});
