import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { durationProblem, parseGoDuration } from './go-duration.ts';

describe('durations of Go', () => {
  it('are read to the nanosecond', () => {
    const cases: readonly (readonly [string, bigint])[] = [
      ['0', 0n],
      ['-0', 0n],
      ['1h2m3.004005006s', 3_723_004_005_006n],
      ['.5ms', 500_000n],
      ['1.s', 1_000_000_000n],
      ['-1.5us', -1500n],
      ['9223372036854775807ns', 9_223_372_036_854_775_807n],
      ['-9223372036854775808ns', -9_223_372_036_854_775_808n],
      ['0000000000000000000000001s', 1_000_000_000n],
    ];
    for (const [text, nanos] of cases) assert.equal(parseGoDuration(text), nanos, text);
  });

  it('that are none have the message of Go', () => {
    const cases: readonly (readonly [string, string])[] = [
      ['', 'time: invalid duration ""'],
      ['-', 'time: invalid duration "-"'],
      ['1', 'time: missing unit in duration "1"'],
      ['1x', 'time: unknown unit "x" in duration "1x"'],
      ['.s', 'time: invalid duration ".s"'],
      ['9223372036854775808ns', 'time: invalid duration "9223372036854775808ns"'],
      ['99999999999999999999h', 'time: invalid duration "99999999999999999999h"'],
    ];
    for (const [text, problem] of cases) {
      assert.equal(durationProblem(text), problem);
      assert.equal(parseGoDuration(text), undefined);
    }
  });
});
