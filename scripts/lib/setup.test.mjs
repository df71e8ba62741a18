import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { sourceOf } from './build.mjs';
import { lockMatches } from './install.mjs';
import { root } from './paths.mjs';

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

describe('commands of packages', () => {
  it('are there before the first build, or npm would not link them in a fresh clone', () => {
    const commands = readdirSync(join(root, 'packages')).flatMap((name) => {
      const file = join(root, 'packages', name, 'package.json');
      const { bin = {} } = JSON.parse(readFileSync(file, 'utf8'));
      return Object.values(bin).map((path) => join('packages', name, path));
    });
    assert.ok(commands.includes(join('packages', 'cli', 'bin', 'client-ts.js')));
    for (const path of commands) {
      assert.ok(existsSync(join(root, path)), `${path} does not exist`);
      assert.ok(!path.split(/[/\\]/).includes('dist'), `${path} is made by the build`);
    }
  });
});
