import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { formatGoJson } from './go-json.ts';
import { formatGoText } from './go-text.ts';

test('keys come in order, also those that look like numbers, and HTML is escaped', () => {
  const value = { b: '<a>&', '10': 1, '9': [], a: { c: null, d: {} }, gone: undefined };
  assert.equal(
    formatGoJson(value),
    String.raw`{"10":1,"9":[],"a":{"c":null,"d":{}},"b":"\u003ca\u003e\u0026"}`,
  );
  assert.equal(
    formatGoJson({ a: [1, { b: 2 }] }, 2, '  '),
    '{\n    "a": [\n      1,\n      {\n        "b": 2\n      }\n    ]\n  }',
  );
});

test('what is written is the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2, 4), (value, indent) => {
      assert.deepEqual(JSON.parse(formatGoJson(value, indent)), JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('as Go shows values to people', () => {
  assert.equal(
    formatGoText({ b: [1, 'x', null], a: { c: true } }),
    'map[a:map[c:true] b:[1 x <nil>]]',
  );
  assert.equal(formatGoText(1_234_567.5), '1.2345675e+06');
});
