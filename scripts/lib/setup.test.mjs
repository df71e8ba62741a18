import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { sourceOf } from './build.mjs';
import { lockMatches } from './install.mjs';

describe('lockMatches', () => {
  const wanted = {
    packages: {
      '': {},
      'packages/client': {},
      'node_modules/a': { version: '1.0.0', integrity: 'x' },
      'node_modules/other-platform': { version: '1.0.0', optional: true },
    },
  };

  it('accepts what was asked for, without packages for other platforms', () => {
    const a = { version: '1.0.0', integrity: 'x' };
    assert.ok(lockMatches(wanted, { packages: { 'packages/client': {}, 'node_modules/a': a } }));
  });

  it('refuses a missing package, another version or content, and a left-over', () => {
    const refused = [
      {},
      { 'node_modules/a': { version: '2.0.0', integrity: 'x' } },
      { 'node_modules/a': { version: '1.0.0', integrity: 'y' } },
      { 'node_modules/a': { version: '1.0.0', integrity: 'x' }, 'node_modules/b': {} },
    ];
    for (const packages of refused) assert.ok(!lockMatches(wanted, { packages }));
  });
});

describe('sourceOf', () => {
  it('names the source of a compiler output', () => {
    for (const path of ['a/b.js', 'a/b.js.map', 'a/b.d.ts', 'a/b.d.ts.map']) {
      assert.equal(sourceOf(path), 'a/b.ts');
    }
    assert.equal(sourceOf('.tsbuildinfo'), undefined);
  });
});
