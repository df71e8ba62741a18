import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatGo, formatGoString, formatGoSyntax, goTypeOf, toGoJson } from './go-format.ts';

const value = { b: [1, 'x', null], a: { c: true, d: 1.5 } };

describe('values as Go writes them', () => {
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
