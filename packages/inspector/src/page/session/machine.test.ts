import assert from 'node:assert/strict';
import { test } from 'node:test';

import { feedKey, versionsBehind, writeKey } from './machine.ts';
import { reconcileOf, sessionOf, START } from './test-session.ts';

test('follows a key from the queue through its reconcile', () => {
  const log = sessionOf(reconcileOf(1, 0));
  const phases = Array.from({ length: 5 }, (_, index) => {
    const { controllers } = log.machineAt(index + 1);
    return controllers.get('site')?.keys.get('default/web')?.phase;
  });
  assert.deepEqual(phases, ['queued', 'active', 'active', 'active', 'idle']);
});

test('counts failures in a row and says when a failed key is due', () => {
  const failure = { result: 'error', error: 'boom', requeueAfterMs: 500 } as const;
  const log = sessionOf([...reconcileOf(1, 0, failure), ...reconcileOf(2, 1000, failure)]);
  const key = log.machineAt(log.end).controllers.get('site')?.keys.get('default/web');
  assert.equal(key?.failures, 2);
  assert.equal(key.phase, 'failing');
  assert.equal(key.lastError, 'boom');
  assert.equal(key.dueAt, START + 1020 + 500);
  const recovered = sessionOf([...reconcileOf(1, 0, failure), ...reconcileOf(2, 1000)]);
  const { controllers } = recovered.machineAt(recovered.end);
  assert.equal(controllers.get('site')?.keys.get('default/web')?.failures, 0);
  assert.equal(controllers.get('site')?.errors, 2, 'one of them is in the snapshot');
});

test('learns which handler fills a queue and what a controller writes', () => {
  const log = sessionOf(reconcileOf(1, 0));
  const machine = log.machineAt(log.end);
  assert.deepEqual([...machine.feeds], [feedKey('pods', 'controller site on pods', 'site')]);
  assert.deepEqual([...machine.writes], [writeKey('site', 'sites.example.com')]);
});

test('adds the counts of intervals to those of the snapshot', () => {
  const counts = {
    type: 'informer.events',
    informer: 'pods',
    intervalMs: 1000,
    bookmarks: 0,
  } as const;
  const log = sessionOf([
    {
      ...counts,
      added: 2,
      updated: 3,
      deleted: 1,
      objects: 11,
      resourceVersion: '110',
      lag: 0,
      handlers: [],
    },
  ]);
  const pods = log.machineAt(log.end).informers.get('pods');
  assert.deepEqual(
    [pods?.added, pods?.updated, pods?.deleted, pods?.objects, pods?.resourceVersion],
    [12, 3, 1, 11, '110'],
  );
});

test('says how far an informer is behind the newest of its server', () => {
  const state = { type: 'informer.state', state: 'live', objects: 1 } as const;
  const log = sessionOf([{ ...state, informer: 'secrets', resourceVersion: '40' }]);
  const machine = log.machineAt(log.end);
  const secrets = machine.informers.get('secrets');
  assert.ok(secrets !== undefined);
  assert.equal(versionsBehind(machine, secrets), 0, 'no other informer of its server');
  secrets.server = '127.0.0.1:6443';
  assert.equal(versionsBehind(machine, secrets), 60);
});

test('takes records of one informer together, whichever program of a feed they name', () => {
  const state = { type: 'informer.state', state: 'stale', objects: 1, informer: 'pods' } as const;
  const log = sessionOf([{ ...state, program: 'a', resourceVersion: '1', reason: 'reset' }]);
  const { informers } = log.machineAt(log.end);
  assert.deepEqual([...informers.keys()], ['pods'], 'names are unique in a feed');
  assert.equal(informers.get('pods')?.state, 'stale');
});
