import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { indexedTextOf, isTextAt, textOf } from './text-cache.ts';

test('any bytes become the text that they are, however often', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 50 }),
    fc.string({ unit: 'binary', maxLength: 50 }).map((text) => Buffer.from(text)),
    fc.constantFrom('', 'a', 'Running', 'ü', '\u0000').map((text) => Buffer.from(text)),
  );
  fc.assert(
    fc.property(fc.array(bytes, { minLength: 1, maxLength: 50 }), (parts) => {
      const all = Buffer.concat(parts);
      for (const turn of ['first', 'again']) {
        let start = 0;
        for (const part of parts) {
          const end = start + part.length;
          const text = Buffer.from(part).toString('utf8');
          assert.equal(textOf(all, start, end), text, turn);
          assert.equal(indexedTextOf(all, start, end), text, turn);
          start = end;
        }
      }
    }),
    { numRuns: 500 },
  );
});

test('finds a text at its place only', () => {
  const bytes = Buffer.from('name: nodeName');
  assert.ok(isTextAt(bytes, 6, 'nodeName'));
  assert.ok(isTextAt(bytes, 6, 'node'));
  assert.ok(!isTextAt(bytes, 0, 'nodeName'));
  assert.ok(!isTextAt(bytes, 10, 'Named'));
});
