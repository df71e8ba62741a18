import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatGoFloat, formatGoNumber, quoteGo } from './quote.ts';

describe('quoteGo', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['', '""'],
    ['web-0', '"web-0"'],
    ['a"b\\c', '"a\\"b\\\\c"'],
    ['tab\tline\nbell\u0007', '"tab\\tline\\nbell\\a"'],
    ['\u0000\u001b\u007f', '"\\x00\\x1b\\x7f"'],
    ['<&>', '"<&>"'],
    ['naïve 名前 🙂', '"naïve 名前 🙂"'],
    ['\u00a0\u200b', '"\\u00a0\\u200b"'],
    ['\u{e0001}', '"\\U000e0001"'],
    ['\udfff\ud800', '"\ufffd\ufffd"'],
    ['\uffff', '"\\uffff"'],
  ];
  for (const [text, quoted] of cases) {
    it(`writes ${JSON.stringify(text)} as ${quoted}`, () => {
      assert.equal(quoteGo(text), quoted);
    });
  }
});

it('writes numbers as Go writes what it reads', () => {
  const cases: [number, string][] = [
    [0, '0'],
    [-7, '-7'],
    [3000000, '3000000'],
    [2.5, '2.5'],
    [123456.789, '123456.789'],
    [3000000.5, '3.0000005e+06'],
    [0.0001, '0.0001'],
    [0.000012, '1.2e-05'],
    [1e19, '1e+19'],
    [1e-100, '1e-100'],
  ];
  for (const [value, text] of cases) assert.equal(formatGoNumber(value), text);
  assert.equal(formatGoFloat(2000000), '2e+06');
  assert.equal(formatGoFloat(-20), '-20');
});
