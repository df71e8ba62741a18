import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';
import { nextTurn } from '../lib/next-turn.ts';
import { MemoryEventSink, Trial } from './test-record.ts';

describe('shutdown', () => {
  it('writes the events recorded before it, in order', async () => {
    const trial = new Trial();
    trial.broadcaster.startRecordingToSink(trial.sink);
    trial.record('one', 'two', 'three');
    await trial.broadcaster.shutdown();
    assert.deepEqual(trial.written, ['one', 'two', 'three']);
    assert.equal(trial.clock.pending, 0);
    assert.deepEqual(trial.errors, []);
  });

  it('is called by `await using`', async () => {
    const trial = new Trial();
    {
      await using broadcaster = trial.broadcaster;
      broadcaster.startRecordingToSink(trial.sink);
      trial.record('last words');
    }
    assert.deepEqual(trial.written, ['last words']);
  });

  it('rejects further events and reports them', async () => {
    const trial = new Trial();
    trial.broadcaster.startRecordingToSink(trial.sink);
    const ending = trial.broadcaster.shutdown();
    trial.record('too late');
    await ending;
    assert.deepEqual(trial.written, []);
    assert.deepEqual(trial.codes, ['RECORD_SHUT_DOWN']);
    assert.equal(trial.broadcaster.statistics.dropped, 1);
  });

  it('tries each event once when the server is unreachable, without delays', async () => {
    const trial = new Trial();
    trial.sink.onWrite = () => {
      throw new Error('away');
    };
    trial.broadcaster.startRecordingToSink(trial.sink);
    trial.record('one', 'two', 'three');
    await nextTurn();
    assert.equal(trial.sink.calls.length, 1);
    await trial.broadcaster.shutdown();
    assert.deepEqual(
      trial.sink.calls.map(({ event }) => event.message),
      ['one', 'one', 'two', 'three'],
    );
    assert.deepEqual(trial.codes, ['RECORD_SHUT_DOWN', 'RECORD_SHUT_DOWN', 'RECORD_SHUT_DOWN']);
    assert.equal(trial.broadcaster.statistics.abandoned, 3);
    assert.equal(trial.clock.pending, 0);
  });

  it('tries a delayed event a last time immediately', async () => {
    const trial = new Trial();
    let isAway = true;
    trial.sink.onWrite = () => {
      if (isAway) throw new Error('away');
    };
    trial.broadcaster.startRecordingToSink(trial.sink);
    trial.record('one');
    await nextTurn();
    isAway = false;
    await trial.broadcaster.shutdown();
    assert.deepEqual(trial.written, ['one']);
  });

  it('ends at its timeout and aborts the request in progress', async () => {
    const trial = new Trial();
    const aborted: unknown[] = [];
    trial.sink.onWrite = (_call, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted.push(signal.reason);
          reject(signal.reason as Error);
        });
      });
    trial.broadcaster.startRecordingToSink(trial.sink);
    trial.record('one', 'two', 'three');
    let isDone = false;
    const ending = trial.broadcaster.shutdown({ timeoutMs: 5000 }).then(() => (isDone = true));
    await trial.clock.advance(4999);
    await nextTurn();
    assert.equal(isDone, false);
    await trial.clock.advance(1);
    await ending;
    assert.equal(aborted.length, 1);
    assert.equal(trial.sink.calls.length, 1);
    const { abandoned, dropped, pending } = trial.broadcaster.statistics;
    assert.deepEqual({ abandoned, dropped, pending }, { abandoned: 1, dropped: 2, pending: 0 });
    assert.equal(trial.clock.pending, 0);
  });

  it('waits ten seconds by default, also for a handler that never ends', async () => {
    const trial = new Trial();
    trial.broadcaster.startEventWatcher(() => new Promise(() => undefined));
    trial.record('one');
    let isDone = false;
    const ending = trial.broadcaster.shutdown().then(() => (isDone = true));
    await trial.clock.advance(9999);
    await nextTurn();
    assert.equal(isDone, false);
    await trial.clock.advance(1);
    await ending;
    assert.equal(trial.clock.pending, 0);
  });

  it('ends immediately with its signal', async () => {
    const trial = new Trial();
    const stop = new AbortController();
    trial.broadcaster.startEventWatcher(() => new Promise(() => undefined));
    trial.record('one', 'two');
    const ending = trial.broadcaster.shutdown({ signal: stop.signal });
    await nextTurn();
    stop.abort();
    await ending;
    assert.equal(trial.broadcaster.statistics.dropped, 1);
    assert.equal(trial.clock.pending, 0);
  });

  it('can be called twice', async () => {
    const trial = new Trial();
    trial.broadcaster.startRecordingToSink(trial.sink);
    trial.record('one');
    await Promise.all([trial.broadcaster.shutdown(), trial.broadcaster.shutdown()]);
    assert.deepEqual(trial.written, ['one']);
  });

  it('delivers nothing to a watcher that is started later', async () => {
    const trial = new Trial();
    await trial.broadcaster.shutdown();
    await using watcher = trial.broadcaster.startRecordingToSink(trial.sink);
    trial.record('one');
    await nextTurn();
    assert.equal(watcher.pending, 0);
    assert.deepEqual(trial.sink.calls, []);
  });
});

describe('the signal of a broadcaster', () => {
  it('stops everything immediately', async () => {
    const stop = new AbortController();
    const trial = new Trial({ signal: stop.signal });
    trial.sink.onWrite = () => {
      throw new Error('away');
    };
    trial.broadcaster.startRecordingToSink(trial.sink);
    trial.record('one', 'two');
    await nextTurn();
    stop.abort();
    await trial.broadcaster.shutdown();
    await nextTurn();
    assert.equal(trial.sink.calls.length, 1);
    assert.equal(trial.clock.pending, 0);
    const { abandoned, dropped } = trial.broadcaster.statistics;
    assert.deepEqual({ abandoned, dropped }, { abandoned: 1, dropped: 1 });
  });

  it('may already be aborted', async () => {
    const trial = new Trial({ signal: AbortSignal.abort() });
    trial.broadcaster.startRecordingToSink(trial.sink);
    trial.record('one');
    await nextTurn();
    assert.deepEqual(trial.sink.calls, []);
    assert.equal(trial.clock.pending, 0);
  });

  it('has no listeners after the end', async () => {
    const stop = new AbortController();
    const trial = new Trial({ signal: stop.signal });
    trial.broadcaster.startRecordingToSink(trial.sink);
    assert.equal(getEventListeners(stop.signal, 'abort').length, 1);
    await trial.broadcaster.shutdown();
    assert.equal(getEventListeners(stop.signal, 'abort').length, 0);
  });
});

describe('closing a watcher', () => {
  it('ends the delay before the next attempt', async () => {
    const trial = new Trial();
    trial.sink.onWrite = () => {
      throw new Error('away');
    };
    const watcher = trial.broadcaster.startRecordingToSink(trial.sink);
    trial.record('one');
    await nextTurn();
    assert.equal(trial.clock.pending, 1);
    await watcher.close();
    assert.equal(trial.clock.pending, 0);
    assert.equal(trial.sink.calls.length, 1);
    assert.equal(trial.broadcaster.statistics.abandoned, 1);
  });

  it('drops its queued events and no others', async () => {
    const trial = new Trial();
    const other = new MemoryEventSink();
    let release = (): void => undefined;
    trial.sink.onWrite = () => new Promise<void>((resolve) => (release = resolve));
    const watcher = trial.broadcaster.startRecordingToSink(trial.sink);
    trial.broadcaster.startRecordingToSink(other);
    trial.record('one', 'two', 'three');
    await nextTurn();
    assert.equal(watcher.pending, 3);
    const stopping = watcher.close();
    release();
    await stopping;
    trial.record('four');
    await nextTurn();
    assert.deepEqual(
      trial.sink.calls.map(({ event }) => event.message),
      ['one'],
    );
    assert.equal(other.stored.size, 4);
    assert.equal(trial.broadcaster.statistics.dropped, 2);
  });
});
