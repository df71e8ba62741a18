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
