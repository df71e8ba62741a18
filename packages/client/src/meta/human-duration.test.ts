import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { humanDuration } from './human-duration.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

describe('humanDuration', () => {
  const cases: readonly (readonly [number, string])[] = [
    [-2 * SECOND, '<invalid>'],
    [-2 * SECOND + 1, '0s'],
    [-1, '0s'],
    [0, '0s'],
    [SECOND - 1, '0s'],
    [SECOND, '1s'],
    [2 * MINUTE - 1, '119s'],
    [2 * MINUTE, '2m'],
    [2 * MINUTE + SECOND, '2m1s'],
    [10 * MINUTE - 1, '9m59s'],
    [10 * MINUTE, '10m'],
    [10 * MINUTE + 59 * SECOND, '10m'],
    [3 * HOUR - 1, '179m'],
    [3 * HOUR, '3h'],
    [3 * HOUR + MINUTE, '3h1m'],
    [8 * HOUR - 1, '7h59m'],
    [8 * HOUR, '8h'],
    [2 * DAY - 1, '47h'],
    [2 * DAY, '2d'],
    [2 * DAY + HOUR, '2d1h'],
    [8 * DAY - 1, '7d23h'],
    [8 * DAY, '8d'],
    [2 * YEAR - 1, '729d'],
    [2 * YEAR, '2y'],
    [2 * YEAR + DAY, '2y1d'],
    [8 * YEAR - 1, '7y364d'],
    [8 * YEAR, '8y'],
    [8 * YEAR + 364 * DAY, '8y'],
    [5_000 * YEAR, '292y'],
  ];
  for (const [milliseconds, text] of cases) {
    it(`writes ${milliseconds} ms as ${text}`, () => {
      assert.equal(humanDuration(milliseconds), text);
    });
  }

  it('never exceeds the duration, and drops less than an eighth', () => {
    const units: Readonly<Record<string, number>> = {
      s: SECOND,
      m: MINUTE,
      h: HOUR,
      d: DAY,
      y: YEAR,
    };
    const read = (text: string): number =>
      [...text.matchAll(/(\d+)([smhdy])/g)].reduce(
        (sum, [, digits, unit]) => sum + Number(digits) * (units[unit ?? ''] ?? Number.NaN),
        0,
      );
    fc.assert(
      fc.property(fc.integer({ min: 8 * SECOND, max: 290 * YEAR }), (milliseconds) => {
        const said = read(humanDuration(milliseconds));
        assert.ok(said <= milliseconds && milliseconds - said < milliseconds / 8, `${said}`);
      }),
    );
  });
});
