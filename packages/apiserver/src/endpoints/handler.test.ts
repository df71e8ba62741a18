import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { checkTimeout } from './handler.ts';

describe('checkTimeout', () => {
  it('accepts durations and an absent value', () => {
    for (const text of [
      null,
      '',
      '0',
      '5s',
      '1h1.5m',
      '.5s',
      '1.s',
      '-1s',
      '+3ms',
      '10us',
      '1µs',
    ]) {
      assert.equal(checkTimeout(text), undefined, String(text));
    }
  });

  for (const [text, problem] of [
    ['abc', 'time: invalid duration "abc"'],
    ['1', 'time: missing unit in duration "1"'],
    ['1d', 'time: unknown unit "d" in duration "1d"'],
    ['1s2', 'time: missing unit in duration "1s2"'],
    ['-', 'time: invalid duration "-"'],
    [' 1s', 'time: invalid duration " 1s"'],
  ] as const) {
    it(`rejects ${JSON.stringify(text)} with the message of a real server`, () => {
      assert.throws(() => checkTimeout(text), {
        code: 'API_BAD_REQUEST',
        message: `invalid timeout specified in the request URL - ${problem}`,
      });
    });
  }
});
