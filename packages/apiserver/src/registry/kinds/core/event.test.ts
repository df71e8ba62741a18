import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import fc from 'fast-check';
import { TestKind } from '../../../testing/test-kind.ts';
import { eventFromCore, eventToCore } from './event.ts';

const CORE = '/api/v1/namespaces/default/events';

const GROUP = '/apis/events.k8s.io/v1/namespaces/default/events';

describe('an Event of the core group', () => {
  const events = (): TestKind =>
    new TestKind(CORE, {
      metadata: { name: 'e' },
      involvedObject: { kind: 'Pod', namespace: 'default', name: 'p', apiVersion: 'v1' },
      reason: 'Started',
      type: 'Normal',
    });

  it('must be in the namespace of the involved object', async () => {
    using kind = events();
    await kind.refusesToCreate([
      [
        { involvedObject: { namespace: 'other' } },
        'involvedObject.namespace: Invalid value: "other": does not match event.namespace',
      ],
    ]);
    await kind.created({ involvedObject: { kind: 'Node', namespace: '' } });
    await kind.created({ reason: undefined, type: undefined });
  });

  it('can be selected by its involved object', async () => {
    using kind = events();
    await kind.given({ source: { component: 'x' } });
    const found = async (path: string, selector: string): Promise<number> => {
      const { body } = await kind.server.get(
        `${path}?fieldSelector=${encodeURIComponent(selector)}`,
      );
      return body.items?.length ?? 0;
    };
    assert.equal(await found(CORE, 'involvedObject.name=p,source=x,reason=Started'), 1);
    assert.equal(await found(CORE, 'involvedObject.kind!=Pod'), 0);
    assert.equal(await found(GROUP, 'regarding.name=p,reason=Started'), 1);
  });
});

describe('an Event of events.k8s.io', () => {
  const EVENT = {
    metadata: { name: 'e' },
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'example.com/c',
    reportingInstance: 'i',
    action: 'Act',
    reason: 'Why',
    type: 'Normal',
    regarding: { kind: 'Pod', namespace: 'default', name: 'p', apiVersion: 'v1' },
  };
  const events = (): TestKind => new TestKind(GROUP, EVENT);

  it('requires action, reason, controller and time', async () => {
    using kind = events();
    await kind.refusesToCreate([
      [
        { reportingController: undefined },
        'reportingController: Required value',
        'reportingController: Invalid value: "": name part must be non-empty',
        "reportingController: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
      [
        { reportingController: 'a b' },
        "reportingController: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
      [{ reportingInstance: '' }, 'reportingInstance: Required value'],
      [
        { reportingInstance: 'x'.repeat(129) },
        'reportingInstance: Invalid value: "": can have at most 128 characters',
      ],
      [{ action: '' }, 'action: Required value'],
      [{ reason: '' }, 'reason: Required value'],
      [{ reason: 'x'.repeat(129) }, 'reason: Invalid value: "": can have at most 128 characters'],
      [{ type: 'Other' }, 'type: Invalid value: "": has invalid value: Other'],
      [{ note: 'x'.repeat(1025) }, 'message: Invalid value: "": can have at most 1024 characters'],
      [{ eventTime: null }, 'eventTime: Required value'],
      [{ deprecatedCount: 1 }, 'count: Invalid value: "": needs to be unset'],
    ]);
  });

  it('rejects changes of anything but its series', async () => {
    using kind = events();
    const event = await kind.given();
    const series = { count: 2, lastObservedTime: '2026-01-01T00:00:05.000000Z' };
    assert.deepEqual((await kind.updated(event, { series }))['series'], series);
    await kind.refusesToUpdate(event, [
      [{ note: 'x' }, 'message: Invalid value: "x": field is immutable'],
      [{ action: 'Other' }, 'action: Invalid value: "Other": field is immutable'],
      [
        { eventTime: '2026-01-01T00:00:01.000000Z' },
        'eventTime: Invalid value: "2026-01-01T00:00:01.000000Z": field is immutable',
      ],
    ]);
  });

  it('is the same object in the core group', async () => {
    using kind = events();
    await kind.given({ note: 'n' });
    const { body } = await kind.server.get(`${CORE}/e`);
    const { involvedObject, message, reportingComponent } = body;
    assert.deepEqual(
      [involvedObject, message, reportingComponent],
      [EVENT.regarding, 'n', 'example.com/c'],
    );
  });
});

describe('the conversion between core/v1 and events.k8s.io/v1', () => {
  const text = fc.string({ maxLength: 5 });
  const coreEvents = fc.record(
    {
      metadata: fc.record({ name: text }),
      involvedObject: fc.record({ kind: text, name: text }),
      message: text,
      reason: text,
      source: fc.record({ component: text }),
      firstTimestamp: text,
      lastTimestamp: text,
      count: fc.nat(),
      type: text,
      eventTime: text,
      series: fc.record({ count: fc.nat() }),
      action: text,
      related: fc.record({ name: text }),
      reportingComponent: text,
      reportingInstance: text,
    },
    { requiredKeys: [] },
  );

  it('loses nothing in a round trip', () => {
    fc.assert(
      fc.property(coreEvents, (event) => {
        const whole = { kind: 'Event', apiVersion: 'v1', ...event };
        const other = eventFromCore(whole);
        assert.equal(other.apiVersion, 'events.k8s.io/v1');
        assert.deepEqual(other.regarding, event.involvedObject);
        assert.equal(other.note, event.message);
        assert.deepEqual(eventToCore(other), whole);
      }),
    );
  });
});
