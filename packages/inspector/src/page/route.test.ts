import assert from 'node:assert/strict';
import { test } from 'node:test';

import { href, parseRoute } from './route.ts';

test('an address leads back to what it was made from', () => {
  const parts = ['site', 'default/<img src=x onerror=alert(1)> %'];
  assert.deepEqual(parseRoute(href('queues', ...parts)), { view: 'queues', parts });
});

test('an address that names no view shows the overview', () => {
  for (const hash of ['', '#', '#/nothing', '#/%E0%A4%A']) {
    assert.equal(parseRoute(hash).view, 'overview');
  }
});
