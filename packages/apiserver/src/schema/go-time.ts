/**
 * Times as the server reads and writes them. Reading follows the rules of Go's `time.Parse`, whose
 * words reach the client when a time is wrong: `parsing time "x" as "2006-…": cannot parse …`.
 */

/** How whole seconds are written, in Go's notation by example. */
export const SECONDS_LAYOUT = '2006-01-02T15:04:05Z07:00';
/** How microseconds are written: six digits, no more and no fewer. */
export const MICROSECONDS_LAYOUT = '2006-01-02T15:04:05.000000Z07:00';

/** A text that is not a time in the wanted layout. */
export class TimeFormatError extends Error {
  override readonly name = 'TimeFormatError';
}

/** Go's zero time, 0001-01-01T00:00:00Z, stands for "no time", although it can be written. */
const ZERO_SECONDS = -62_135_596_800;

interface Instant {
  /** Seconds since the Unix epoch. */
  readonly seconds: number;
  readonly nanoseconds: number;
}

/** Times that are canonical beyond doubt, which are nearly all that come along. */
const canonical =
  /^[1-9][0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])T(?:[01][0-9]|2[0-3])(?::[0-5][0-9]){2}Z$/;

/** The canonical form of a time: UTC, whole seconds. Undefined for Go's zero time. */
export function canonicalTime(text: string): string | undefined {
  if (canonical.test(text)) return text;
  const { seconds, nanoseconds } = parseTime(text, SECONDS_LAYOUT);
  if (seconds === ZERO_SECONDS && nanoseconds === 0) return undefined;
  return `${writeSeconds(seconds)}Z`;
}

/** The canonical form of a micro time: UTC, six digits. Undefined for Go's zero time. */
export function canonicalMicroTime(text: string): string | undefined {
  const { seconds, nanoseconds } = parseTime(text, MICROSECONDS_LAYOUT);
  if (seconds === ZERO_SECONDS && nanoseconds === 0) return undefined;
  const micro = Math.floor(nanoseconds / 1000);
  return `${writeSeconds(seconds)}.${String(micro).padStart(6, '0')}Z`;
}

function writeSeconds(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, -5);
}

function parseTime(text: string, layout: string): Instant {
  return new TimeReader(text, layout).read();
}

class TimeReader {
  readonly #text: string;
  readonly #layout: string;
  #at = 0;

  constructor(text: string, layout: string) {
    this.#text = text;
    this.#layout = layout;
  }

  read(): Instant {
    const year = this.#number('2006', 4, 4);
    this.#literal('-');
    const month = this.#number('01', 2, 2);
    if (month < 1 || month > 12) this.#outOfRange('month');
    this.#literal('-');
    const day = this.#number('02', 2, 2);
    this.#literal('T');
    // One digit is enough for the hour: a leniency of Go that clients may lean on.
    const hour = this.#number('15', 1, 2);
    if (hour > 23) this.#outOfRange('hour');
    this.#literal(':');
    const minute = this.#number('04', 2, 2);
    if (minute > 59) this.#outOfRange('minute');
    this.#literal(':');
    const second = this.#number('05', 2, 2);
    if (second > 59) this.#outOfRange('second');
    const nanoseconds = this.#fraction();
    const offset = this.#zone();
    if (this.#at < this.#text.length) {
      this.#fail(`: extra text: ${quoteText(this.#text.slice(this.#at))}`);
    }
    const date = new Date(0);
    date.setUTCFullYear(year, month - 1, day);
    if (day < 1 || date.getUTCDate() !== day) this.#fail(': day out of range');
    date.setUTCHours(hour, minute, second);
    return { seconds: date.getTime() / 1000 - offset, nanoseconds };
  }

  #number(element: string, least: number, most: number): number {
    const digits = /^[0-9]*/.exec(this.#text.slice(this.#at, this.#at + most))?.[0] ?? '';
    if (digits.length < least) this.#cannotParse(element);
    this.#at += digits.length;
    return Number(digits);
  }

  #literal(character: string): void {
    if (this.#text[this.#at] !== character) this.#cannotParse(character);
    this.#at++;
  }

  #fraction(): number {
    if (this.#layout === MICROSECONDS_LAYOUT) {
      if (!/^[.,][0-9]{6}/.test(this.#text.slice(this.#at))) this.#cannotParse('.000000');
      const micro = Number(this.#text.slice(this.#at + 1, this.#at + 7));
      this.#at += 7;
      return micro * 1000;
    }
    const digits = /^[.,]([0-9]+)/.exec(this.#text.slice(this.#at))?.[1];
    if (digits === undefined) return 0;
    this.#at += 1 + digits.length;
    return Number(digits.slice(0, 9).padEnd(9, '0'));
  }

  /** Seconds east of Greenwich. */
  #zone(): number {
    if (this.#text[this.#at] === 'Z') {
      this.#at++;
      return 0;
    }
    const zone = /^([+-])([0-9]{2}):([0-9]{2})/.exec(this.#text.slice(this.#at));
    if (zone === null) return this.#cannotParse('Z07:00');
    this.#at += zone[0].length;
    const [hours, minutes] = [Number(zone[2]), Number(zone[3])];
    if (hours > 24) this.#outOfRange('time zone offset hour');
    if (minutes > 60) this.#outOfRange('time zone offset minute');
    return (zone[1] === '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
  }

  #cannotParse(element: string): never {
    const rest = quoteText(this.#text.slice(this.#at));
    const as = ` as ${quoteText(this.#layout)}`;
    return this.#fail(`${as}: cannot parse ${rest} as ${quoteText(element)}`);
  }

  #outOfRange(what: string): never {
    return this.#fail(`: ${what} out of range`);
  }

  #fail(message: string): never {
    throw new TimeFormatError(`parsing time ${quoteText(this.#text)}${message}`);
  }
}

/** Go's time package quotes in its own way: what is not printable ASCII is shown byte by byte. */
function quoteText(text: string): string {
  const quoted = text.replaceAll(/["\\]|[^ -\u007f]/gu, (character) =>
    character === '"' || character === '\\'
      ? `\\${character}`
      : Array.from(
          Buffer.from(character, 'utf8'),
          (byte) => `\\x${byte.toString(16).padStart(2, '0')}`,
        ).join(''),
  );
  return `"${quoted}"`;
}
