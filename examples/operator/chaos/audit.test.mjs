/** Tests that the audit finds each kind of violation. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { shardOfKey } from 'client-ts/leaderelection';

import { audit } from './audit.ts';
import { Reconciles } from './reconciles.ts';

/** @typedef {import('./watch-log.ts').LoggedChange} LoggedChange */

let version = 0;

/**
 * @param {LoggedChange['kind']} kind
 * @param {LoggedChange['type']} type
 * @param {object} object
 * @returns {LoggedChange}
 */
function change(kind, type, object) {
  version += 1;
  const { metadata = {}, ...rest } = /** @type {{ metadata?: object }} */ (object);
  const whole = { ...rest, metadata: { ...metadata, resourceVersion: String(version) } };
  return /** @type {LoggedChange} */ (/** @type {unknown} */ ({ kind, type, object: whole }));
}

const rules = { shards: undefined, leaseDurationMs: 3000, renewDeadlineMs: 2000 };

/** @param {number} ms */
const time = (ms) => new Date(ms).toISOString();

/** @param {string} holderIdentity @param {number} [at] */
const lease = (holderIdentity, at = 0) =>
  change('Lease', 'MODIFIED', {
    metadata: { name: 'web-set-operator' },
    spec: { holderIdentity, renewTime: time(at) },
  });

/** @param {number} replicas @param {LoggedChange['type']} [type] */
const webSet = (replicas, type = 'ADDED') =>
  change('WebSet', type, { metadata: { name: 'web', uid: 'uid-of-web' }, spec: { replicas } });

/** @param {string} name @param {{ by?: string, sentAt?: number, uid?: string, owner?: string }} [options] */
const pod = (name, { by = 'one', sentAt = 1, uid = `uid-of-${name}`, owner = 'uid-of-web' } = {}) =>
  change('Pod', 'ADDED', {
    metadata: {
      name,
      namespace: 'default',
      uid,
      ownerReferences: [{ uid: owner, controller: true }],
      managedFields: [{ manager: `web-set-operator-${by}@${sentAt}` }],
    },
  });

/** @param {string} uid */
const podGone = (uid) => change('Pod', 'DELETED', { metadata: { uid } });

/** @param {readonly LoggedChange[]} changes */
function countsOf(changes) {
  const { duplicates, unwanted, orphans, strangers, leftBehind } = audit(changes, rules);
  const found = { duplicates, unwanted, orphans, strangers, leftBehind };
  const counts = Object.entries(found).map(([name, { length }]) => [name, length]);
  return Object.fromEntries(counts.filter(([, count]) => count !== 0));
}

describe('the audit of a chaos', () => {
  it('finds no violation in a correct history', () => {
    const changes = [
      lease('one'),
      webSet(2),
      pod('web-0'),
      pod('web-1'),
      podGone('uid-of-web-0'),
      lease('two', 5000),
      pod('web-0', { by: 'two', sentAt: 6000, uid: 'another' }),
      webSet(1, 'MODIFIED'),
      podGone('another'),
      podGone('uid-of-web-1'),
      webSet(1, 'DELETED'),
    ];
    assert.deepEqual(countsOf(changes), {});
    const { podsCreated, podsGone, mostPods, terms } = audit(changes, rules);
    assert.deepEqual(
      { podsCreated, podsGone, mostPods, terms },
      {
        podsCreated: 3,
        podsGone: 3,
        mostPods: 2,
        terms: 2,
      },
    );
  });

  const start = () => [lease('one'), webSet(2)];
  for (const [what, changes, found] of /** @type {const} */ ([
    ['a second pod with an ordinal', [pod('web-0'), pod('web-x-0')], { duplicates: 1 }],
    ['an ordinal that was never asked for', [pod('web-2')], { unwanted: 1 }],
    ['a pod without an owner', [pod('web-0', { owner: 'none' })], { orphans: 1 }],
    ['a pod of a deleted owner', [webSet(2, 'DELETED'), pod('web-0')], { orphans: 1 }],
    ['a pod by a process that never led', [pod('web-0', { by: 'two' })], { strangers: 1 }],
    [
      'a former leader that continues after its lease has expired',
      [lease('two', 5000), pod('web-0', { sentAt: 1999 }), pod('web-1', { sentAt: 2010 })],
      { strangers: 1 },
    ],
    [
      'a leader that writes without having renewed its lease, while no other one leads',
      [pod('web-0', { sentAt: 2010 })],
      { strangers: 1 },
    ],
    [
      'a pod that was sent after the release',
      [lease('', 500), pod('web-0', { sentAt: 510 })],
      { strangers: 1 },
    ],
    [
      'a pod that was sent before its process led',
      [lease('two', 5000), pod('web-0', { by: 'two', sentAt: 4000 })],
      { strangers: 1 },
    ],
    ['pods left by a deleted owner', [pod('web-0'), webSet(2, 'DELETED')], { leftBehind: 1 }],
  ])) {
    it(`finds ${what}`, () => {
      assert.deepEqual(countsOf([...start(), ...changes]), found);
    });
  }

  it('allows and counts requests that were sent with the lease, and stored without it', () => {
    for (const changes of [
      [...start(), lease('two', 5000), pod('web-0', { sentAt: 1999 })],
      [...start(), lease('two', 5000), webSet(2, 'DELETED'), pod('web-0', { sentAt: 1999 })],
      [...start(), lease('one', 1500), lease('two', 9000), pod('web-0', { sentAt: 3000 })],
    ]) {
      assert.deepEqual(countsOf(changes), {});
      assert.equal(audit(changes, rules).late.length, 1);
    }
  });

  const sharded = { shards: 2, leaseDurationMs: 3000, renewDeadlineMs: 2000 };
  /** The shard of `default/web`. */
  const shard = shardOfKey('default/web', 2);

  /** @param {string} name @param {string} holderIdentity @param {number} at */
  const named = (name, holderIdentity, at) =>
    change('Lease', 'MODIFIED', {
      metadata: { name: `web-set-operator-${name}` },
      spec: { holderIdentity, renewTime: time(at) },
    });

  it('compares pods with the shard of their WebSet, and the lease of its holder', () => {
    const before = [named('replica-1', 'one', 0), named(`shard-${shard}`, 'one', 10), webSet(2)];
    const other = [named('replica-2', 'two', 0), named(`shard-${1 - shard}`, 'two', 10)];
    assert.deepEqual(
      audit([...before, ...other, pod('web-0', { sentAt: 20 })], sharded).strangers,
      [],
    );
    const wrong = [...before, ...other, pod('web-0', { by: 'two', sentAt: 20 })];
    assert.equal(audit(wrong, sharded).strangers.length, 1);
    const moved = [...before, ...other, named(`shard-${shard}`, '', 1000)];
    const after = [...moved, named(`shard-${shard}`, 'two', 1400), pod('web-0', { sentAt: 900 })];
    assert.equal(audit(after, sharded).late.length, 1);
    const { tenures } = audit(after, sharded);
    assert.deepEqual(
      tenures.vacancies.map(({ ms }) => ms),
      [400],
    );
  });

  it('finds shards that no process has taken again when all are stopped', () => {
    const { tenures } = audit(
      [
        named('replica-1', 'one', 0),
        named('replica-2', 'two', 0),
        // Released, and free since.
        named('shard-0', 'one', 10),
        named('shard-0', '', 1000),
        // Held by a process that died, free since its lease expired.
        named('shard-1', 'one', 10),
        // Held until the stop.
        named('shard-2', 'two', 10),
        named('replica-2', 'two', 8000),
        named('shard-2', '', 9100),
      ],
      sharded,
      9000,
    );
    assert.deepEqual(tenures.vacancies, [
      { lock: 'web-set-operator-shard-0', ms: 8000 },
      { lock: 'web-set-operator-shard-1', ms: 5990 },
    ]);
  });

  it('finds a key that two processes reconcile at the same time, while both have a lease', () => {
    const { tenures } = audit(
      [named('replica-1', 'one', 0), named('replica-2', 'two', 0), named('replica-2', 'two', 1900)],
      sharded,
    );
    const reconciles = new Reconciles();
    reconciles.read('one', 'begin default/web 100');
    reconciles.read('two', 'begin default/web 300');
    reconciles.read('one', 'end default/web 250');
    reconciles.read('two', 'end default/web 400');
    // Killed in the middle of it: no longer than its lease.
    reconciles.read('one', 'begin default/web 500');
    reconciles.read('two', 'begin default/web 2100');
    reconciles.read('two', 'end default/web 2200');
    // Begun by a process that was paused until after its lease.
    reconciles.read('one', 'begin default/web 2150');
    reconciles.read('one', 'end default/web 2300');
    assert.deepEqual(reconciles.overlaps(tenures), []);
    reconciles.read('two', 'begin default/web 1900');
    reconciles.read('two', 'end default/web 1950');
    assert.deepEqual(reconciles.overlaps(tenures), ['default/web by one and two for 50 ms']);
    assert.deepEqual(reconciles.strangers(tenures), []);
    reconciles.read('two', 'sent default/web 1950');
    assert.deepEqual(reconciles.strangers(tenures), [
      'a request for default/web by two, while others held the shard',
    ]);
  });
});
