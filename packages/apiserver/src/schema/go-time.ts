import { ClientError, defineErrors } from 'client-ts/internal';

/*
 * Times as the server reads and writes them. Reading follows Go's `time.Parse`, whose messages reach
 * the client when a time is invalid: `parsing time "x" as "2006-…": cannot parse …`.
 */

/** How a time is written, in the notation of Go's reference time, which messages use. */
interface Layout {
  readonly name: string;
  /** The part of `name` with the digits after the second. */
  readonly fraction: string;
}

const SECONDS: Layout = { name: '2006-01-02T15:04:05Z07:00', fraction: '' };
const MICROSECONDS: Layout = { name: '2006-01-02T15:04:05.000000Z07:00', fraction: '.000000' };

/** A text is not a time in the expected layout. The message is the server's. */
export class TimeFormatError extends ClientError {
  constructor(message: string) {
    super('APISERVER_TIME_INVALID', message);
  }

  static {
    defineErrors(this, 'TimeFormatError', 'APISERVER', {
      APISERVER_TIME_INVALID: { retry: 'never' },
    });
  }
}

/** Go's zero time, 0001-01-01T00:00:00Z, which stands for "no time". */
const ZERO_SECONDS = -62_135_596_800;

interface Instant {
  /** Seconds since the Unix epoch. */
  readonly seconds: number;
  /** 0 to 999,999; 0 if the layout has no fraction. */
  readonly micros: number;
}

/** Times that are certainly canonical, which most are. */
const canonical =
  /^[1-9][0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])T(?:[01][0-9]|2[0-3])(?::[0-5][0-9]){2}Z$/;

/** Returns the canonical form of a time: UTC, whole seconds. Undefined for Go's zero time. */
export function canonicalTime(text: string): string | undefined {
  if (canonical.test(text)) return text;
  const { seconds } = new Reader(text, SECONDS).read();
  return seconds === ZERO_SECONDS ? undefined : `${formatSeconds(seconds)}Z`;
}

/** Returns the canonical form of a micro time: UTC, six digits. Undefined for Go's zero time. */
export function canonicalMicroTime(text: string): string | undefined {
  const { seconds, micros } = new Reader(text, MICROSECONDS).read();
  if (seconds === ZERO_SECONDS && micros === 0) return undefined;
  return `${formatSeconds(seconds)}.${String(micros).padStart(6, '0')}Z`;
}

function formatSeconds(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, -5);
}

/** Reads from left to right as Go's `time.Parse` does, so that the first error is the same. */
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
    if (this.#rest !== '') this.#fail(`: extra text: ${quoteBytes(this.#rest)}`);
    if (day < 1 || day > daysIn(year, month)) this.#fail(': day out of range');
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

  /** A number of two digits; the hour may have one. */
  #number(separator: string, element: string, name: string, low: number, high: number): number {
    if (!this.#rest.startsWith(separator)) this.#cannotParse(separator);
    this.#rest = this.#rest.slice(separator.length);
    const digits = element === '15' ? /^[0-9]{1,2}/ : /^[0-9]{2}/;
    const found = digits.exec(this.#rest) ?? this.#cannotParse(element);
    const value = Number(found[0]);
    if (value < low || value > high) this.#fail(`: ${name} out of range`);
    this.#rest = this.#rest.slice(found[0].length);
    return value;
  }

  /** Microseconds. If the layout has no fraction, one of any length is accepted and dropped. */
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
    // Go checks ranges before the form, and accepts 24 hours and 60 minutes.
    if ((minutes ?? 0) > 60) this.#fail(': time zone offset minute out of range');
    if ((hours ?? 0) > 24) this.#fail(': time zone offset hour out of range');
    if (hours === undefined || minutes === undefined || !/[+-]/.test(sign)) {
      return this.#cannotParse('Z07:00');
    }
    this.#rest = this.#rest.slice(found[0].length);
    return (hours * 60 + minutes) * 60 * (sign === '-' ? -1 : 1);
  }

  #cannotParse(element: string): never {
    const rest = `cannot parse ${quoteBytes(this.#rest)} as ${quoteBytes(element)}`;
    return this.#fail(` as ${quoteBytes(this.#layout.name)}: ${rest}`);
  }

  #fail(problem: string): never {
    throw new TimeFormatError(`parsing time ${quoteBytes(this.#text)}${problem}`);
  }
}

function twoDigits(text: string): number | undefined {
  return /^[0-9]{2}$/.test(text) ? Number(text) : undefined;
}

function daysIn(year: number, month: number): number {
  // A year of the same kind, because Date.UTC reads years under 100 as 1900 to 1999.
  return new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}

/** Quotes as Go's `time` package does: everything outside printable ASCII byte by byte. */
function quoteBytes(bytes: string): string {
  const escaped = bytes
    .replace(/["\\]/g, String.raw`\$&`)
    .replace(/[^ -\u007f]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return `"${escaped}"`;
}
