import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { findLockFaults } from './lock.mjs';

describe('findLockFaults', () => {
  it('finds dependencies where Node would', () => {
    const packages = {
      'node_modules/a': { dependencies: { b: '1', c: '1' } },
      'node_modules/a/node_modules/b': { dependencies: { c: '1' } },
      'node_modules/c': {},
    };
    assert.deepEqual(findLockFaults(packages), []);
  });

  it('misses a platform package', () => {
    const packages = { 'node_modules/a': { optionalDependencies: { 'a-darwin': '1' } } };
    assert.deepEqual(findLockFaults(packages), [
      'a-darwin, wanted by node_modules/a, has no entry',
    ]);
  });

  it('refuses a registry host', () => {
    const packages = { 'node_modules/a': { resolved: 'https://registry.example/a.tgz' } };
    assert.match(findLockFaults(packages).join(), /names a registry/);
  });
});
