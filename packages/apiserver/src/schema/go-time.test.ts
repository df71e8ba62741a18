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

test('every time that JavaScript writes is read as the same instant', () => {
  const years = { min: new Date('0100-01-01'), max: new Date('9999-12-31'), noInvalidDate: true };
  fc.assert(
    fc.property(fc.date(years), (date) => {
      const text = date.toISOString();
      assert.equal(canonicalTime(text), `${text.slice(0, 19)}Z`);
    }),
  );
});

test('the words of the real server for texts that are no times', () => {
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
