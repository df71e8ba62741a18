import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { describe, it } from 'node:test';
import { nextTurn } from '../lib/next-turn.ts';
import { newForbidden } from '../meta/error-factories.ts';
import { EventsV1Trial, podReference } from './test-record.ts';

const minute = 60_000;

describe('EventsV1Broadcaster', () => {
  it('writes recorded events', async () => {
    const { broadcaster, sink } = new EventsV1Trial();
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

  it('uses the host name as the reporting instance by default', async () => {
    const trial = new EventsV1Trial();
    await trial.record();
    assert.equal(trial.stored[0]?.reportingInstance, `example.com/c1-${hostname()}`);
  });

  it('names events about objects with unusual names by a UUID, in the namespace default', async () => {
    const trial = new EventsV1Trial();
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

  it('omits a related object without a kind', async () => {
    const trial = new EventsV1Trial();
    await trial.record({ related: { metadata: { name: 'node-1' } } });
    assert.equal(trial.stored[0]?.related, undefined);
    assert.deepEqual(
      trial.errors.map(({ code }) => code),
      ['RECORD_REFERENCE_INVALID'],
    );
  });

  it('reports events that cannot be recorded instead of throwing', async () => {
    const trial = new EventsV1Trial();
    await trial.record({}, { metadata: { name: 'web' } });
    await trial.record({ type: 'Bad' as 'Normal' });
    assert.deepEqual(
      trial.errors.map(({ code }) => code),
      ['RECORD_REFERENCE_INVALID', 'RECORD_TYPE_INVALID'],
    );
    assert.deepEqual(trial.stored, []);
  });

  it('retries for two minutes, every 10 to 12.5 seconds', async () => {
    const trial = new EventsV1Trial({ random: { next: () => 0.5, uuid: () => '' } });
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

  it('does not retry an event that the server rejects', async () => {
    const trial = new EventsV1Trial();
    trial.sink.onWrite = () => {
      throw newForbidden({ group: 'events.k8s.io', resource: 'events' }, '', 'no');
    };
    await trial.record();
    await trial.clock.advance(minute);
    assert.equal(trial.sink.calls.length, 1);
  });
});
