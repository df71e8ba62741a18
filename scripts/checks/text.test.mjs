import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { findForbiddenText } from './text.mjs';

describe('findForbiddenText', () => {
  it('finds paths of one machine', () => {
    for (const path of ['/home/jane/x', '/opt/tool', '/root/.kube', '/Users/jane']) {
      assert.deepEqual(findForbiddenText('README.md', `one\nsee ${path} here`), [
        'README.md:2: a path of one machine',
      ]);
    }
    assert.deepEqual(findForbiddenText('README.md', 'https://x.org/home/page ~/work/x'), []);
  });

  it('finds the clock read past the door', () => {
    const text = 'const now = new Date();';
    assert.equal(findForbiddenText('packages/client/src/rest/a.ts', text).length, 1);
    assert.equal(findForbiddenText('packages/apiserver/src/store/a.ts', text).length, 1);
    assert.equal(findForbiddenText('packages/client/src/lib/a.ts', text).length, 0);
    assert.equal(findForbiddenText('packages/client/src/rest/a.test.ts', text).length, 0);
  });
});
