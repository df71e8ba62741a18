import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { since, sinceMicro } from './ages.ts';

describe('ages', () => {
  const now = Date.parse('2026-03-01T00:00:10.500Z');

  it('are counted from a time to now', () => {
    assert.equal(since('2026-03-01T00:00:00Z', now), '10s');
    assert.equal(since('2026-03-01T01:00:00+01:00', now), '10s');
    assert.equal(sinceMicro('2026-03-01T00:00:00.600000Z', now), '9s');
  });

  it('tolerate a clock that is slightly ahead', () => {
    assert.equal(since('2026-03-01T00:00:12Z', now), '0s');
    assert.equal(since('2026-03-01T00:00:13Z', now), '<invalid>');
  });

  it('are unknown without a time', () => {
    for (const none of [undefined, null, '', '0001-01-01T00:00:00Z']) {
      assert.equal(since(none, now), '<unknown>');
      assert.equal(sinceMicro(none, now), '<unknown>');
    }
  });
});
