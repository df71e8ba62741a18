import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatMicroTime, formatTime, parseTimestamp } from './times.ts';

test('times are read with their zone and fraction', () => {
  assert.deepEqual(parseTimestamp('1970-01-01T00:00:00Z'), { seconds: 0, nanos: 0 });
  assert.deepEqual(parseTimestamp('2024-02-29T12:00:00.123456789+02:00'), {
    seconds: Date.UTC(2024, 1, 29, 10) / 1000,
    nanos: 123_456_789,
  });
  assert.deepEqual(parseTimestamp('1969-12-31T23:59:59.5Z'), { seconds: -1, nanos: 500_000_000 });
  assert.deepEqual(parseTimestamp('0001-01-01T00:00:00Z'), { seconds: -62_135_596_800, nanos: 0 });
});

test('what is not a time of RFC 3339, or no day of the calendar, is refused', () => {
  const wrong = [
    '',
    '2024-01-01',
    '2024-01-01T00:00:00',
    '2024-01-01 00:00:00Z',
    '2023-02-29T00:00:00Z',
    '2024-04-31T00:00:00Z',
    '2024-13-01T00:00:00Z',
    '2024-01-01T24:00:00Z',
    '2024-01-01T00:60:00Z',
    '24-01-01T00:00:00Z',
    '2024-01-01T00:00:00.Z',
  ];
  for (const text of wrong) assert.equal(parseTimestamp(text), undefined, text);
});

test('a time is written as the server writes it, to the second or to the microsecond', () => {
  assert.equal(formatTime(-1), '1969-12-31T23:59:59Z');
  assert.equal(formatMicroTime(0, 1999), '1970-01-01T00:00:00.000001Z');
  assert.equal(formatMicroTime(0, -1000), '1969-12-31T23:59:59.999999Z');
  assert.equal(formatMicroTime(0, 1_500_000_000), '1970-01-01T00:00:01.500000Z');
});

test('years without four digits are not written', () => {
  for (const seconds of [1e12, -1e12, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.equal(formatTime(seconds), undefined);
    assert.equal(formatMicroTime(seconds, 0), undefined);
  }
});

test('every second from the year 0 to 9999 survives', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -62_167_219_200, max: 253_402_300_799 }),
      fc.integer({ min: 0, max: 999_999 }),
      (seconds, micros) => {
        assert.deepEqual(parseTimestamp(formatTime(seconds) ?? ''), { seconds, nanos: 0 });
        assert.deepEqual(parseTimestamp(formatMicroTime(seconds, micros * 1000) ?? ''), {
          seconds,
          nanos: micros * 1000,
        });
      },
    ),
  );
});
