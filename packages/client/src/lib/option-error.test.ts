import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  checkChoice,
  checkNumber,
  checkNumbers,
  type NumberKind,
  OptionError,
} from './option-error.ts';

const accepted: Readonly<Record<NumberKind, readonly number[]>> = {
  count: [1, 2, Infinity],
  countOrNone: [0, 1, Infinity],
  duration: [0, 0.5, 1, Infinity],
  period: [0, 1, Infinity],
  rate: [0.1, Infinity],
  fraction: [0, 0.5, 2],
  port: [0, 80, 65_535],
};
const refused: Readonly<Record<NumberKind, readonly unknown[]>> = {
  count: [0, -1, 1.5, NaN, '5'],
  countOrNone: [-1, 0.5, NaN, null],
  duration: [-1, NaN, '1s'],
  period: [-1, NaN, {}],
  rate: [0, -1, NaN],
  fraction: [-0.1, NaN],
  port: [-1, 65_536, 1.5, Infinity, '80'],
};

describe('checkNumber', () => {
  for (const rule of Object.keys(accepted) as NumberKind[]) {
    it(`accepts and refuses values of a ${rule}`, () => {
      checkNumber('option', undefined, rule);
      for (const value of accepted[rule]) checkNumber('option', value, rule);
      for (const value of refused[rule]) {
        assert.throws(() => checkNumber('option', value, rule), OptionError, String(value));
      }
    });
  }
});

describe('checkNumbers', () => {
  it('names the option, its value and what it accepts', () => {
    const options = { workers: 1, maxPending: 0, other: 'x' };
    assert.throws(() => checkNumbers(options, { workers: 'count', maxPending: 'count' }), {
      name: 'OptionError',
      code: 'OPTION_INVALID',
      option: 'maxPending',
      message: 'maxPending: 0 is not a whole number of 1 or more, or Infinity',
      hint: undefined,
    });
  });

  it('does not look at options without a rule', () => {
    assert.doesNotThrow(() => checkNumbers({ workers: NaN }, {}));
  });
});

describe('checkChoice', () => {
  it('accepts the choices and an absent value, and names the choices otherwise', () => {
    checkChoice('overflow', undefined, ['hold', 'remove']);
    checkChoice('overflow', 'remove', ['hold', 'remove']);
    assert.throws(() => checkChoice('overflow', 'x', ['hold', 'remove']), {
      code: 'OPTION_INVALID',
      message: `overflow: 'x' is not one of "hold", "remove"`,
    });
  });
});
