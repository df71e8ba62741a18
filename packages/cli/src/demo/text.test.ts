import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { clockTime, counted, cut, fit, oneLine, shortAge, sparkline } from './text.ts';

describe('text helpers', () => {
  it('truncate and pad', () => {
    assert.equal(cut('abcdef', 6), 'abcdef');
    assert.equal(cut('abcdef', 4), 'abc…');
    assert.equal(cut('abcdef', 0), '');
    assert.equal(fit('ab', 4), 'ab  ');
    assert.equal(fit('abcdef', 4), 'abc…');
  });

  it('escape control characters', () => {
    assert.equal(oneLine('\u001B[31mred\u001B[0m'), '^[[31mred^[[0m');
    assert.equal(oneLine('a\r\nb\tc'), 'a b c');
    assert.equal(oneLine('schön 日本'), 'schön 日本');
  });

  it('format times', () => {
    assert.equal(clockTime(0), '00:00:00');
    assert.equal(clockTime(3_723_999), '01:02:03');
    assert.equal(clockTime(100 * 3_600_000), '100:00:00');
    assert.deepEqual([-5, 0, 119_999, 120_000, 7_199_999, 7_200_000, 172_800_000].map(shortAge), [
      '0s',
      '0s',
      '119s',
      '2m',
      '119m',
      '2h',
      '2d',
    ]);
  });

  it('format counts', () => {
    assert.equal(counted(1, 'pod'), '1 pod');
    assert.equal(counted(0, 'pod'), '0 pods');
  });

  it('draw sparklines', () => {
    assert.equal(sparkline([]), '');
    assert.equal(sparkline([0, 0]), '▁▁');
    assert.equal(sparkline([0, 1, 4, 16]), '▁▃▅█');
    assert.equal(sparkline([1]), '█');
  });
});
