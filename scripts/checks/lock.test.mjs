import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { findLockFaults } from './lock.mjs';

const integrity = 'sha512-x';

describe('findLockFaults', () => {
  it('finds dependencies where Node would', () => {
    const packages = {
      'node_modules/a': { integrity, dependencies: { b: '1', c: '1' } },
      'node_modules/a/node_modules/b': { integrity, dependencies: { c: '1' } },
      'node_modules/c': { integrity },
    };
    assert.deepEqual(findLockFaults(packages), []);
  });

  it('misses a platform package', () => {
    const packages = { 'node_modules/a': { integrity, optionalDependencies: { 'a-darwin': '1' } } };
    assert.deepEqual(findLockFaults(packages), [
      'a-darwin, wanted by node_modules/a, has no entry',
    ]);
  });

  it('wants a checksum, except of platform packages that nothing could download', () => {
    const packages = {
      '': { optionalDependencies: { 'node-win': '1' } },
      'packages/client': {},
      'node_modules/client': { link: true },
      'node_modules/a': { integrity },
      'node_modules/b': {},
      'node_modules/a-darwin': { optional: true },
      'node_modules/node-win': { optional: true },
    };
    assert.deepEqual(findLockFaults(packages), [
      'node_modules/b has no checksum',
      'node_modules/node-win has no checksum',
    ]);
  });

  it('refuses install scripts', () => {
    assert.deepEqual(findLockFaults({ 'node_modules/a': { integrity, hasInstallScript: true } }), [
      'node_modules/a runs a script when it is installed',
    ]);
  });

  it('refuses a registry host', () => {
    const packages = { 'node_modules/a': { resolved: 'https://registry.example/a.tgz' } };
    assert.match(findLockFaults(packages).join(), /names a registry/);
  });
});
