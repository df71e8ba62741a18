import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { canonicalMicroTime, canonicalTime, TimeFormatError } from './go-time.ts';

test('times are written in UTC and whole seconds', () => {
  assert.equal(canonicalTime('2024-01-02T03:04:05Z'), '2024-01-02T03:04:05Z');
  assert.equal(canonicalTime('2024-01-02T05:04:05+02:00'), '2024-01-02T03:04:05Z');
  assert.equal(canonicalTime('2024-01-01T23:34:05.999-03:30'), '2024-01-02T03:04:05Z');
  assert.equal(canonicalTime('2024-02-29T3:04:05,5Z'), '2024-02-29T03:04:05Z');
  assert.equal(canonicalTime('0099-12-31T00:00:00Z'), '0099-12-31T00:00:00Z');
});

test('micro times have six digits', () => {
  const micro = '2024-01-02T03:04:05.123456Z';
  assert.equal(canonicalMicroTime(micro), micro);
  assert.equal(
    canonicalMicroTime('2024-01-02T04:04:05.000001+01:00'),
    '2024-01-02T03:04:05.000001Z',
  );
});

test('the zero time of Go is no time', () => {
  assert.equal(canonicalTime('0001-01-01T00:00:00Z'), undefined);
  assert.equal(canonicalTime('0001-01-01T01:00:00+01:00'), undefined);
  assert.equal(canonicalMicroTime('0001-01-01T00:00:00.000000Z'), undefined);
  assert.equal(canonicalTime('0001-01-01T00:00:01Z'), '0001-01-01T00:00:01Z');
});

test('every time that JavaScript formats is parsed as the same instant', () => {
  const years = { min: new Date('0100-01-01'), max: new Date('9999-12-31'), noInvalidDate: true };
  fc.assert(
    fc.property(fc.date(years), (date) => {
      const text = date.toISOString();
      assert.equal(canonicalTime(text), `${text.slice(0, 19)}Z`);
    }),
  );
});

test('invalid times are rejected with the message of a real server', () => {
  const layout = '"2006-01-02T15:04:05Z07:00"';
  const cases: [text: string, rest: string][] = [
    ['', ` as ${layout}: cannot parse "" as "2006"`],
    ['bogus', ` as ${layout}: cannot parse "bogus" as "2006"`],
    ['2024', ` as ${layout}: cannot parse "" as "-"`],
    ['2024-1-02T03:04:05Z', ` as ${layout}: cannot parse "1-02T03:04:05Z" as "01"`],
    ['2024-01-02', ` as ${layout}: cannot parse "" as "T"`],
    ['2024-01-02T03:04:05', ` as ${layout}: cannot parse "" as "Z07:00"`],
    ['2024-01-02T03:04:05é', String.raw` as ${layout}: cannot parse "\xc3\xa9" as "Z07:00"`],
    ['2024-13-02T03:04:05Z', ': month out of range'],
    ['2023-02-29T03:04:05Z', ': day out of range'],
    ['2024-01-02T24:04:05Z', ': hour out of range'],
    ['2024-01-02T03:60:05Z', ': minute out of range'],
    ['2024-01-02T03:04:60Z', ': second out of range'],
    ['2024-01-02T03:04:05+25:00', ': time zone offset hour out of range'],
    ['2024-01-02T03:04:05Z"', String.raw`: extra text: "\""`],
  ];
  for (const [text, rest] of cases) {
    const quoted = JSON.stringify(text).replace('é', String.raw`\xc3\xa9`);
    assert.throws(
      () => canonicalTime(text),
      new TimeFormatError(`parsing time ${quoted}${rest}`),
      text,
    );
  }
  assert.throws(() => canonicalMicroTime('2024-01-02T03:04:05Z'), {
    message:
      'parsing time "2024-01-02T03:04:05Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
  });
});

test('what Go accepts is accepted', () => {
  const readings: readonly (readonly [string, string | undefined])[] = [
    ['2024-01-02T03:04:05Z', '2024-01-02T03:04:05Z'],
    ['2024-01-02T05:04:05+02:00', '2024-01-02T03:04:05Z'],
    ['2024-01-01T19:34:05-07:30', '2024-01-02T03:04:05Z'],
    ['2024-01-02T03:04:05.987Z', '2024-01-02T03:04:05Z'],
    ['2024-01-02T03:04:05,9Z', '2024-01-02T03:04:05Z'],
    ['2024-01-02T03:04:05.1234567890123Z', '2024-01-02T03:04:05Z'],
    ['2024-01-02T3:04:05Z', '2024-01-02T03:04:05Z'],
    ['2024-01-02T03:04:05+24:60', '2024-01-01T02:04:05Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
    ['0000-02-29T00:00:00Z', '0000-02-29T00:00:00Z'],
    ['0099-03-01T00:00:00Z', '0099-03-01T00:00:00Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59Z'],
    ['0001-01-01T00:00:00Z', undefined],
    ['0001-01-01T01:00:00+01:00', undefined],
  ];
  for (const [text, written] of readings) assert.equal(canonicalTime(text), written, text);
});

test('what Go accepts as a micro time is accepted', () => {
  const readings: readonly (readonly [string, string | undefined])[] = [
    ['2024-01-02T03:04:05.123456Z', '2024-01-02T03:04:05.123456Z'],
    ['2024-01-02T03:04:05.000000Z', '2024-01-02T03:04:05.000000Z'],
    ['2024-01-02T05:04:05.000001+02:00', '2024-01-02T03:04:05.000001Z'],
    ['2024-01-02T03:04:05,123456Z', '2024-01-02T03:04:05.123456Z'],
    ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
    ['0001-01-01T00:00:00.000000Z', undefined],
    ['0001-01-01T00:00:00.000001Z', '0001-01-01T00:00:00.000001Z'],
  ];
  for (const [text, written] of readings) assert.equal(canonicalMicroTime(text), written, text);
});

test('times that Go rejects are rejected with its message', () => {
  const layout = '"2006-01-02T15:04:05Z07:00"';
  const microLayout = '"2006-01-02T15:04:05.000000Z07:00"';
  const refusals: readonly (readonly [(text: string) => unknown, string, string])[] = [
    [canonicalTime, '2024-01-02', `parsing time "2024-01-02" as ${layout}: cannot parse "" as "T"`],
    [canonicalTime, '', `parsing time "" as ${layout}: cannot parse "" as "2006"`],
    [
      canonicalMicroTime,
      '2024-01-02T03:04:05Z',
      `parsing time "2024-01-02T03:04:05Z" as ${microLayout}: cannot parse "Z" as ".000000"`,
    ],
    [
      canonicalMicroTime,
      '2024-01-02T03:04:05.1234567Z',
      `parsing time "2024-01-02T03:04:05.1234567Z" as ${microLayout}: cannot parse "7Z" as "Z07:00"`,
    ],
    [
      canonicalTime,
      '2023-02-29T00:00:00Z',
      'parsing time "2023-02-29T00:00:00Z": day out of range',
    ],
    [
      canonicalTime,
      '2024-13-02T03:04:05Z',
      'parsing time "2024-13-02T03:04:05Z": month out of range',
    ],
    [
      canonicalTime,
      '2024-01-00T03:04:05Z',
      'parsing time "2024-01-00T03:04:05Z": day out of range',
    ],
    [
      canonicalTime,
      '2024-01-02T24:04:05Z',
      'parsing time "2024-01-02T24:04:05Z": hour out of range',
    ],
    [
      canonicalTime,
      '2024-01-02T23:60:05Z',
      'parsing time "2024-01-02T23:60:05Z": minute out of range',
    ],
    [
      canonicalTime,
      '2024-01-02T23:00:60Z',
      'parsing time "2024-01-02T23:00:60Z": second out of range',
    ],
    [
      canonicalTime,
      '2024-01-02T03:04:05+25:00',
      'parsing time "2024-01-02T03:04:05+25:00": time zone offset hour out of range',
    ],
    [
      canonicalTime,
      '2024-01-02T03:04:05*00:61',
      'parsing time "2024-01-02T03:04:05*00:61": time zone offset minute out of range',
    ],
    [
      canonicalTime,
      '2024-01-02T03:04:05+0000',
      `parsing time "2024-01-02T03:04:05+0000" as ${layout}: cannot parse "+0000" as "Z07:00"`,
    ],
    [
      canonicalTime,
      '2024-01-02T03:04:05+00:a0',
      `parsing time "2024-01-02T03:04:05+00:a0" as ${layout}: cannot parse "+00:a0" as "Z07:00"`,
    ],
    [
      canonicalTime,
      '2024-01-02T03:04:05Z!',
      'parsing time "2024-01-02T03:04:05Z!": extra text: "!"',
    ],
    [
      canonicalTime,
      '2024-1-02T03:04:05Z',
      `parsing time "2024-1-02T03:04:05Z" as ${layout}: cannot parse "1-02T03:04:05Z" as "01"`,
    ],
    [
      canonicalTime,
      'é"\\\t',
      String.raw`parsing time "\xc3\xa9\"\\\x09" as ${layout}: cannot parse "\xc3\xa9\"\\\x09" as "2006"`,
    ],
  ];
  for (const [read, text, message] of refusals) {
    assert.throws(() => read(text), { name: 'TimeFormatError', message }, text);
  }
});
