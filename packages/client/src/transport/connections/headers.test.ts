import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import fc from 'fast-check';

import { readHeaders, writeHeaders } from './headers.ts';

describe('readHeaders', () => {
  it('keeps what came several times apart, in small letters, without those of HTTP/2', () => {
    const raw = [':status', '200', 'A', '1', 'b', '2', 'a', '3, 4', 'a', '5'];
    assert.deepEqual(readHeaders(raw), { a: ['1', '3, 4', '5'], b: '2' });
  });

  it('keeps headers whose names every object inherits', () => {
    const names = Object.getOwnPropertyNames(Object.prototype).map((name) => name.toLowerCase());
    const headers = readHeaders(names.flatMap((name) => [name, '1', name, '2']));
    assert.deepEqual(Object.keys(headers).toSorted(), names.toSorted());
    assert.deepEqual(
      Object.values(headers),
      names.map(() => ['1', '2']),
    );
    assert.equal(Object.getPrototypeOf(headers), Object.prototype);
    assert.deepEqual(Object.keys(writeHeaders(headers)).toSorted(), names.toSorted());
  });
});

describe('writeHeaders', () => {
  it('leaves out what is undefined, and what is the connection’s to decide', () => {
    const headers = {
      accept: '*/*',
      none: undefined,
      connection: 'close',
      host: 'x',
      upgrade: 'y',
    };
    assert.deepEqual(writeHeaders(headers), { accept: '*/*' });
  });

  it('refuses invalid names, and quotes them', () => {
    assert.throws(() => writeHeaders({ 'a b': '1' }), {
      code: 'TRANSPORT_REQUEST_INVALID',
      message: 'header "a b": its name has characters not allowed',
    });
  });

  it('writes every text so that it can be read back, or refuses it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const isAllowed = !/[\0-\x08\x0a-\x1f\x7f]/.test(text);
        if (!isAllowed) {
          assert.throws(() => writeHeaders({ a: text }), { code: 'TRANSPORT_REQUEST_INVALID' });
          return;
        }
        const { a = '' } = writeHeaders({ a: text });
        assert.match(String(a), /^[\t -~\x80-\xff]*$/);
        assert.deepEqual(readHeaders(['a', String(a)]), { a: Buffer.from(text).toString() });
      }),
    );
  });
});
