import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  formatMicroTime,
  formatTime,
  normalizeMicroTime,
  normalizeTime,
  parseMicroTime,
  parseTime,
  TimeError,
} from './time.ts';

const epochMs = Date.UTC(2024, 0, 2, 3, 4, 5);

describe('Time', () => {
  const readings: readonly (readonly [string, string | null])[] = [
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
    ['0001-01-01T00:00:00Z', null],
    ['0001-01-01T01:00:00+01:00', null],
  ];
  for (const [text, written] of readings) {
    it(`${text} is written ${written}`, () => assert.equal(normalizeTime(text), written));
  }

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
  const readings: readonly (readonly [string, string | null])[] = [
    ['2024-01-02T03:04:05.123456Z', '2024-01-02T03:04:05.123456Z'],
    ['2024-01-02T03:04:05.000000Z', '2024-01-02T03:04:05.000000Z'],
    ['2024-01-02T05:04:05.000001+02:00', '2024-01-02T03:04:05.000001Z'],
    ['2024-01-02T03:04:05,123456Z', '2024-01-02T03:04:05.123456Z'],
    ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
    ['0001-01-01T00:00:00.000000Z', null],
    ['0001-01-01T00:00:00.000001Z', '0001-01-01T00:00:00.000001Z'],
  ];
  for (const [text, written] of readings) {
    it(`${text} is written ${written}`, () => assert.equal(normalizeMicroTime(text), written));
  }

  it('is milliseconds with a fraction', () => {
    assert.equal(parseMicroTime('2024-01-02T03:04:05.123456Z'), epochMs + 123.456);
    assert.equal(formatMicroTime(epochMs + 123.456), '2024-01-02T03:04:05.123456Z');
    assert.equal(formatMicroTime(epochMs), '2024-01-02T03:04:05.000000Z');
    assert.equal(formatMicroTime(-0.5), '1969-12-31T23:59:59.999500Z');
    assert.equal(formatMicroTime(epochMs + 999.9997), '2024-01-02T03:04:06.000000Z');
  });
});

describe('refusals', () => {
  const layout = '"2006-01-02T15:04:05Z07:00"';
  const microLayout = '"2006-01-02T15:04:05.000000Z07:00"';
  const refusals: readonly (readonly [(text: string) => unknown, string, string])[] = [
    [parseTime, '2024-01-02', `parsing time "2024-01-02" as ${layout}: cannot parse "" as "T"`],
    [parseTime, '', `parsing time "" as ${layout}: cannot parse "" as "2006"`],
    [
      parseMicroTime,
      '2024-01-02T03:04:05Z',
      `parsing time "2024-01-02T03:04:05Z" as ${microLayout}: cannot parse "Z" as ".000000"`,
    ],
    [
      parseMicroTime,
      '2024-01-02T03:04:05.1234567Z',
      `parsing time "2024-01-02T03:04:05.1234567Z" as ${microLayout}: cannot parse "7Z" as "Z07:00"`,
    ],
    [parseTime, '2023-02-29T00:00:00Z', 'parsing time "2023-02-29T00:00:00Z": day out of range'],
    [parseTime, '2024-13-02T03:04:05Z', 'parsing time "2024-13-02T03:04:05Z": month out of range'],
    [parseTime, '2024-01-00T03:04:05Z', 'parsing time "2024-01-00T03:04:05Z": day out of range'],
    [parseTime, '2024-01-02T24:04:05Z', 'parsing time "2024-01-02T24:04:05Z": hour out of range'],
    [parseTime, '2024-01-02T23:60:05Z', 'parsing time "2024-01-02T23:60:05Z": minute out of range'],
    [parseTime, '2024-01-02T23:00:60Z', 'parsing time "2024-01-02T23:00:60Z": second out of range'],
    [
      parseTime,
      '2024-01-02T03:04:05+25:00',
      'parsing time "2024-01-02T03:04:05+25:00": time zone offset hour out of range',
    ],
    [
      parseTime,
      '2024-01-02T03:04:05*00:61',
      'parsing time "2024-01-02T03:04:05*00:61": time zone offset minute out of range',
    ],
    [
      parseTime,
      '2024-01-02T03:04:05+0000',
      `parsing time "2024-01-02T03:04:05+0000" as ${layout}: cannot parse "+0000" as "Z07:00"`,
    ],
    [
      parseTime,
      '2024-01-02T03:04:05+00:a0',
      `parsing time "2024-01-02T03:04:05+00:a0" as ${layout}: cannot parse "+00:a0" as "Z07:00"`,
    ],
    [parseTime, '2024-01-02T03:04:05Z!', 'parsing time "2024-01-02T03:04:05Z!": extra text: "!"'],
    [
      parseTime,
      '2024-1-02T03:04:05Z',
      `parsing time "2024-1-02T03:04:05Z" as ${layout}: cannot parse "1-02T03:04:05Z" as "01"`,
    ],
    [
      parseTime,
      'é"\\\t',
      String.raw`parsing time "\xc3\xa9\"\\\x09" as ${layout}: cannot parse "\xc3\xa9\"\\\x09" as "2006"`,
    ],
  ];
  for (const [read, text, message] of refusals) {
    it(`${read.name} refuses ${JSON.stringify(text)}`, () => {
      assert.throws(
        () => read(text),
        (error) => {
          assert.ok(error instanceof TimeError);
          assert.equal(error.message, message);
          assert.equal(error.code, 'META_TIME_INVALID');
          assert.match(error.hint ?? '', /^Write it as 2026-/);
          return true;
        },
      );
    });
  }
});

describe('properties', () => {
  const seconds = fc.integer({ min: -62_167_219_200, max: 253_402_300_799 });
  const micros = fc.nat(999_999);

  it('times come back', () => {
    fc.assert(
      fc.property(seconds, (second) => {
        const text = formatTime(second * 1000);
        assert.equal(parseTime(text), second * 1000);
        assert.equal(parseTime(text), Date.parse(text));
      }),
    );
  });

  it('micro times of this age come back exactly', () => {
    const thisAge = fc.integer({ min: -6_000_000_000, max: 6_000_000_000 });
    fc.assert(
      fc.property(thisAge, micros, (second, micro) => {
        const text = `${formatTime(second * 1000).slice(0, -1)}.${`${micro}`.padStart(6, '0')}Z`;
        assert.equal(formatMicroTime(parseMicroTime(text)), text);
        assert.equal(normalizeMicroTime(text), text);
      }),
    );
  });

  it('offsets move the time and nothing else', () => {
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
