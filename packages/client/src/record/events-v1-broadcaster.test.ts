import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { describe, it } from 'node:test';
import type { Event } from '../api/events/v1.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { seededRandom } from '../lib/random.ts';
import { newAlreadyExists, newForbidden } from '../meta/error-factories.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import {
  EventsV1Broadcaster,
  type EventsV1BroadcasterOptions,
  type EventsV1Recorder,
  type EventV1Details,
} from './events-v1-broadcaster.ts';
import type { RecordError } from './record-error.ts';
import type { EventSubject } from './reference.ts';
import { isomorphicKey } from './series-recorder.ts';
import { podReference } from './test-events.ts';
import { MemoryEventsV1Sink } from './test-sinks.ts';

const minute = 60_000;
const details: EventV1Details = {
  type: 'Normal',
  reason: 'Scheduled',
  action: 'Binding',
  note: 'assigned',
};

/** A broadcaster with a sink in memory, on a clock that the test moves. */
class Trial {
  readonly clock = new VirtualClock();
  readonly sink = new MemoryEventsV1Sink();
  readonly errors: RecordError[] = [];
  readonly broadcaster: EventsV1Broadcaster;
  readonly recorder: EventsV1Recorder;

  constructor(options: EventsV1BroadcasterOptions = {}) {
    this.broadcaster = new EventsV1Broadcaster({
      clock: this.clock,
      random: seededRandom(1),
      onError: (error) => this.errors.push(error),
      ...options,
    });
    this.broadcaster.startRecordingToSink(this.sink);
    this.recorder = this.broadcaster.newRecorder({ reportingController: 'example.com/c1' });
  }

  async record(parts: Partial<EventV1Details> = {}, object: EventSubject = podReference) {
    this.recorder.event(object, { ...details, ...parts });
    await nextTurn();
  }

  get stored(): Event[] {
    return [...this.sink.stored.values()];
  }

  get counts(): (number | undefined)[] {
    return this.stored.map(({ series }) => series?.count);
  }
}

describe('EventsV1Broadcaster', () => {
  it('writes what is recorded', async () => {
    const { broadcaster, sink } = new Trial();
    const recorder = broadcaster.newRecorder({
      reportingController: 'example.com/c1',
      reportingInstance: 'i1',
    });
    recorder.event(podReference, {
      type: 'Warning',
      reason: 'FailedScheduling',
      action: 'Scheduling',
      note: 'Pod failed to schedule on node-1',
      related: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1', uid: 'n1' } },
      annotations: { why: 'test' },
    });
    await nextTurn();
    const [event] = sink.stored.values();
    assert.match(event?.metadata?.name ?? '', /^web\.[0-9a-f]{15,16}$/);
    assert.deepEqual(
      { ...event, metadata: { ...event?.metadata, name: '' } },
      {
        metadata: {
          name: '',
          namespace: 'shop',
          annotations: { why: 'test' },
          resourceVersion: '1',
        },
        eventTime: '2026-01-01T00:00:00.000000Z',
        reportingController: 'example.com/c1',
        reportingInstance: 'i1',
        type: 'Warning',
        action: 'Scheduling',
        reason: 'FailedScheduling',
        note: 'Pod failed to schedule on node-1',
        regarding: podReference,
        related: { apiVersion: 'v1', kind: 'Node', name: 'node-1', uid: 'n1' },
      },
    );
  });

  it('is on this machine unless told otherwise', async () => {
    const trial = new Trial();
    await trial.record();
    assert.equal(trial.stored[0]?.reportingInstance, `example.com/c1-${hostname()}`);
  });

  it('names events about strangely named objects by a UUID, and puts them into default', async () => {
    const trial = new Trial();
    const address = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IPAddress',
      name: '2001:db8::123',
    };
    await trial.record({}, address);
    const [event] = trial.stored;
    assert.match(event?.metadata?.name ?? '', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    assert.equal(event?.metadata?.namespace, 'default');
    assert.deepEqual(event?.regarding, address);
  });

  it('records without what is related if that does not say what it is', async () => {
    const trial = new Trial();
    await trial.record({ related: { metadata: { name: 'node-1' } } });
    assert.equal(trial.stored[0]?.related, undefined);
    assert.deepEqual(
      trial.errors.map(({ code }) => code),
      ['RECORD_REFERENCE_INVALID'],
    );
  });

  it('reports what cannot be recorded instead of throwing', async () => {
    const trial = new Trial();
    await trial.record({}, { metadata: { name: 'web' } });
    await trial.record({ type: 'Bad' as 'Normal' });
    assert.deepEqual(
      trial.errors.map(({ code }) => code),
      ['RECORD_REFERENCE_INVALID', 'RECORD_TYPE_INVALID'],
    );
    assert.deepEqual(trial.stored, []);
  });

  it('tries again for two minutes, ten seconds and up to a quarter apart', async () => {
    const trial = new Trial({ random: { next: () => 0.5, uuid: () => '' } });
    const times: number[] = [];
    trial.sink.onWrite = () => {
      times.push(trial.clock.monotonic());
      throw new Error('away');
    };
    await trial.record();
    await trial.clock.advance(5 * minute);
    assert.deepEqual(
      times,
      Array.from({ length: 12 }, (_, index) => index * 11_250),
    );
    assert.deepEqual(
      trial.errors.map(({ code }) => code),
      ['RECORD_GAVE_UP'],
    );
  });

  it('does not try again what the server refuses', async () => {
    const trial = new Trial();
    trial.sink.onWrite = () => {
      throw newForbidden({ group: 'events.k8s.io', resource: 'events' }, '', 'no');
    };
    await trial.record();
    await trial.clock.advance(minute);
    assert.equal(trial.sink.calls.length, 1);
  });
});

describe('series', () => {
  it('begin with the second event, which is written at once; later ones are only counted', async () => {
    const trial = new Trial();
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

  it('are of events that differ in nothing but note, annotations and the version of the object', async () => {
    const trial = new Trial();
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
    const key = isomorphicKey(event);
    assert.notEqual(key, isomorphicKey({ ...event, reportingController: 'other' }));
    assert.notEqual(key, isomorphicKey({ ...event, reportingInstance: 'other' }));
  });

  it('end after six minutes of silence, and the last count is written', async () => {
    const trial = new Trial();
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

  it('go on while events come, however long', async () => {
    const trial = new Trial();
    for (let count = 0; count < 10; count += 1) {
      await trial.record();
      await trial.clock.advance(6 * minute - 1);
    }
    assert.equal(trial.stored.length, 1);
    assert.equal(trial.sink.verbs.filter((verb) => verb === 'create').length, 1);
  });

  it('write nothing at the end if the count is known', async () => {
    const trial = new Trial();
    await trial.record();
    await trial.record();
    await trial.clock.advance(10 * minute);
    assert.deepEqual(trial.sink.verbs, ['create', 'patch']);
  });

  it('are forgotten after six minutes, so that the next event is a new one', async () => {
    const trial = new Trial();
    await trial.record();
    await trial.clock.advance(6 * minute);
    await trial.record();
    assert.deepEqual(trial.sink.verbs, ['create', 'create']);
    assert.equal(trial.stored.length, 2);
  });

  it('end each at its own time', async () => {
    const trial = new Trial();
    for (const reason of ['A', 'A', 'A']) await trial.record({ reason });
    await trial.clock.advance(2 * minute);
    for (const reason of ['B', 'B', 'B']) await trial.record({ reason });
    await trial.clock.advance(4 * minute);
    assert.deepEqual(trial.counts, [3, 2]);
    await trial.clock.advance(2 * minute);
    assert.deepEqual(trial.counts, [3, 3]);
  });

  it('are written every half hour while they go on, so that the server keeps them', async () => {
    const trial = new Trial();
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

  it('create an event again that has expired', async () => {
    const trial = new Trial();
    await trial.record();
    trial.sink.stored.clear();
    await trial.record();
    assert.deepEqual(trial.sink.verbs, ['create', 'patch', 'create']);
    assert.deepEqual(trial.counts, [2]);
    assert.equal(trial.sink.calls.at(-1)?.event.metadata?.resourceVersion, undefined);
  });

  it('patch again when the expired event is there after all', async () => {
    const trial = new Trial();
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

  it('are told of when the broadcaster shuts down', async () => {
    const trial = new Trial();
    for (let count = 0; count < 7; count += 1) await trial.record();
    await trial.record({ reason: 'Other' });
    await trial.broadcaster.shutdown();
    assert.deepEqual(trial.counts, [7, undefined]);
    assert.equal(trial.clock.pending, 0);
  });

  it('leave no timer behind when they are stopped in the middle of a write', async () => {
    const stop = new AbortController();
    const trial = new Trial({ signal: stop.signal });
    for (let count = 0; count < 3; count += 1) await trial.record();
    trial.sink.onWrite = (_call, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    await trial.clock.advance(6 * minute);
    stop.abort();
    await trial.broadcaster.shutdown();
    await nextTurn();
    assert.equal(trial.clock.pending, 0);
    assert.equal(trial.sink.calls.length, 3);
  });

  it('are remembered up to a number, and the quietest ends early', async () => {
    const trial = new Trial({ series: { cacheSize: 2 } });
    for (const reason of ['A', 'A', 'A', 'B', 'C']) await trial.record({ reason });
    assert.deepEqual(trial.counts, [3, undefined, undefined]);
    await trial.record({ reason: 'B' });
    await trial.record({ reason: 'A' });
    assert.equal(trial.stored.length, 4);
    assert.deepEqual(trial.counts, [3, 2, undefined, undefined]);
  });

  it('can be told their times', async () => {
    const trial = new Trial({ series: { finishTimeMs: 1000, refreshTimeMs: 500 } });
    for (let count = 0; count < 3; count += 1) await trial.record();
    await trial.clock.advance(500);
    assert.deepEqual(trial.counts, [3]);
    await trial.clock.advance(500);
    await trial.record();
    assert.equal(trial.stored.length, 2);
  });
});
