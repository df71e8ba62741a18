import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import fc from 'fast-check';
import {
  formatGo,
  formatGoFloat,
  formatGoNumber,
  formatGoString,
  formatGoSyntax,
  goTypeOf,
  quoteGo,
  toGoJson,
} from './go-format.ts';

const value = { b: [1, 'x', null], a: { c: true, d: 1.5 } };

describe('Go formatting verbs', () => {
  test('%v', () => {
    assert.equal(formatGo(value), 'map[a:map[c:true d:1.5] b:[1 x <nil>]]');
    assert.equal(formatGo({ left: undefined }), 'map[]');
    assert.equal(
      formatGo([1e21, 1e-7, 0.0001, 0.00001, 123456789]),
      '[1e+21 1e-07 0.0001 1e-05 123456789]',
    );
  });

  test('%#v', () => {
    assert.equal(
      formatGoSyntax(value),
      'map[string]interface {}{"a":map[string]interface {}{"c":true, "d":1.5}, ' +
        '"b":[]interface {}{1, "x", interface {}(nil)}}',
    );
  });

  test('%s', () => {
    assert.equal(formatGoString('x'), 'x');
    assert.equal(formatGoString(5), '%!s(int64=5)');
    assert.equal(formatGoString(null), '%!s(<nil>)');
    assert.equal(formatGoString(['a', true]), '[a %!s(bool=true)]');
  });

  test('%T', () => {
    assert.deepEqual([1, 1.5, 'x', true, null, [], {}].map(goTypeOf), [
      'int64',
      'float64',
      'string',
      'bool',
      '<nil>',
      '[]interface {}',
      'map[string]interface {}',
    ]);
  });

  test('JSON', () => {
    assert.equal(
      toGoJson({ b: '<&>', a: [1, null, { z: '\u2028' }] }),
      String.raw`{"a":[1,null,{"z":"\u2028"}],"b":"\u003c\u0026\u003e"}`,
    );
  });
});

it('formats decoded numbers as %v', () => {
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

describe('toGoJson', () => {
  it('sorts keys, also those that look like numbers, and escapes HTML', () => {
    const value = { b: '<a>&', '10': 1, '9': [], a: { c: null, d: {} }, gone: undefined };
    assert.equal(
      toGoJson(value),
      String.raw`{"10":1,"9":[],"a":{"c":null,"d":{}},"b":"\u003ca\u003e\u0026"}`,
    );
  });

  it('indents, with a margin before every line but the first', () => {
    assert.equal(
      toGoJson({ a: [1, { b: 2 }] }, { indent: 2, margin: '  ' }),
      '{\n    "a": [\n      1,\n      {\n        "b": 2\n      }\n    ]\n  }',
    );
  });

  it('round-trips every JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2, 4), (value, indent) => {
        assert.deepEqual(
          JSON.parse(toGoJson(value, { indent })),
          JSON.parse(JSON.stringify(value)),
        );
      }),
    );
  });
});

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
