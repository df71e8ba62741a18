import assert from 'node:assert/strict';
import { test } from 'node:test';

import { formatAge } from './age.ts';

test('formats ages with about two digits', () => {
  const cases: [seconds: number, text: string][] = [
    [-5, '<invalid>'],
    [-1, '0s'],
    [0, '0s'],
    [119, '119s'],
    [120, '2m'],
    [125, '2m5s'],
    [600, '10m'],
    [10_799, '179m'],
    [10_800, '3h'],
    [14_460, '4h1m'],
    [100_000, '27h'],
    [180_000, '2d2h'],
    [700_000, '8d'],
    [70_000_000, '2y80d'],
    [300_000_000, '9y'],
  ];
  for (const [seconds, text] of cases) assert.equal(formatAge(seconds * 1000), text);
});
