import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ObservedRecord } from './observed-record.ts';
import type { SessionHeader } from './observed-snapshot.ts';
import { ObserveError, parseSession, sessionLine } from './session.ts';

const header: SessionHeader = {
  clientTs: 'session',
  version: 1,
  program: 'test',
  startedAt: 1000,
  snapshot: {
    at: 1000,
    seq: 0,
    informers: [],
    queues: [],
    controllers: [],
    connections: [],
    elections: [],
    totals: {
      requests: 0,
      failedRequests: 0,
      openRequests: 0,
      recordedEvents: 0,
      guardWarnings: 0,
      unrecorded: 0,
    },
  },
};

const record: ObservedRecord = {
  type: 'queue.add',
  at: 1001,
  seq: 1,
  queue: 'site',
  key: 'default/web',
  trigger: { kind: 'call' },
};

test('reads back what was written', () => {
  const text = sessionLine(header) + sessionLine(record);
  assert.deepEqual(parseSession(text), { header, records: [record] });
});

test('ignores a last line that was cut off', () => {
  const text = sessionLine(header) + sessionLine(record) + sessionLine(record).slice(0, 20);
  assert.deepEqual(parseSession(text).records, [record]);
});

test('refuses what is not a session, and names the line', () => {
  const cases: [string, RegExp][] = [
    ['', /line 1 is not JSON/],
    ['{}\n', /not the header of a session/],
    [sessionLine({ ...header, version: 2 as 1 }), /version 2 is not supported/],
    [`{"clientTs":"session","version":1}\n`, /no startedAt or no snapshot/],
    [`${sessionLine(header)}nonsense\n${sessionLine(record)}`, /line 2 is not JSON/],
    [`${sessionLine(header)}{"type":"x"}\n`, /line 2 is not a record/],
  ];
  for (const [text, message] of cases) {
    assert.throws(
      () => parseSession(text),
      (error) =>
        error instanceof ObserveError &&
        error.code === 'OBSERVE_SESSION_INVALID' &&
        message.test(error.message),
      text,
    );
  }
});
