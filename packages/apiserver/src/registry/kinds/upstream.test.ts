import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const LINE = /^\/\/ Upstream: (?:cmd|pkg|plugin|staging|vendor)\/[\w./-]+\.go(?:: [\w, ]+)?:?$/;

describe('references to upstream files', () => {
  for (const folder of ['registry/kinds', 'validation/pod']) {
    // The sources, also when the compiled test runs in dist/.
    const root = fileURLToPath(new URL(`../../../src/${folder}`, import.meta.url));
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
    );

    it(`are at the top of every file in ${folder}`, () => {
      assert.ok(files.length > 0);
      for (const file of files) {
        const [first = ''] = readFileSync(join(root, file), 'utf8').split('\n', 1);
        assert.match(first, LINE, file);
      }
    });
  }
});
