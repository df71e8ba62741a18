import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { quoteGo } from './quote.ts';

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
