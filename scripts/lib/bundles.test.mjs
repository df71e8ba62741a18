import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';

import { clientBundle, isMade, recordInputs } from './bundles.mjs';
import { root } from './paths.mjs';

it('a bundle remembers files of the tree, wherever the tree is', (test) => {
  const directory = mkdtempSync(join(tmpdir(), 'bundle-'));
  test.after(() => rmSync(directory, { recursive: true }));
  const stamp = join(directory, 'stamp');
  recordInputs({ ...clientBundle, stamp }, [join(root, 'package.json')]);
  /** @type {[string, string][]} */
  const inputs = JSON.parse(readFileSync(stamp, 'utf8'));
  const paths = inputs.map(([path]) => path);
  assert.deepEqual(paths, [join('scripts', 'bundle-client.mjs'), 'package.json']);
});

it('a bundle is made again for another file, and for one more declaration in a folder', (test) => {
  const directory = mkdtempSync(join(tmpdir(), 'bundle-'));
  test.after(() => rmSync(directory, { recursive: true }));
  const [file, stamp] = ['package.json', 'stamp'].map((name) => join(directory, name));
  assert.ok(file !== undefined && stamp !== undefined);
  const bundle = { ...clientBundle, stamp, result: file };
  writeFileSync(file, '{}');
  assert.equal(isMade(bundle), false);
  recordInputs(bundle, [file, directory]);
  assert.equal(isMade(bundle), true);
  writeFileSync(join(directory, 'a.js'), '');
  assert.equal(isMade(bundle), true);
  writeFileSync(join(directory, 'a.d.ts'), '');
  assert.equal(isMade(bundle), false);
  recordInputs(bundle, [file, directory]);
  assert.equal(isMade(bundle), true);
  writeFileSync(file, '{ "exports": {} }');
  assert.equal(isMade(bundle), false);
});
