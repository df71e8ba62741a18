import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type CollectedEvent,
  collectedEvent as collected,
  type ServerEvent,
} from './collected-event.ts';

const arrival = '2026-01-01T01:00:00.000Z';

function collectedEvent(event: ServerEvent): CollectedEvent | undefined {
  return collected(event, Date.parse(arrival));
}

const metadata = {
  uid: 'u-1',
  resourceVersion: '7',
  namespace: 'default',
  name: 'web-0.18',
  creationTimestamp: '2026-01-01T00:00:09Z',
};
const object = { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'web-0', uid: 'p-1' };

describe('collectedEvent', () => {
  it('returns the same for either API', () => {
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
      createdAt: '2026-01-01T00:00:09.000Z',
      receivedAt: arrival,
    });
  });

  it('reads time and count of new-style events', () => {
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

  it('defaults to the creation time and a count of one', () => {
    const event = collectedEvent({ metadata, involvedObject: {} });
    assert.equal(event?.firstSeen, '2026-01-01T00:00:09.000Z');
    assert.equal(event.lastSeen, event.firstSeen);
    assert.equal(event.count, 1);
    assert.deepEqual(event.object, {});
  });

  it('returns undefined without a uid', () => {
    assert.equal(collectedEvent({ metadata: {}, involvedObject: {} }), undefined);
  });

  it('limits times to the arrival', () => {
    for (const claim of ['9999-12-31T23:59:59Z', '+275760-09-13T00:00:00.000Z']) {
      const event = collectedEvent({
        metadata,
        involvedObject: object,
        firstTimestamp: claim,
        lastTimestamp: claim,
        series: { count: 1, lastObservedTime: claim },
      });
      assert.equal(event?.firstSeen, arrival);
      assert.equal(event.lastSeen, arrival);
      assert.equal(event.createdAt, '2026-01-01T00:00:09.000Z');
    }
    const skewed = '2026-01-01T01:04:00.000Z';
    const event = collectedEvent({ metadata, involvedObject: object, lastTimestamp: skewed });
    assert.equal(event?.lastSeen, skewed, 'clocks differ a little');
  });

  it('returns strings and numbers whatever the server sends', () => {
    const odd = {
      metadata: { ...metadata, namespace: 5, resourceVersion: 9 },
      type: { not: 'text' },
      reason: 7,
      message: ['a', 'list'],
      involvedObject: { kind: 3, name: { deep: true } },
      related: 'text',
      count: 'many',
      series: { count: 1e300, lastObservedTime: 12 },
      firstTimestamp: { when: 'never' },
      reportingInstance: true,
    } as unknown as ServerEvent;
    const event = collectedEvent(odd);
    assert.deepEqual(event, {
      uid: 'u-1',
      resourceVersion: '9',
      namespace: '5',
      name: 'web-0.18',
      type: '{"not":"text"}',
      reason: '7',
      message: '["a","list"]',
      object: { kind: '3', name: '{"deep":true}' },
      related: {},
      instance: 'true',
      count: 1,
      firstSeen: '1970-01-01T00:00:00.000Z',
      lastSeen: '1970-01-01T00:00:00.000Z',
      createdAt: '2026-01-01T00:00:09.000Z',
      receivedAt: arrival,
    });
    const half = collectedEvent({ metadata, involvedObject: object, message: 'half \uD83D' });
    assert.equal(half?.message, 'half \uFFFD');
  });
});
