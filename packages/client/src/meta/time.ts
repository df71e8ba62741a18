import { ClientError, defineErrors } from '../lib/errors.ts';
import { quoteGo } from '../lib/go-format.ts';
import type { MicroTime, Time } from './types.ts';

/** A text is not an RFC 3339 time. */
export class TimeError extends ClientError {
  constructor(text: string) {
    super('META_TIME_INVALID', `${quoteGo(text)} is not an RFC 3339 time`);
  }

  static {
    defineErrors(this, 'TimeError', 'META', {
      META_TIME_INVALID: {
        retry: 'never',
        hint: 'Write it as 2026-01-31T09:00:00Z, with a fraction of six digits for a MicroTime.',
      },
    });
  }
}

/** A point in time. */
export interface Timestamp {
  /** Whole seconds since the Unix epoch, rounded down. */
  readonly seconds: number;
  /** 0 to 999,999,999. */
  readonly nanos: number;
}

/** Seconds of 0001-01-01T00:00:00Z, Go's zero time, which means "no time". */
export const ZERO_TIME_SECONDS = -62_135_596_800;
const FIRST_SECONDS = -62_167_219_200; // 0000-01-01T00:00:00Z
const LAST_SECONDS = 253_402_300_799; // 9999-12-31T23:59:59Z

const rfc3339 = /^(\d{4}-\d\d-(\d\d)T\d\d:\d\d:\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)$/;

/** Parses an RFC 3339 time. Undefined if it is not one, or there is no such day or hour. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const canonical = canonicalSeconds(text);
  if (canonical !== undefined) return { seconds: canonical, nanos: 0 };
  const match = rfc3339.exec(text);
  if (match === null) return undefined;
  const [, dateAndTime = '', day = '', fraction = '', zone = ''] = match;
  const local = Date.parse(`${dateAndTime}Z`);
  const seconds = (zone === 'Z' ? local : Date.parse(`${dateAndTime}${zone}`)) / 1000;
  // Date.parse reads February 30th as March 2nd, and 24:00 as the next day.
  if (Number.isNaN(local) || Number.isNaN(seconds)) return undefined;
  if (new Date(local).getUTCDate() !== Number(day)) return undefined;
  return { seconds, nanos: Number(fraction.slice(0, 9).padEnd(9, '0')) };
}

/** Returns the seconds of a time as servers write it, `2026-01-31T09:00:00Z`, of a year after 1. */
function canonicalSeconds(text: string): number | undefined {
  if (text.length !== 20 || !hasMarks(text)) return undefined;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  // NaN fails every comparison, and so does a month that there is not. Leap days are left to `Date`.
  const isDay = year > 1 && day >= 1 && day <= (DAYS[month] ?? 0);
  if (!isDay || !(hour <= 23 && minute <= 59 && second <= 59)) return undefined;
  return ((daysBefore(year, month) + day - 1) * 24 + hour) * 3600 + minute * 60 + second;
}

function hasMarks(text: string): boolean {
  return (
    text.charCodeAt(4) === 0x2d &&
    text.charCodeAt(7) === 0x2d &&
    text.charCodeAt(10) === 0x54 &&
    text.charCodeAt(13) === 0x3a &&
    text.charCodeAt(16) === 0x3a &&
    text.charCodeAt(19) === 0x5a
  );
}

/** NaN if there is another character. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 0x30;
  const ones = text.charCodeAt(at + 1) - 0x30;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN;
}

/** Days of each month, from January at 1. */
const DAYS = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const DAYS_TO_1970 = 719_468;

/** Days from the Unix epoch to the first of a month. Years begin in March, so that leap days come last. */
function daysBefore(year: number, month: number): number {
  const shifted = month > 2 ? year : year - 1;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5);
  const leapDays = (shifted >> 2) - Math.floor(shifted / 100) + Math.floor(shifted / 400);
  return shifted * 365 + leapDays + dayOfYear - DAYS_TO_1970;
}

/**
 * Returns milliseconds since the Unix epoch for a `Time`, in whole seconds: a fraction is dropped, as
 * servers do. Throws {@link TimeError}.
 */
export function parseTime(text: Time): number {
  return parse(text).seconds * 1000;
}

/**
 * Returns milliseconds since the Unix epoch for a `MicroTime`, with a fraction for the microseconds.
 * Throws {@link TimeError}.
 */
export function parseMicroTime(text: MicroTime): number {
  const { seconds, nanos } = parse(text);
  return seconds * 1000 + Math.trunc(nanos / 1000) / 1000;
}

function parse(text: string): Timestamp {
  const timestamp = parseTimestamp(text);
  if (timestamp === undefined) throw new TimeError(text);
  return timestamp;
}

/** Formats milliseconds since the Unix epoch as a `Time`; fractions of a second are dropped. */
export function formatTime(epochMs: number): Time {
  return `${formatSeconds(Math.floor(epochMs / 1000))}Z`;
}

/** Formats milliseconds since the Unix epoch as a `MicroTime`, to the nearest microsecond. */
export function formatMicroTime(epochMs: number): MicroTime {
  const whole = Math.floor(epochMs / 1000);
  return formatMicros(whole, Math.round((epochMs - whole * 1000) * 1000));
}

/**
 * Formats a timestamp as servers do: whole seconds, or six digits of microseconds. Undefined for a
 * year that does not have four digits.
 */
export function formatTimestamp(
  { seconds, nanos }: Timestamp,
  precision: 'micros' | 'seconds',
): string | undefined {
  const micros = precision === 'micros' ? Math.trunc(nanos / 1000) : 0;
  const whole = seconds + Math.floor(micros / 1e6);
  if (!(whole >= FIRST_SECONDS && whole <= LAST_SECONDS)) return undefined;
  return precision === 'micros' ? formatMicros(seconds, micros) : `${formatSeconds(seconds)}Z`;
}

/** `micros` may be negative or more than a second. */
function formatMicros(seconds: number, micros: number): string {
  const carry = Math.floor(micros / 1e6);
  const fraction = String(micros - carry * 1e6).padStart(6, '0');
  return `${formatSeconds(seconds + carry)}.${fraction}Z`;
}

/** The last times that were formatted: an object has many of the same second, and so have its neighbours. */
const recent: { seconds: number; text: string }[] = [];
const MAX_RECENT = 256;

/** Without the zone. */
function formatSeconds(epochSeconds: number): string {
  const slot = epochSeconds & (MAX_RECENT - 1);
  const known = recent[slot];
  if (known?.seconds === epochSeconds) return known.text;
  const text = printSeconds(epochSeconds);
  recent[slot] = { seconds: epochSeconds, text };
  return text;
}

/** Years outside 0 to 9999 get as many digits as they need. */
function printSeconds(epochSeconds: number): string {
  const date = new Date(epochSeconds * 1000);
  const text = date.toISOString();
  if (text.length === 24) return text.slice(0, 19);
  const year = date.getUTCFullYear();
  const sign = year < 0 ? '-' : '';
  return `${sign}${`${Math.abs(year)}`.padStart(4, '0')}${text.slice(-20, -5)}`;
}
