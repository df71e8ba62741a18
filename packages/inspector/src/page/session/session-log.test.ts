import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readSession } from './session-file.ts';
import { SNAPSHOT, reconcileOf, sessionOf, START } from './test-session.ts';

test('the state at a position is the same whichever way it is reached', () => {
  const records = [0, 1, 2, 3].flatMap((id) => [...reconcileOf(id + 1, id * 100)]);
  const log = sessionOf(records);
  const seen = (position: number): string =>
    JSON.stringify(log.machineAt(position), (_, value: unknown) =>
      value instanceof Map || value instanceof Set ? [...value] : value,
    );
  const forward = records.map((_, index) => seen(index));
  const backward = records.map((_, index) => seen(records.length - 1 - index)).reverse();
  assert.deepEqual(backward, forward);
});

test('finds the position of a time', () => {
  const log = sessionOf(reconcileOf(1, 1000));
  assert.equal(log.positionAt(START), 0);
  assert.equal(log.positionAt(START + 1000), 1);
  assert.equal(log.positionAt(START + 1005), 3);
  assert.equal(log.positionAt(START + 99_999), log.end);
});

test('keeps a bounded number of records and the state before them', () => {
  const records = Array.from({ length: 50 }, (_, id) => reconcileOf(id + 1, id * 100)).flat();
  const log = sessionOf(records, { limit: 20 });
  assert.ok(log.end - log.start <= 22, `${log.end - log.start} records`);
  assert.equal(log.end, records.length);
  assert.ok(log.requests.length <= 6, `${log.requests.length} requests`);
  const { controllers } = log.machineAt(log.end);
  assert.equal(controllers.get('site')?.reconciles, 55);
  assert.equal(log.machineAt(0), log.machineAt(log.start), 'earlier positions are the first');
});

test('ignores records that it holds already', () => {
  const log = sessionOf(reconcileOf(1, 0));
  const record = log.record(0);
  assert.ok(record !== undefined);
  log.push(record);
  assert.equal(log.end, 5);
  assert.equal(log.lastSeq, 5);
});

test('shows a stream as open from its head to its end, and keeps it while others are dropped', () => {
  const request = { id: 1, verb: 'watch', resource: 'pods', namespace: '', name: '' } as const;
  const answer = { code: 200, latencyMs: 4, retries: 0, throttledMs: 0, connection: 'h2 #1' };
  const other = { ...request, id: 2, verb: 'get' };
  const log = sessionOf(
    [
      { type: 'request.start', ...request },
      { type: 'request.head', ...request, ...answer },
      ...Array.from({ length: 8 }, () => [
        { type: 'request.start', ...other } as const,
        { type: 'request.end', ...other, ...answer } as const,
      ]).flat(),
    ],
    { limit: 4 },
  );
  const [watch] = log.requests;
  assert.deepEqual([watch?.id, watch?.code, watch?.endAt], ['1', 200, undefined]);
  assert.ok(log.requests.length <= 6, `${log.requests.length} requests`);
  assert.equal(log.machineAt(log.end).openRequests, 1);
  const ended = sessionOf([{ type: 'request.end', ...request, ...answer, openMs: 50 }]);
  const [row] = ended.requests;
  assert.deepEqual([row?.startAt, row?.headAt], [(row?.endAt ?? 0) - 54, (row?.endAt ?? 0) - 50]);
});

test('joins the start and the end of requests and reconciles', () => {
  const log = sessionOf(reconcileOf(1, 0, { result: 'requeue', requeueAfterMs: 50 }));
  assert.equal(log.requests.length, 1);
  assert.equal(log.requests[0]?.code, 200);
  assert.equal((log.requests[0]?.endAt ?? 0) - (log.requests[0]?.startAt ?? 0), 10);
  assert.equal(log.reconciles[0]?.result, 'requeue');
  assert.equal(log.reconciles[0]?.requeueAfterMs, 50);
});

test('knows when a request started whose start was dropped', () => {
  const [end] = reconcileOf(1, 0).filter(({ type }) => type === 'request.end');
  assert.ok(end !== undefined);
  const log = sessionOf([end]);
  assert.equal(log.requests[0]?.startAt, START + 2);
});

test('exports what can be opened again, also after records were dropped', () => {
  const records = Array.from({ length: 50 }, (_, id) => reconcileOf(id + 1, id * 100)).flat();
  for (const limit of [1000, 20]) {
    const log = sessionOf(records, { limit });
    const opened = readSession(log.export());
    assert.equal(opened.end, log.end - log.start);
    assert.equal(opened.header.program, 'test');
    const [before, after] = [log.machineAt(log.end), opened.machineAt(opened.end)];
    assert.equal(
      after.controllers.get('site')?.reconciles,
      before.controllers.get('site')?.reconciles,
    );
    assert.equal(after.requests, before.requests);
    assert.equal(after.informers.get('pods')?.bytes, SNAPSHOT.informers[0]?.bytes);
  }
});

test('snapshots are part of the states from their record on', () => {
  const log = sessionOf(reconcileOf(1, 0));
  const [pods] = SNAPSHOT.informers;
  assert.ok(pods !== undefined);
  const snapshot = (seq: number, bytes: number): typeof SNAPSHOT => ({
    ...SNAPSHOT,
    seq,
    informers: [{ ...pods, bytes, state: 'stale' }],
  });
  const bytesAt = (position: number): number | undefined =>
    log.machineAt(position).informers.get('pods')?.bytes;
  log.refresh(snapshot(3, 77));
  log.refresh(snapshot(5, 88));
  log.refresh(snapshot(5, 99));
  const expected = [10_000, 10_000, 10_000, 77, 77, 99];
  assert.deepEqual([0, 1, 2, 3, 4, 5].map(bytesAt), expected);
  assert.deepEqual([5, 4, 3, 2, 1, 0].map(bytesAt), expected.toReversed());
  log.refresh(snapshot(5, 111));
  assert.equal(bytesAt(5), 111, 'of the same record the newest counts');
  log.refresh(snapshot(7, 222));
  assert.equal(bytesAt(5), 111, 'the records before it are still on the way');
  assert.equal(log.machineAt(5).informers.get('pods')?.state, 'stale');
});

test('snapshots stay part of the state when records are dropped', () => {
  const records = Array.from({ length: 50 }, (_, id) => reconcileOf(id + 1, id * 100)).flat();
  const log = sessionOf(records.slice(0, 50), { limit: 20 });
  const [site] = SNAPSHOT.controllers;
  assert.ok(site !== undefined);
  log.refresh({ ...SNAPSHOT, seq: 50, controllers: [{ ...site, reconciles: 1000 }] });
  const more = sessionOf(records);
  for (const record of more.slice(50, 250)) log.push(record);
  assert.equal(log.machineAt(log.end).controllers.get('site')?.reconciles, 1040);
  const kept = log.slice(log.start, log.end).filter(({ type }) => type === 'reconcile.end');
  const before = log.machineAt(log.start).controllers.get('site')?.reconciles;
  assert.equal(before, 1040 - kept.length);
});
