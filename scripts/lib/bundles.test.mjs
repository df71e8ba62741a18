import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';

import { clientBundle, recordInputs } from './bundles.mjs';
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
