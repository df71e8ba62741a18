import assert from 'node:assert/strict';
import { it } from 'node:test';

import type { CachedObject } from '../cache/list-watch.ts';
import { OwnVersions } from './own-versions.ts';

const pods = { group: '', resource: 'pods' };

function objectAt(version: number, uid = 'u'): CachedObject {
  return { metadata: { name: 'a', namespace: 'ns', uid, resourceVersion: String(version) } };
}

it('own versions name the writer of exactly one version of one object', () => {
  const versions = new OwnVersions();
  versions.add('me', pods, objectAt(5));
  assert.equal(versions.writerOf(pods, objectAt(5)), 'me');
  assert.equal(versions.writerOf(pods, objectAt(6)), undefined);
  assert.equal(versions.writerOf(pods, objectAt(5, 'other')), undefined);
  assert.equal(versions.writerOf({ group: '', resource: 'secrets' }, objectAt(5)), undefined);
});

it('own versions are bounded, and the oldest are forgotten', () => {
  const versions = new OwnVersions();
  for (let version = 1; version <= 10_005; version += 1)
    versions.add('me', pods, objectAt(version));
  assert.equal(versions.size, 10_000);
  assert.equal(versions.writerOf(pods, objectAt(5)), undefined);
  assert.equal(versions.writerOf(pods, objectAt(6)), 'me');
});
