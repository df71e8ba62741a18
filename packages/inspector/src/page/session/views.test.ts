import assert from 'node:assert/strict';
import { test } from 'node:test';

import { describeRecord } from './describe-record.ts';
import { findingsOf } from './findings.ts';
import { formatBytes, formatCount, formatDuration, formatRate } from './format.ts';
import { keyHistory } from './key-history.ts';
import { objectHistory } from './object-history.ts';
import { depthsOf } from './queue-depths.ts';
import { reignsOf } from './reigns.ts';
import { groupRequests } from './request-groups.ts';
import { QUEUE_STATE, reconcileOf, sessionOf, START } from './test-session.ts';
import { bandsOf } from './time-bands.ts';

const SITE = { controller: 'site', key: 'default/web' } as const;

test('the history of a key has its reconciles and their requests, the newest first', () => {
  const log = sessionOf([
    ...reconcileOf(1, 0, { result: 'error', error: 'boom' }),
    ...reconcileOf(2, 500),
  ]);
  const history = keyHistory(log, START + 9999, SITE);
  assert.deepEqual(
    history.map(({ row, requests }) => [row.result, row.error, requests.map(({ id }) => id)]),
    [
      ['success', undefined, ['20']],
      ['error', 'boom', ['10']],
    ],
  );
});

test('the history of a key ends at the cursor', () => {
  const log = sessionOf([...reconcileOf(1, 0), ...reconcileOf(2, 500)]);
  const [running] = keyHistory(log, START + 505, SITE);
  assert.equal(running?.row.id, '2');
  assert.equal(running.row.result, undefined);
  assert.equal(keyHistory(log, START + 400, SITE).length, 1);
});

test('the history of a key continues with reconciles that the server kept', () => {
  const log = sessionOf(reconcileOf(2, 5000));
  const kept = sessionOf([...reconcileOf(1, 0), ...reconcileOf(2, 5000)])
    .slice(0, 10)
    .filter((record) => record.type === 'reconcile.end');
  const history = keyHistory(log, START + 9999, SITE, kept);
  assert.deepEqual(
    history.map(({ row }) => row.id),
    ['2', '1'],
  );
});

test('the history of an object has its changes and the keys that they triggered', () => {
  const change = {
    type: 'watch.event',
    informer: 'pods',
    event: 'update',
    resourceVersion: '101',
  } as const;
  const log = sessionOf([
    { ...change, key: 'default/web-0' },
    { ...change, key: 'default/other' },
    ...reconcileOf(1, 5000),
  ]);
  const { changes, triggered } = objectHistory(log, log.end, 'pods', 'default/web-0');
  assert.equal(changes.length, 1);
  assert.deepEqual(
    triggered.map(({ queue, key }) => [queue, key]),
    [['site', 'default/web']],
  );
  assert.equal(objectHistory(log, 2, 'pods', 'default/web-0').triggered.length, 0);
});

test('the time line counts into columns and marks what stands out', () => {
  const log = sessionOf([
    ...reconcileOf(1, 1000, { result: 'error' }),
    ...reconcileOf(2, 9000),
    {
      type: 'guard.warning',
      at: 9500,
      kind: 'hot-loop',
      ...SITE,
      message: 'writes itself',
      fields: [],
      writers: [],
    },
    { type: 'note', at: 9600, severity: 'error', subject: 'invariant', text: 'one is two' },
  ]);
  const note = log.slice(11, 12).map((record) => describeRecord(record));
  assert.deepEqual(note, [{ subject: 'invariant', text: 'one is two', level: 'bad' }]);
  const machine = log.machineAt(log.end);
  assert.equal(findingsOf(machine, START + 9700)[0]?.title, 'one is two');
  const { bands, marks } = bandsOf(log, START, START + 10_000, 10);
  const reconciles = bands.find(({ name }) => name === 'reconciles');
  assert.deepEqual(reconciles?.total, [0, 1, 0, 0, 0, 0, 0, 0, 0, 1]);
  assert.deepEqual(reconciles.failed, [0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual(marks, [
    { kind: 'warning', text: 'writes itself', at: START + 9500, position: 11 },
    { kind: 'error', text: 'invariant: one is two', at: START + 9600, position: 12 },
  ]);
});

test('a depth holds until the next is known', () => {
  const log = sessionOf([
    { ...QUEUE_STATE, at: 1500, depth: 9 },
    { ...QUEUE_STATE, at: 1600, depth: 4 },
    { ...QUEUE_STATE, at: 4500, depth: 0 },
  ]);
  assert.deepEqual(depthsOf(log, 'site', START, START + 6000, 6), [0, 9, 4, 4, 0, 0]);
});

test('who leads when', () => {
  const election = { type: 'election', lease: 'default/op', identity: 'a', term: 1 } as const;
  const log = sessionOf([
    { ...election, at: 0, what: 'leader', leader: 'b' },
    { ...election, at: 1000, what: 'acquired', leader: 'a' },
    { ...election, at: 2000, what: 'renewed', leader: 'a' },
    { ...election, at: 3000, what: 'lost', leader: 'a' },
  ]);
  const lease = reignsOf(log, log.end, START + 4000).get('default/op');
  assert.deepEqual(
    lease?.reigns.map(({ from, to, leader, isOwn }) => [from - START, to - START, leader, isOwn]),
    [
      [0, 1000, 'b', false],
      [1000, 3000, 'a', true],
      [3000, 4000, '', false],
    ],
  );
});

test('groups requests with their quantiles', () => {
  const log = sessionOf([...reconcileOf(1, 0), ...reconcileOf(2, 100)]);
  assert.deepEqual(groupRequests(log.requests, 'verb'), [
    { name: 'patch', count: 2, failed: 0, retries: 0, throttledMs: 0, p50: 10, p90: 10, p99: 10 },
  ]);
});

test('finds what needs attention, the worst first', () => {
  const failure = { result: 'error', error: 'boom' } as const;
  const log = sessionOf([
    ...[1, 2, 3, 4].flatMap((id) => [...reconcileOf(id, id * 100, failure)]),
    {
      type: 'informer.state',
      informer: 'pods',
      state: 'syncing',
      objects: 0,
      resourceVersion: '',
    },
  ]);
  const findings = findingsOf(log.machineAt(log.end), START + 20_000);
  assert.deepEqual(
    findings.map(({ level, kind, title }) => [level, kind, title]),
    [
      ['bad', 'failing', 'site: default/web'],
      ['warn', 'syncing', 'pods'],
    ],
  );
  assert.equal(findings[0]?.href, '#/queues/site/default%2Fweb');
  assert.match(findings[0].text, /failed 4 times in a row: boom/);
});

test('describes every record of a reconcile in a line', () => {
  const log = sessionOf(reconcileOf(1, 0));
  assert.deepEqual(
    log.slice(0, 5).map((record) => describeRecord(record).text),
    [
      'default/web: update of pods default/web-0',
      'default/web: update of pods default/web-0',
      'patch default/web',
      'patch default/web 200 after 10 ms',
      'default/web success after 19 ms',
    ],
  );
});

test('formats numbers in few characters', () => {
  assert.deepEqual([7, 9999, 12_345, 3_400_000].map(formatCount), ['7', '9999', '12k', '3.4M']);
  assert.deepEqual([0, 0.04, 3.21, 250].map(formatRate), ['0/s', '<0.1/s', '3.2/s', '250/s']);
  assert.deepEqual([0, 0.42, 12, 3400, 42_000, 303_000, 7_500_000].map(formatDuration), [
    '0 ms',
    '0.4 ms',
    '12 ms',
    '3.4 s',
    '42 s',
    '5m 3s',
    '2h 5m',
  ]);
  assert.deepEqual([12, 2048, 5_000_000].map(formatBytes), ['12 B', '2.0 KiB', '4.8 MiB']);
});
