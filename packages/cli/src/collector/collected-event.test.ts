import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { collectedEvent } from './collected-event.ts';

const metadata = {
  uid: 'u-1',
  resourceVersion: '7',
  namespace: 'default',
  name: 'web-0.18',
  creationTimestamp: '2026-01-01T00:00:09Z',
};
const object = { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'web-0', uid: 'p-1' };

describe('an event of a server', () => {
  it('is the same through either API', () => {
    const common = { metadata, type: 'Warning', reason: 'BackOff', reportingInstance: 'node-1' };
    const core = collectedEvent({
      ...common,
      involvedObject: object,
      message: 'restarting',
      count: 4,
      firstTimestamp: '2026-01-01T00:00:00Z',
      lastTimestamp: '2026-01-01T00:05:00Z',
      source: { component: 'kubelet', host: 'node-1' },
    });
    const events = collectedEvent({
      ...common,
      eventTime: null as unknown as string,
      regarding: object,
      note: 'restarting',
      deprecatedCount: 4,
      deprecatedFirstTimestamp: '2026-01-01T00:00:00Z',
      deprecatedLastTimestamp: '2026-01-01T00:05:00Z',
      deprecatedSource: { component: 'kubelet', host: 'node-1' },
    });
    assert.deepEqual(core, events);
    assert.deepEqual(core, {
      uid: 'u-1',
      resourceVersion: '7',
      namespace: 'default',
      name: 'web-0.18',
      type: 'Warning',
      reason: 'BackOff',
      message: 'restarting',
      object,
      component: 'kubelet',
      instance: 'node-1',
      count: 4,
      firstSeen: '2026-01-01T00:00:00.000Z',
      lastSeen: '2026-01-01T00:05:00.000Z',
    });
  });

  it('of the new kind has its time and its count elsewhere', () => {
    const event = collectedEvent({
      metadata,
      involvedObject: object,
      related: { kind: 'Node', name: 'node-1' },
      action: 'Binding',
      reportingComponent: 'default-scheduler',
      reportingInstance: 'default-scheduler-0',
      eventTime: '2026-01-01T00:00:00.123456Z',
      series: { count: 3, lastObservedTime: '2026-01-01T00:01:00.654321Z' },
    });
    assert.equal(event?.firstSeen, '2026-01-01T00:00:00.123Z');
    assert.equal(event.lastSeen, '2026-01-01T00:01:00.654Z');
    assert.equal(event.count, 3);
    assert.equal(event.action, 'Binding');
    assert.equal(event.component, 'default-scheduler');
    assert.deepEqual(event.related, { kind: 'Node', name: 'node-1' });
  });

  it('without any time has that of its creation, and happened once', () => {
    const event = collectedEvent({ metadata, involvedObject: {} });
    assert.equal(event?.firstSeen, '2026-01-01T00:00:09.000Z');
    assert.equal(event.lastSeen, event.firstSeen);
    assert.equal(event.count, 1);
    assert.deepEqual(event.object, {});
  });

  it('without a uid is none', () => {
    assert.equal(collectedEvent({ metadata: {}, involvedObject: {} }), undefined);
  });
});
