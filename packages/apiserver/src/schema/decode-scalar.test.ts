import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { canonicalBase64 } from './decode-scalar.ts';

test('base64 round-trips, with line breaks anywhere', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.nat(), (bytes, place) => {
      const text = Buffer.from(bytes).toString('base64');
      const at = place % (text.length + 1);
      assert.deepEqual(canonicalBase64(text), { text });
      assert.deepEqual(canonicalBase64(`${text.slice(0, at)}\r\n${text.slice(at)}`), { text });
    }),
  );
});

test('unused bits are cleared', () => {
  assert.deepEqual(canonicalBase64('YR=='), { text: 'YQ==' });
});

test('the error names the first invalid character', () => {
  const cases: [input: string, illegalAt: number][] = [
    ['!', 0],
    ['YQ=', 3],
    ['YQ', 0],
    ['YWJjZ', 4],
    ['YQ=x', 2],
    ['YQ==x', 4],
    ['=', 0],
    ['Y===', 1],
    ['YWJj====', 4],
    ['YW_j', 2],
  ];
  for (const [input, illegalAt] of cases) {
    assert.equal(canonicalBase64(input).illegalAt, illegalAt, input);
  }
});
