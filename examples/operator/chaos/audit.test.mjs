/** Tests that the audit finds each kind of violation. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { audit } from './audit.ts';

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

/** @param {string} holderIdentity */
const lease = (holderIdentity) => change('Lease', 'MODIFIED', { spec: { holderIdentity } });

/** @param {number} replicas @param {LoggedChange['type']} [type] */
const webSet = (replicas, type = 'ADDED') =>
  change('WebSet', type, { metadata: { name: 'web', uid: 'uid-of-web' }, spec: { replicas } });

/** @param {string} name @param {{ by?: string, uid?: string, owner?: string }} [options] */
const pod = (name, { by = 'one', uid = `uid-of-${name}`, owner = 'uid-of-web' } = {}) =>
  change('Pod', 'ADDED', {
    metadata: {
      name,
      uid,
      ownerReferences: [{ uid: owner, controller: true }],
      managedFields: [{ manager: `web-set-operator-${by}` }],
    },
  });

/** @param {string} uid */
const podGone = (uid) => change('Pod', 'DELETED', { metadata: { uid } });

/** @param {readonly LoggedChange[]} changes */
function countsOf(changes) {
  const { duplicates, unwanted, orphans, strangers, leftBehind } = audit(changes);
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
      lease('two'),
      pod('web-0', { by: 'two', uid: 'another' }),
      webSet(1, 'MODIFIED'),
      podGone('another'),
      podGone('uid-of-web-1'),
      webSet(1, 'DELETED'),
    ];
    assert.deepEqual(countsOf(changes), {});
    const { podsCreated, podsGone, mostPods, terms } = audit(changes);
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
      'a former leader that continues',
      [lease('two'), pod('web-0'), pod('web-1')],
      { strangers: 1 },
    ],
    ['pods left by a deleted owner', [pod('web-0'), webSet(2, 'DELETED')], { leftBehind: 1 }],
  ])) {
    it(`finds ${what}`, () => {
      assert.deepEqual(countsOf([...start(), ...changes]), found);
    });
  }

  it('allows and counts a request in flight when the leader changed', () => {
    for (const changes of [
      [...start(), lease('two'), pod('web-0')],
      [...start(), lease('two'), webSet(2, 'DELETED'), pod('web-0')],
    ]) {
      assert.deepEqual(countsOf(changes), {});
      assert.equal(audit(changes).late, 1);
    }
  });
});
