import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextTurn } from '../lib/next-turn.ts';
import { recordingLogger } from '../lib/test-logger.ts';
import { EventBroadcaster } from './event-broadcaster.ts';
import { MemoryEventSink, podReference, Trial } from './test-record.ts';

const secondReference = { ...podReference, uid: 'u2' };

describe('EventBroadcaster', () => {
  it('writes recorded events', async () => {
    const { broadcaster, recorder, sink } = new Trial();
    broadcaster.startRecordingToSink(sink);
    recorder.event(podReference, 'Normal', 'Started', 'some verbose message: 1');
    await nextTurn();
    const [event] = sink.stored.values();
    assert.match(event?.metadata.name ?? '', /^web\.[0-9a-f]{15,16}$/);
    assert.deepEqual(
      { ...event, metadata: { namespace: event?.metadata.namespace } },
      {
        metadata: { namespace: 'shop' },
        involvedObject: podReference,
        reason: 'Started',
        message: 'some verbose message: 1',
        firstTimestamp: '2026-01-01T00:00:00Z',
        lastTimestamp: '2026-01-01T00:00:00Z',
        count: 1,
        type: 'Normal',
        source: { component: 'eventTest' },
        reportingComponent: 'eventTest',
      },
    );
  });

  it('sets the reporting component and instance', async () => {
    const { broadcaster, sink } = new Trial();
    broadcaster.startRecordingToSink(sink);
    const recorder = broadcaster.newRecorder({ component: 'kubelet', host: 'node-1' });
    recorder.event(podReference, 'Warning', 'BackOff', 'again', { annotations: { why: 'test' } });
    await nextTurn();
    const [event] = sink.stored.values();
    assert.deepEqual(event?.source, { component: 'kubelet', host: 'node-1' });
    assert.equal(event?.reportingComponent, 'kubelet');
    assert.equal(event?.reportingInstance, 'node-1');
    assert.deepEqual(event?.metadata.annotations, { why: 'test' });
  });

  it('creates new events and patches repeated ones', async () => {
    const { broadcaster, clock, recorder, sink } = new Trial();
    broadcaster.startRecordingToSink(sink);
    for (const [object, reason] of [
      [podReference, 'Started'],
      [podReference, 'Killed'],
      [podReference, 'Started'],
      [secondReference, 'Started'],
      [podReference, 'Started'],
      [secondReference, 'Stopped'],
      [secondReference, 'Stopped'],
    ] as const) {
      recorder.event(object, 'Normal', reason, 'message');
      await clock.advance(1000);
    }
    assert.deepEqual(sink.verbs, [
      'create',
      'create',
      'patch',
      'create',
      'patch',
      'create',
      'patch',
    ]);
    assert.deepEqual(
      [...sink.stored.values()].map(({ reason, count }) => [reason, count]),
      [
        ['Started', 3],
        ['Killed', 1],
        ['Started', 1],
        ['Stopped', 2],
      ],
    );
    assert.deepEqual(sink.calls.at(-1), {
      verb: 'patch',
      event: sink.calls.at(-1)?.event,
      patch: { count: 2, lastTimestamp: '2026-01-01T00:00:06Z', message: 'message' },
    });
  });

  it('stores events about cluster-scoped objects in the namespace default', async () => {
    const { broadcaster, recorder, sink } = new Trial();
    broadcaster.startRecordingToSink(sink);
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1', uid: 'n1' } };
    recorder.event(node, 'Normal', 'Ready', 'it is');
    await nextTurn();
    const [event] = sink.stored.values();
    assert.equal(event?.metadata.namespace, 'default');
    assert.equal(event?.involvedObject.namespace, undefined);
  });

  it('logs events that cannot be recorded by default', async () => {
    const logger = recordingLogger();
    await using broadcaster = new EventBroadcaster({ logger });
    const recorder = broadcaster.newRecorder({ component: 'eventTest' });
    recorder.event({ metadata: { name: 'web' } }, 'Normal', 'Started', 'message');
    await nextTurn();
    assert.match(logger.lines[0] ?? '', /^warn object "web" has no kind/);
  });

  it('reports events that cannot be recorded instead of throwing', async () => {
    const trial = new Trial();
    trial.broadcaster.startRecordingToSink(trial.sink);
    trial.recorder.event({ metadata: { name: 'web' } }, 'Normal', 'Started', 'message');
    trial.recorder.event(podReference, 'Bad' as 'Normal', 'Started', 'message');
    const nothing = undefined as unknown as typeof podReference;
    trial.recorder.event(nothing, 'Normal', 'Started', 'message');
    await nextTurn();
    assert.deepEqual(trial.codes, [
      'RECORD_REFERENCE_INVALID',
      'RECORD_TYPE_INVALID',
      'RECORD_REFERENCE_INVALID',
    ]);
    assert.deepEqual(trial.sink.calls, []);
  });

  it('writes each event to each sink, correlated separately', async () => {
    const trial = new Trial();
    const second = new MemoryEventSink();
    const watcher = trial.broadcaster.startRecordingToSink(trial.sink);
    trial.record('it started');
    trial.record('it started');
    await nextTurn();
    await watcher.close();
    trial.broadcaster.startRecordingToSink(second);
    trial.record('it started');
    trial.record('it started');
    await nextTurn();
    assert.deepEqual(trial.sink.verbs, ['create', 'patch']);
    assert.deepEqual(second.verbs, ['create', 'patch']);
  });

  it('logs a line for each event, also for repeated ones', async () => {
    const trial = new Trial();
    const lines: string[] = [];
    trial.broadcaster.startLogging((line) => lines.push(line));
    trial.record('said "so"');
    trial.record('said "so"');
    await nextTurn();
    const line =
      'Event occurred object="shop/web" fieldPath="" kind="Pod" apiVersion="v1" type="Normal" reason="Started" message="said \\"so\\""';
    assert.deepEqual(lines, [line, line]);
  });

  it('continues after a handler that throws', async () => {
    const trial = new Trial();
    const seen: string[] = [];
    trial.broadcaster.startEventWatcher(async ({ message = '' }) => {
      seen.push(message);
      throw new Error('broken');
    });
    trial.record('one');
    trial.record('two');
    await nextTurn();
    assert.deepEqual(seen, ['one', 'two']);
    assert.deepEqual(trial.codes, ['RECORD_HANDLER_FAILED', 'RECORD_HANDLER_FAILED']);
    assert.match(String(trial.errors[0]?.cause), /broken/);
  });
});

describe('an onError that throws', () => {
  it('is logged and stops neither the recording nor a watcher', async () => {
    const logger = recordingLogger();
    const trial = new Trial({
      logger,
      onError: () => {
        throw new Error('thrown by onError');
      },
    });
    const seen: (string | undefined)[] = [];
    trial.broadcaster.startEventWatcher(({ message }) => {
      seen.push(message);
      throw new Error('no');
    });
    trial.recorder.event({ metadata: { name: 'web' } }, 'Normal', 'Started', 'about nothing');
    trial.record('first', 'second');
    await trial.clock.advance(0);
    assert.deepEqual(seen, ['first', 'second']);
    await trial.broadcaster.shutdown();
    trial.record('too late');
    assert.equal(logger.lines.length, 4);
    for (const line of logger.lines) {
      assert.match(line, /^warn the callback onError of the broadcaster failed: thrown by onError/);
    }
  });
});
