import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  formatMicroTime,
  formatTime,
  formatTimestamp,
  parseMicroTime,
  parseTime,
  parseTimestamp,
  TimeError,
} from './time.ts';

const epochMs = Date.UTC(2024, 0, 2, 3, 4, 5);

describe('parseTimestamp', () => {
  it('reads zone and fraction', () => {
    assert.deepEqual(parseTimestamp('1970-01-01T00:00:00Z'), { seconds: 0, nanos: 0 });
    assert.deepEqual(parseTimestamp('2024-02-29T12:00:00.123456789+02:00'), {
      seconds: Date.UTC(2024, 1, 29, 10) / 1000,
      nanos: 123_456_789,
    });
    const early = { seconds: -1, nanos: 500_000_000 };
    assert.deepEqual(parseTimestamp('1969-12-31T23:59:59.5Z'), early);
    const zero = { seconds: -62_135_596_800, nanos: 0 };
    assert.deepEqual(parseTimestamp('0001-01-01T00:00:00Z'), zero);
  });

  const invalid = [
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
    '2024-01-01T00:00:00+0000',
    '2024-01-01T00:00:00Z!',
  ];
  for (const text of invalid) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      assert.equal(parseTimestamp(text), undefined);
      for (const parse of [parseTime, parseMicroTime]) {
        assert.throws(
          () => parse(text),
          (error) => {
            assert.ok(error instanceof TimeError);
            assert.equal(error.code, 'META_TIME_INVALID');
            assert.equal(error.message, `${JSON.stringify(text)} is not an RFC 3339 time`);
            return true;
          },
        );
      }
    });
  }
});

describe('formatTimestamp', () => {
  it('formats whole seconds or microseconds', () => {
    assert.equal(formatTimestamp({ seconds: -1, nanos: 999 }, 'seconds'), '1969-12-31T23:59:59Z');
    const micros = (nanos: number): string | undefined =>
      formatTimestamp({ seconds: 0, nanos }, 'micros');
    assert.equal(micros(1999), '1970-01-01T00:00:00.000001Z');
    assert.equal(micros(-1000), '1969-12-31T23:59:59.999999Z');
    assert.equal(micros(1_500_000_000), '1970-01-01T00:00:01.500000Z');
  });

  it('formats no year without four digits', () => {
    for (const seconds of [1e12, -1e12, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.equal(formatTimestamp({ seconds, nanos: 0 }, 'seconds'), undefined);
      assert.equal(formatTimestamp({ seconds, nanos: 0 }, 'micros'), undefined);
    }
  });

  it('formats every second from the year 0 to 9999 so that it is read back', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -62_167_219_200, max: 253_402_300_799 }),
        fc.integer({ min: 0, max: 999_999 }),
        (seconds, micros) => {
          const timestamp = { seconds, nanos: micros * 1000 };
          const whole = parseTimestamp(formatTimestamp(timestamp, 'seconds') ?? '');
          assert.deepEqual(whole, { seconds, nanos: 0 });
          assert.deepEqual(parseTimestamp(formatTimestamp(timestamp, 'micros') ?? ''), timestamp);
        },
      ),
    );
  });
});

describe('Time', () => {
  it('is milliseconds in whole seconds', () => {
    assert.equal(parseTime('2024-01-02T03:04:05Z'), epochMs);
    assert.equal(parseTime('2024-01-02T03:04:05.999Z'), epochMs);
    assert.equal(parseTime('1969-12-31T23:59:59.5Z'), -1000);
    assert.equal(formatTime(epochMs + 999), '2024-01-02T03:04:05Z');
    assert.equal(formatTime(-1), '1969-12-31T23:59:59Z');
    assert.equal(formatTime(-62_167_219_200_001), '-0001-12-31T23:59:59Z');
  });
});

describe('MicroTime', () => {
  it('is milliseconds with a fraction', () => {
    assert.equal(parseMicroTime('2024-01-02T03:04:05.123456Z'), epochMs + 123.456);
    assert.equal(formatMicroTime(epochMs + 123.456), '2024-01-02T03:04:05.123456Z');
    assert.equal(formatMicroTime(epochMs), '2024-01-02T03:04:05.000000Z');
    assert.equal(formatMicroTime(-0.5), '1969-12-31T23:59:59.999500Z');
    assert.equal(formatMicroTime(epochMs + 999.9997), '2024-01-02T03:04:06.000000Z');
  });
});

describe('formatting and parsing', () => {
  const seconds = fc.integer({ min: -62_167_219_200, max: 253_402_300_799 });
  const micros = fc.nat(999_999);

  it('reads back what it formats', () => {
    fc.assert(
      fc.property(seconds, (second) => {
        const text = formatTime(second * 1000);
        assert.equal(parseTime(text), second * 1000);
        assert.equal(parseTime(text), Date.parse(text));
      }),
    );
  });

  it('reads back micro times of this age exactly', () => {
    const thisAge = fc.integer({ min: -6_000_000_000, max: 6_000_000_000 });
    fc.assert(
      fc.property(thisAge, micros, (second, micro) => {
        const text = `${formatTime(second * 1000).slice(0, -1)}.${`${micro}`.padStart(6, '0')}Z`;
        assert.equal(formatMicroTime(parseMicroTime(text)), text);
      }),
    );
  });

  it('applies offsets', () => {
    fc.assert(
      fc.property(seconds, fc.integer({ min: -1439, max: 1439 }), (second, offset) => {
        fc.pre(second > -62_000_000_000 && second < 253_000_000_000);
        const clock = (minutes: number): string =>
          `${`${Math.floor(minutes / 60)}`.padStart(2, '0')}:${`${minutes % 60}`.padStart(2, '0')}`;
        const local = formatTime((second + offset * 60) * 1000).slice(0, -1);
        const text = `${local}${offset < 0 ? '-' : '+'}${clock(Math.abs(offset))}`;
        assert.equal(parseTime(text), second * 1000);
      }),
    );
  });
});
