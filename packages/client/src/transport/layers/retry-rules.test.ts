import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { retryAfterMs } from './retry-rules.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

function waitFor(value: string | readonly string[], status = 503): number | undefined {
  return retryAfterMs({ status, headers: { 'retry-after': value } }, NOW);
}

describe('retryAfterMs', () => {
  it('reads seconds and dates, at most five minutes', () => {
    assert.equal(waitFor('3'), 3000);
    assert.equal(waitFor('0', 429), 0);
    assert.equal(waitFor('Thu, 01 Jan 2026 00:00:05 GMT'), 5000);
    assert.equal(waitFor('Wed, 31 Dec 2025 00:00:05 GMT'), 0);
    assert.equal(waitFor('300'), 300_000);
    assert.equal(waitFor('301'), 300_000);
    assert.equal(waitFor('9'.repeat(400)), 300_000);
    assert.equal(waitFor('Thu, 01 Jan 2099 00:00:05 GMT'), 300_000);
  });

  it('ignores what is neither, and other answers', () => {
    for (const value of [
      'soon',
      '-1',
      '1.5',
      '',
      'Xxx, 99 Foo 2026 99:99:99 GMT',
      'Thu, 32 Jan 2026 00:00:05 GMT',
      ['1', '2'],
    ]) {
      assert.equal(waitFor(value), undefined, String(value));
    }
    assert.equal(waitFor('3', 404), undefined);
    assert.equal(waitFor('3', 200), undefined);
  });
});
