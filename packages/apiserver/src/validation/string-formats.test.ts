import assert from 'node:assert/strict';
import { test } from 'node:test';

import { matchesFormat, supportedFormat } from './string-formats.ts';
import { hostileTexts } from './test-hostile-texts.ts';

const formats: Readonly<Record<string, readonly [valid: string[], invalid: string[]]>> = {
  bsonobjectid: [['507f1f77bcf86cd799439011'], ['507f1f77bcf86cd79943901']],
  byte: [
    ['YQ==', 'YWJj'],
    ['', 'YQ='],
  ],
  cidr: [
    ['1.2.3.4/24', '::/0'],
    ['1.2.3.4', '1.2.3.4/33'],
  ],
  creditcard: [['4111-1111-1111-1111'], ['4111111111111112']],
  date: [['2024-02-29'], ['2023-02-29', '2024-1-2']],
  'date-time': [
    ['2024-01-02T03:04:05Z', '2024-01-02t03:04:05.5+01:00'],
    ['2024-01-02T24:04:05Z', '2024-01-02T03:04:05', 'yesterday'],
  ],
  duration: [
    ['1h30m', '2 days', '5 min', '0', '-1.5s', '1 µs'],
    ['', '1', '5 fortnights', '1 msec'],
  ],
  email: [
    ['a@b', 'John Q. Public <a@b.c>', '"x y"@b', 'a@b (comment)', 'é@b', 'a@[1.2.3.4]'],
    ['a', '@b', 'a b@c', 'a..b@c', 'a@[x]'],
  ],
  hexcolor: [['#fff', 'FFFFFF'], ['#ffff']],
  hostname: [
    ['a', 'a-b.com', 'é.com'],
    ['-a', 'a..b', 'a_b'],
  ],
  ipv4: [
    ['1.2.3.4', '01.2.3.4'],
    ['::1', '256.1.1.1'],
  ],
  ipv6: [
    ['::1', '::ffff:1.2.3.4'],
    ['1.2.3.4', '12345::'],
  ],
  isbn: [['0321751043', '978-0321751041', '080442957X'], ['123']],
  isbn10: [['0321751043'], ['978-0321751041']],
  isbn13: [['978-0321751041'], ['9780321751040']],
  'k8s-long-name': [['a.b'], ['a..b', 'A.b']],
  'k8s-short-name': [['a-b'], ['a.b', '-a']],
  mac: [
    ['01:23:45:67:89:ab', '0123.4567.89ab'],
    ['01:23:45:67:89', '01:23-45:67:89:ab'],
  ],
  password: [['', 'x'], []],
  rgbcolor: [['rgb( 255 , 0 , 1 )'], ['rgb(256,0,0)']],
  ssn: [['123-45-6789'], ['123456789']],
  uri: [
    ['http://a/b c', '/a', 'mailto:x', 'http://[::1]:80/', '*', 'urn:a:b'],
    ['a', '', 'http://a b', 'http://a:b/', '/%zz', 'http://[:1]/', 'http://a#f'],
  ],
  uuid: [['12345678-1234-1234-1234-123456789ABC'], ['12345678-1234-1234-1234-123456789abg']],
  uuid3: [['12345678-1234-3234-1234-123456789abc'], ['12345678-1234-4234-1234-123456789abc']],
  uuid4: [['12345678-1234-4234-8234-123456789abc'], ['12345678-1234-4234-1234-123456789abc']],
  uuid5: [['12345678-1234-5234-8234-123456789abc'], ['12345678-1234-4234-8234-123456789abc']],
};

test('formats accept and reject the same values as a real server', () => {
  for (const [format, [valid, invalid]] of Object.entries(formats)) {
    for (const text of valid) assert.ok(matchesFormat(text, format), `${format}: ${text}`);
    for (const text of invalid) assert.ok(!matchesFormat(text, format), `${format}: not ${text}`);
  }
});

test('a format applies only to its types', () => {
  assert.equal(supportedFormat({ type: 'string', format: 'date-time' }), 'date-time');
  assert.equal(supportedFormat({ type: 'integer', format: 'int32' }), 'int32');
  assert.equal(supportedFormat({ type: 'number', format: 'double' }), 'double');
  assert.equal(supportedFormat({ format: 'email' }), 'email');
  for (const schema of [
    { type: 'string', format: 'int32' },
    { type: 'string', format: 'made-up' },
    { type: 'integer', format: 'email' },
    { type: 'boolean', format: 'email' },
    { type: 'string', format: '' },
  ] as const) {
    assert.equal(supportedFormat(schema), undefined, JSON.stringify(schema));
  }
});

test('long texts take linear time', () => {
  for (const format of Object.keys(formats)) {
    for (const text of hostileTexts(50_000)) {
      assert.equal(typeof matchesFormat(text, format), 'boolean');
    }
  }
});

test('email addresses are parsed as in Go', () => {
  const valid = [
    'group: a@b;',
    'a b (c) "d" <a@b> (e (f))',
    '=?utf-8?q?a?= <a@b>',
    '" " <a@b>',
    'a@[::1]',
    '.a. <a@b>',
  ];
  const invalid = [
    '',
    'group:;',
    'group: a@b, c@d;',
    'a@b, c@d',
    '=?koi8-r?q?a?= <a@b>',
    '""@b',
    'a@[1.2.3.04]',
    'a@[fe80::1%eth0]',
    'a@b (c',
    'a@b\n',
    '<a@b',
    '"a',
    '.a@b',
  ];
  for (const text of valid) assert.ok(matchesFormat(text, 'email'), text);
  for (const text of invalid) assert.ok(!matchesFormat(text, 'email'), text);
});

test('a duration is limited to 64 bits of nanoseconds', () => {
  for (const text of ['292y 1h', '9999999999h', '9223372036854775807 days']) {
    assert.ok(matchesFormat(text, 'duration'), text);
  }
  for (const text of ['9223372036854775808s', '9223372036854775808 days', '9999999999999999μs']) {
    assert.ok(!matchesFormat(text, 'duration'), text);
  }
});
