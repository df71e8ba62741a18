import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  compareResourceVersions,
  isResourceVersion,
  ResourceVersionError,
} from './resource-version.ts';

describe('isResourceVersion', () => {
  it('accepts digits without a leading zero', () => {
    for (const good of ['1', '10', '18446744073709551616']) assert.ok(isResourceVersion(good));
    for (const bad of ['', '0', '01', '-1', '+1', '1.0', 'abc', ' 1', '1\n', '１']) {
      assert.equal(isResourceVersion(bad), false, JSON.stringify(bad));
    }
  });
});

describe('compareResourceVersions', () => {
  it('puts the shorter first, and compares the rest as text', () => {
    assert.equal(compareResourceVersions('9', '10'), -1);
    assert.equal(compareResourceVersions('10', '9'), 1);
    assert.equal(compareResourceVersions('12', '13'), -1);
    assert.equal(compareResourceVersions('13', '12'), 1);
    assert.equal(compareResourceVersions('12', '12'), 0);
  });

  it('refuses what is not well formed, on either side', () => {
    const refused = {
      code: 'META_RESOURCE_VERSION_INVALID',
      message: 'resource version is not well formed: "0"',
    };
    assert.throws(() => compareResourceVersions('0', '1'), refused);
    assert.throws(() => compareResourceVersions('1', '0'), refused);
    assert.throws(() => compareResourceVersions('', '1'), ResourceVersionError);
  });

  it('is the order of the integers, of any size', () => {
    const version = fc.bigInt({ min: 1n, max: 2n ** 80n });
    fc.assert(
      fc.property(version, version, (left, right) => {
        const expected = left === right ? 0 : left < right ? -1 : 1;
        assert.equal(compareResourceVersions(`${left}`, `${right}`), expected);
      }),
    );
  });
});
