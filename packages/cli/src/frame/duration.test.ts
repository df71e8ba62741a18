import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { formatDuration, parseDuration } from './duration.ts';

test('parses durations as Go does', () => {
  const cases: [text: string, milliseconds: number | undefined][] = [
    ['0', 0],
    ['10', 10_000],
    ['1.5', 1500],
    ['30s', 30_000],
    ['1h30m', 5_400_000],
    ['1.5h', 5_400_000],
    ['500ms', 500],
    ['250us', 0.25],
    ['7d', 604_800_000],
    ['.5s', 500],
    ['', undefined],
    ['h', undefined],
    ['1x', undefined],
    ['1h ', undefined],
    ['-1s', undefined],
    ['1h30', undefined],
  ];
  for (const [text, expected] of cases) assert.equal(parseDuration(text), expected, text);
});

test('round-trips', () => {
  fc.assert(
    fc.property(fc.nat({ max: 10 ** 12 }), (milliseconds) => {
      assert.equal(parseDuration(formatDuration(milliseconds)), milliseconds);
    }),
  );
  assert.equal(formatDuration(90_000), '1m30s');
  assert.equal(formatDuration(0), '0s');
});
