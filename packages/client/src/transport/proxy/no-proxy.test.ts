import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import fc from 'fast-check';

import { isDirect } from './no-proxy.ts';

const direct = (host: string, list: string, port = 443): boolean => isDirect({ host, port }, list);

describe('isDirect', () => {
  it('knows names, and everything below them', () => {
    assert.ok(direct('example.com', 'example.com'));
    assert.ok(direct('API.Example.COM', 'example.com'));
    assert.ok(direct('a.b.example.com', 'other.org, example.com'));
    assert.equal(direct('notexample.com', 'example.com'), false);
    assert.equal(direct('example.com.evil.org', 'example.com'), false);
  });

  it('knows what is only below a name', () => {
    for (const entry of ['.example.com', '*.example.com']) {
      assert.ok(direct('a.example.com', entry));
      assert.equal(direct('example.com', entry), false);
    }
  });

  it('knows addresses and ranges', () => {
    assert.ok(direct('10.1.2.3', '10.1.2.3'));
    assert.ok(direct('10.1.2.3', '10.0.0.0/8'));
    assert.ok(direct('10.1.2.3', '192.168.0.0/16,10.1.2.0/24'));
    assert.equal(direct('11.1.2.3', '10.0.0.0/8'), false);
    assert.ok(direct('fd00::1', 'fd00::/8'));
    assert.ok(direct('fd00:0:0::1', '[fd00::1]'));
    assert.ok(direct('fd00::1', 'fd00::1'));
    assert.equal(direct('fe80::1', 'fd00::/8'), false);
    assert.equal(direct('10.1.2.3', 'fd00::/8'), false);
  });

  it('does not take names for addresses, nor nonsense for a range', () => {
    assert.equal(direct('a.example.com', '10.0.0.0/8'), false);
    for (const entry of ['10.0.0.0/33', '10.0.0.0/x', 'example.com/8', '/', '10.0.0.0/-1']) {
      assert.equal(direct('10.0.0.1', entry), false);
    }
  });

  it('minds the port, if there is one', () => {
    assert.ok(direct('example.com', 'example.com:6443', 6443));
    assert.equal(direct('example.com', 'example.com:6443', 443), false);
    assert.ok(direct('10.1.2.3', '10.1.2.3:6443', 6443));
    assert.equal(direct('10.1.2.3', '10.1.2.3:6443', 443), false);
    assert.ok(direct('fd00::1', '[fd00::1]:6443', 6443));
    assert.equal(direct('fd00::1', '[fd00::1]:6443', 443), false);
  });

  it('lets everything be direct for a star, and nothing for an empty list', () => {
    assert.ok(direct('example.com', 'x, *'));
    assert.equal(direct('example.com', ''), false);
    assert.equal(direct('example.com', ' , '), false);
  });

  it('never sends loopback through a proxy', () => {
    for (const host of ['localhost', '127.0.0.1', '127.9.9.9', '::1']) assert.ok(direct(host, ''));
    assert.equal(direct('128.0.0.1', ''), false);
  });

  it('agrees with arithmetic on IPv4 ranges', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    const address = fc.tuple(fc.integer({ min: 1, max: 126 }), octet, octet, octet);
    const number = (parts: readonly number[]): number =>
      parts.reduce((sum, part) => sum * 256 + part, 0);
    fc.assert(
      fc.property(address, address, fc.integer({ min: 0, max: 32 }), (left, right, length) => {
        const size = 2 ** (32 - length);
        const expected = Math.floor(number(left) / size) === Math.floor(number(right) / size);
        assert.equal(direct(left.join('.'), `${right.join('.')}/${length}`), expected);
      }),
    );
  });
});
