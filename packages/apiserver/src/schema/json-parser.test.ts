import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { JsonNumber, JsonSyntaxError, parseJsonExactly, RepeatedObject } from './json-parser.ts';
import { countKeys, parseJson, plainJson, surveyJson } from './parse-json.ts';

test('both parsers parse any JSON like JSON.parse', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const parsed: unknown = JSON.parse(text);
      assert.deepEqual(plainJson(parseJson(text)), parsed);
      assert.deepEqual(plainJson(parseJsonExactly(text)), parsed);
    }),
  );
});

test('the survey counts every key and recognises plain integers', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      assert.equal(surveyJson(text).keys, countKeys(value));
    }),
  );
  const plain = (text: string): boolean => surveyJson(text).plainNumbers;
  assert.ok(plain('{"a.b":"1e5","c":[true,false,-12],"d":123456789012345}'));
  for (const number of ['2.0', '1e1', '1E1', '1234567890123456', '-0.5']) {
    assert.ok(!plain(`{"a":${number}}`), number);
  }
  assert.equal(surveyJson('[[{"a":"[["}],[]]').depth, 3);
});

test('numbers that are not plain integers keep their text', () => {
  for (const text of ['2.0', '1e1', '-0.5', '12345678901234567890']) {
    assert.deepEqual(parseJson(`[${text},7]`), [new JsonNumber(text), 7]);
  }
  assert.deepEqual(plainJson(parseJson('[2.0,1e1]')), [2, 10]);
});

test('an object with a duplicate key keeps all entries, in order', () => {
  assert.deepEqual(
    parseJson('{"a":{"x":1,"y":2,"x":3},"__proto__":1}'),
    JSON.parse('{"a":0,"__proto__":1}', (key, value: unknown) =>
      key === 'a'
        ? new RepeatedObject([
            ['x', 1],
            ['y', 2],
            ['x', 3],
          ])
        : value,
    ),
  );
  assert.deepEqual(plainJson(parseJson('{"x":1,"x":[2,{"y":1,"y":1.5}]}')), { x: [2, { y: 1.5 }] });
});

test('a lone surrogate becomes the replacement character', () => {
  assert.equal(parseJson(String.raw`"\ud800x\ude00"`), '\ufffdx\ufffd');
  assert.equal(parseJson(String.raw`"\ud83d\ude00"`), '😀');
});

test('invalid JSON is rejected with the message of a real server', () => {
  const cases: [text: string, message: string][] = [
    ['', 'unexpected end of JSON input'],
    ['{"a"', 'unexpected end of JSON input'],
    ['{"a":"b', 'unexpected end of JSON input'],
    ['hello', "invalid character 'h' looking for beginning of value"],
    ['\ufeff{}', "invalid character 'ï' looking for beginning of value"],
    ['{} x', "invalid character 'x' after top-level value"],
    ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"}', "invalid character '\"' after object key:value pair"],
    ['[1 2]', "invalid character '2' after array element"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ["['a']", String.raw`invalid character '\'' looking for beginning of value`],
    ['"a\nb"', String.raw`invalid character '\n' in string literal`],
    [String.raw`"\x"`, "invalid character 'x' in string escape code"],
    [String.raw`"\u12g4"`, String.raw`invalid character 'g' in \u hexadecimal character escape`],
    ['01', "invalid character '1' after top-level value"],
    ['-a', "invalid character 'a' in numeric literal"],
    ['1.a', "invalid character 'a' after decimal point in numeric literal"],
    ['1ea', "invalid character 'a' in exponent of numeric literal"],
    ['1.', "invalid character ' ' after decimal point in numeric literal"],
    ['trve', "invalid character 'v' in literal true (expecting 'u')"],
    ['nul', "invalid character ' ' in literal null (expecting 'l')"],
    ['['.repeat(20_000), "invalid character '[' exceeded max depth"],
  ];
  for (const [text, message] of cases) {
    assert.throws(() => parseJson(text), new JsonSyntaxError(message), text.slice(0, 20));
  }
});

test('texts can be nested up to 500 levels', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  assert.ok(Array.isArray(parseJson(nested(500))));
  assert.throws(() => parseJson(nested(501)), /exceeded max depth/);
});
