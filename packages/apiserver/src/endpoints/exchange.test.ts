import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { warningHeaders } from './exchange.ts';

describe('Warning headers', () => {
  it('are quoted and unique', () => {
    assert.deepEqual(warningHeaders(['unknown field "a\\b"', 'x', '', 'x']), [
      '299 - "unknown field \\"a\\\\b\\""',
      '299 - "x"',
    ]);
  });

  it('omit texts with control characters, which a header cannot hold', () => {
    assert.deepEqual(warningHeaders(['a\nset-cookie: x', '\u007f', '\u0085', 'ünïcode']), [
      '299 - "ünïcode"',
    ]);
  });

  it('are cut when too long in total, up to the limit of a real server', () => {
    const texts = Array.from({ length: 1000 }, (_, index) => `${index} ${'x'.repeat(400)}`);
    const headers = warningHeaders(texts);
    assert.equal(headers.length, 16);
    for (const header of headers) assert.equal(header.length, '299 - ""'.length + 256);
    assert.deepEqual(warningHeaders(texts.slice(0, 10)).length, 10);
    assert.ok(warningHeaders(texts.slice(0, 10)).every((header) => header.length > 400));
  });
});
