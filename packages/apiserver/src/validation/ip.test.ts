import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  formatCIDR,
  formatIP,
  isDualStack,
  parseCIDR,
  parseIP,
  validateCIDR,
  validateEndpointIP,
  validateIP,
  warningsForCIDR,
  warningsForIP,
} from './ip.ts';

const messages = (errors: readonly { message: string }[]): string[] =>
  errors.map(({ message }) => message.replace(/^Invalid value: "[^"]*": /, ''));

describe('parseIP', () => {
  it('parses what Node parses', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string({ unit: 'grapheme-ascii' })), (text) => {
        const known = isIP(text) !== 0 && !text.includes('%');
        if (known) assert.notEqual(parseIP(text), undefined, text);
        else if (!/^[\d.]+$/.test(text)) assert.equal(parseIP(text), undefined, text);
      }),
    );
  });

  it('formats a canonical text that parses to the same address', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const address = parseIP(text);
        assert.ok(address);
        const canonical = formatIP(address);
        assert.deepEqual(parseIP(canonical), address);
        assert.notEqual(isIP(canonical), 0);
      }),
    );
  });

  it('shortens the longest run of zero groups, and no single one', () => {
    const canonical = (text: string): string => formatIP(parseIP(text) ?? assert.fail(text));
    assert.equal(canonical('2001:DB8:0:0:1:0:0:0'), '2001:db8:0:0:1::');
    assert.equal(canonical('2001:db8:0:1:1:1:1:1'), '2001:db8:0:1:1:1:1:1');
    assert.equal(canonical('0:0:0:0:0:0:0:0'), '::');
    assert.equal(canonical('::ffff:1.2.3.4'), '1.2.3.4');
    assert.equal(canonical('010.1.1.1'), '10.1.1.1');
  });

  it('rejects texts that are not addresses', () => {
    for (const text of [
      '',
      '1.2.3',
      '1.2.3.256',
      '1::2::3',
      ':::',
      '1:2:3:4:5:6:7',
      'fe80::1%eth0',
    ]) {
      assert.equal(parseIP(text), undefined, text);
    }
  });
});

describe('validateIP', () => {
  it('rejects non-canonical spellings, unless they are unchanged', () => {
    assert.deepEqual(messages(validateIP('f', 'nope')), [
      'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ]);
    assert.deepEqual(messages(validateIP('f', '010.0.0.1')), ['must not have leading 0s']);
    assert.deepEqual(messages(validateIP('f', '::ffff:1.2.3.4')), [
      'must not be an IPv4-mapped IPv6 address',
    ]);
    assert.deepEqual(validateIP('f', '010.0.0.1', ['010.0.0.1']), []);
    assert.deepEqual(validateIP('f', '2001:db8:00:0::1'), []);
  });
});

describe('CIDR blocks', () => {
  it('have their host bits cleared in canonical form', () => {
    assert.equal(formatCIDR(parseCIDR('10.1.2.3/9') ?? assert.fail()), '10.0.0.0/9');
    assert.equal(formatCIDR(parseCIDR('2001:db8::1/64') ?? assert.fail()), '2001:db8::/64');
    assert.equal(parseCIDR('10.0.0.0/33'), undefined);
    assert.equal(formatCIDR(parseCIDR('::ffff:1.2.3.4/8') ?? assert.fail()), '::/8');
    assert.equal(formatCIDR(parseCIDR('::ffff:1.2.3.4/104') ?? assert.fail()), '1.0.0.0/8');
    assert.equal(parseCIDR('::ffff:1.2.3.4/129'), undefined);
    assert.equal(parseCIDR('10.0.0.0'), undefined);
  });

  it('must be canonical where required', () => {
    assert.deepEqual(messages(validateCIDR('f', '10.1.0.0/8')), [
      'must not have bits set beyond the prefix length',
    ]);
    assert.deepEqual(messages(validateCIDR('f', '10.0.0.0/08')), [
      'must not have leading 0s in IP or prefix length',
    ]);
    assert.deepEqual(messages(validateCIDR('f', '::ffff:10.0.0.0/104')), [
      'must not have an IPv4-mapped IPv6 address',
    ]);
    assert.deepEqual(validateCIDR('f', '10.0.0.0/8'), []);
  });
});

describe('validateEndpointIP', () => {
  it('rejects unspecified, loopback and link-local addresses', () => {
    const rule = (text: string): string[] => messages(validateEndpointIP('f', text));
    assert.deepEqual(rule('0.0.0.0'), ['may not be unspecified (0.0.0.0)']);
    assert.deepEqual(rule('127.1.1.1'), [
      'may not be in the loopback range (127.0.0.0/8, ::1/128)',
    ]);
    assert.deepEqual(rule('::1'), ['may not be in the loopback range (127.0.0.0/8, ::1/128)']);
    assert.match(rule('fe90::1')[0] ?? '', /link-local range/);
    assert.match(rule('ff02::1')[0] ?? '', /link-local multicast range/);
    assert.match(rule('224.0.0.7')[0] ?? '', /link-local multicast range/);
    assert.deepEqual(rule('224.0.1.7'), []);
    assert.deepEqual(rule('192.0.2.1'), []);
  });
});

describe('warnings', () => {
  it('suggest the canonical spelling', () => {
    assert.deepEqual(warningsForIP('f', '2001:DB8::1'), [
      'f: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")',
    ]);
    assert.deepEqual(warningsForIP('f', '1.2.3.4'), []);
    assert.deepEqual(warningsForIP('f', '01.2.3.4'), [
      'f: non-standard IP address "01.2.3.4" is invalid: use "1.2.3.4"',
    ]);
    assert.deepEqual(warningsForCIDR('f', '10.1.0.0/8'), [
      'f: CIDR value "10.1.0.0/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.1.0.0/32"?)',
    ]);
  });
});

it('isDualStack is true for one address of each family', () => {
  assert.equal(isDualStack([parseIP('10.0.0.1'), parseIP('fd00::1')]), true);
  assert.equal(isDualStack([parseIP('10.0.0.1'), parseIP('10.0.0.2')]), false);
  assert.equal(isDualStack([parseIP('10.0.0.1')]), false);
});
