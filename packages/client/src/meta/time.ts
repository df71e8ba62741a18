import { ClientError, defineErrors } from '../lib/errors.ts';
import type { MicroTime, Time } from './types.ts';

/** A time that cannot be read; the message is the server's. */
export class TimeError extends ClientError {
  constructor(message: string, layout: Layout) {
    super('META_TIME_INVALID', message, { hint: `Write it as ${layout.example}.` });
  }

  static {
    defineErrors(this, 'TimeError', 'META', { META_TIME_INVALID: { retry: 'never' } });
  }
}

/**
 * How a time is written. `name` is the notation of Go's reference time, in which the server names
 * layouts and their parts; a part of its own is the number of seconds' digits.
 */
interface Layout {
  readonly name: string;
  readonly fraction: string;
  readonly example: string;
}

const seconds: Layout = {
  name: '2006-01-02T15:04:05Z07:00',
  fraction: '',
  example: '2026-01-31T09:00:00Z',
};
const micros: Layout = {
  name: '2006-01-02T15:04:05.000000Z07:00',
  fraction: '.000000',
  example: '2026-01-31T09:00:00.000000Z',
};

/** A point in time: whole seconds since the Unix epoch, and what comes on top. */
interface Instant {
  readonly seconds: number;
  /** 0 to 999,999. */
  readonly micros: number;
}

/** Midnight of 1 January of the year 1, which servers take for "no time". */
const zeroSeconds = -62_135_596_800;

/**
 * Milliseconds since the Unix epoch for a `Time`, in whole seconds: a fraction is cut off, as the
 * server does. Throws {@link TimeError} with the server's message.
 */
export function parseTime(text: Time): number {
  return parse(text, seconds).seconds * 1000;
}

/**
 * Milliseconds since the Unix epoch for a `MicroTime`, with a fraction for the microseconds. Exactly
 * six digits are needed. Throws {@link TimeError} with the server's message.
 */
export function parseMicroTime(text: MicroTime): number {
  const instant = parse(text, micros);
  return instant.seconds * 1000 + instant.micros / 1000;
}

/** Writes milliseconds since the Unix epoch as a `Time`; what is less than a second is cut off. */
export function formatTime(epochMs: number): Time {
  return `${formatSeconds(Math.floor(epochMs / 1000))}Z`;
}

/** Writes milliseconds since the Unix epoch as a `MicroTime`, to the nearest microsecond. */
export function formatMicroTime(epochMs: number): MicroTime {
  const whole = Math.floor(epochMs / 1000);
  return formatMicros({ seconds: whole, micros: Math.round((epochMs - whole * 1000) * 1000) });
}

/** What a server itself writes, of the present millennium: nearly every time that comes along. */
const alreadyNormal =
  /^2[0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])T(?:[01][0-9]|2[0-3])(?::[0-5][0-9]){2}Z$/;

/** What a server writes for a `Time` that it reads: UTC, whole seconds; null for the zero time. */
export function normalizeTime(text: Time): Time | null {
  if (alreadyNormal.test(text)) return text;
  const instant = parse(text, seconds);
  return isZero(instant) ? null : `${formatSeconds(instant.seconds)}Z`;
}

/** What a server writes for a `MicroTime` that it reads: UTC; null for the zero time. */
export function normalizeMicroTime(text: MicroTime): MicroTime | null {
  const instant = parse(text, micros);
  return isZero(instant) ? null : formatMicros(instant);
}

function isZero(instant: Instant): boolean {
  return instant.seconds === zeroSeconds && instant.micros === 0;
}

function formatMicros(instant: Instant): MicroTime {
  const carry = instant.micros >= 1_000_000 ? 1 : 0;
  const fraction = `${instant.micros - carry * 1_000_000}`.padStart(6, '0');
  return `${formatSeconds(instant.seconds + carry)}.${fraction}Z`;
}

/** Without the zone. Years outside 0 to 9999 get as many digits as they need. */
function formatSeconds(epochSeconds: number): string {
  const date = new Date(epochSeconds * 1000);
  const year = date.getUTCFullYear();
  const sign = year < 0 ? '-' : '';
  const rest = date.toISOString().slice(-20, -5);
  return `${sign}${`${Math.abs(year)}`.padStart(4, '0')}${rest}`;
}

/** Reads from left to right as Go's `time.Parse` does, so that its complaints come out the same. */
function parse(text: string, layout: Layout): Instant {
  return new Reader(text, layout).read();
}

class Reader {
  readonly #layout: Layout;
  readonly #text: string;
  #rest: string;

  constructor(text: string, layout: Layout) {
    this.#layout = layout;
    // The server counts and quotes bytes; here each is one character.
    this.#text = Buffer.from(text).toString('latin1');
    this.#rest = this.#text;
  }

  read(): Instant {
    const year = this.#year();
    const month = this.#number('-', '01', 'month', 1, 12);
    const day = this.#number('-', '02', '', 0, 99);
    const hour = this.#number('T', '15', 'hour', 0, 23);
    const minute = this.#number(':', '04', 'minute', 0, 59);
    const second = this.#number(':', '05', 'second', 0, 59);
    const fraction = this.#fraction();
    const offset = this.#zone();
    if (this.#rest !== '') this.#complain(`: extra text: ${quoteBytes(this.#rest)}`);
    if (day < 1 || day > daysIn(year, month)) this.#complain(': day out of range');
    const date = new Date(0);
    date.setUTCFullYear(year, month - 1, day);
    date.setUTCHours(hour, minute, second);
    return { seconds: date.getTime() / 1000 - offset, micros: fraction };
  }

  #year(): number {
    const found = /^[0-9]{4}/.exec(this.#rest) ?? this.#cannotParse('2006');
    this.#rest = this.#rest.slice(4);
    return Number(found[0]);
  }

  /** A number of two digits, or one if it is the hour. */
  #number(separator: string, element: string, name: string, low: number, high: number): number {
    if (!this.#rest.startsWith(separator)) this.#cannotParse(separator);
    this.#rest = this.#rest.slice(separator.length);
    const digits = element === '15' ? /^[0-9]{1,2}/ : /^[0-9]{2}/;
    const found = digits.exec(this.#rest) ?? this.#cannotParse(element);
    const value = Number(found[0]);
    if (value < low || value > high) this.#complain(`: ${name} out of range`);
    this.#rest = this.#rest.slice(found[0].length);
    return value;
  }

  /** Microseconds. Where the layout has no fraction, one of any length is accepted and dropped. */
  #fraction(): number {
    if (this.#layout.fraction === '') {
      this.#rest = this.#rest.replace(/^[.,][0-9]+/, '');
      return 0;
    }
    const found = /^[.,]([0-9]{6})/.exec(this.#rest) ?? this.#cannotParse(this.#layout.fraction);
    this.#rest = this.#rest.slice(found[0].length);
    return Number(found[1]);
  }

  /** Seconds east of UTC. */
  #zone(): number {
    if (this.#rest.startsWith('Z')) {
      this.#rest = this.#rest.slice(1);
      return 0;
    }
    const found = /^(.)(..):(..)/s.exec(this.#rest) ?? this.#cannotParse('Z07:00');
    const [, sign = '', hourText = '', minuteText = ''] = found;
    const hours = twoDigits(hourText);
    const minutes = hours === undefined ? undefined : twoDigits(minuteText);
    // Ranges are looked at before the form, and 24 hours and 60 minutes are let through.
    if ((minutes ?? 0) > 60) this.#complain(': time zone offset minute out of range');
    if ((hours ?? 0) > 24) this.#complain(': time zone offset hour out of range');
    if (hours === undefined || minutes === undefined || !/[+-]/.test(sign)) {
      return this.#cannotParse('Z07:00');
    }
    this.#rest = this.#rest.slice(found[0].length);
    return (hours * 60 + minutes) * 60 * (sign === '-' ? -1 : 1);
  }

  #cannotParse(element: string): never {
    const rest = `cannot parse ${quoteBytes(this.#rest)} as ${quoteBytes(element)}`;
    return this.#complain(` as ${quoteBytes(this.#layout.name)}: ${rest}`);
  }

  #complain(problem: string): never {
    throw new TimeError(`parsing time ${quoteBytes(this.#text)}${problem}`, this.#layout);
  }
}

function twoDigits(text: string): number | undefined {
  return /^[0-9]{2}$/.test(text) ? Number(text) : undefined;
}

function daysIn(year: number, month: number): number {
  // A leap year of the same kind, because Date takes years under 100 for those of the 20th century.
  return new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}

/** Quotes as Go's `time` package does: everything outside printable ASCII byte by byte. */
function quoteBytes(bytes: string): string {
  const escaped = bytes
    .replace(/["\\]/g, String.raw`\$&`)
    .replace(/[^ -\u007f]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return `"${escaped}"`;
}
