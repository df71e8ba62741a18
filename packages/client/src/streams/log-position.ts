/** The time at the beginning of a log line, as the server writes it. */
interface LogTime {
  /** Seconds since 1970. */
  readonly second: number;
  readonly nanos: number;
}

/** A line of a log that was requested with timestamps. */
export interface StampedLine {
  readonly time: LogTime | undefined;
  /** The line without its timestamp. */
  readonly text: string;
}

const STAMP = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d) /;

/** Splits a line into timestamp and text. Servers also write lines of their own, without one. */
export function parseStampedLine(line: string): StampedLine {
  const found = STAMP.exec(line);
  const [stamp = '', seconds = '', fraction = '', zone = ''] = found ?? [];
  const milliseconds = found === null ? Number.NaN : Date.parse(seconds + zone);
  if (Number.isNaN(milliseconds)) return { time: undefined, text: line };
  const time = { second: milliseconds / 1000, nanos: Number(fraction.padEnd(9, '0')) };
  return { time, text: line.slice(stamp.length) };
}

/**
 * How far a log has been delivered, so that a second request can continue behind it. Servers accept
 * a start in whole seconds only: the lines of the last second come again, and are recognised by their
 * nanoseconds and order.
 */
export class LogPosition {
  #second = -Infinity;
  /** Of the lines that have been delivered within that second. */
  #nanos: number[] = [];
  /** The part of `#nanos` that the current request may repeat. */
  #repeated = { from: 0, to: 0 };

  /** The parameter `sinceTime` of a request that continues; undefined before the first line. */
  get sinceTime(): string | undefined {
    if (this.#second === -Infinity) return undefined;
    return new Date(this.#second * 1000).toISOString().replace('.000', '');
  }

  /** Call it before a request that continues. */
  resume(): void {
    this.#repeated = { from: 0, to: this.#nanos.length };
  }

  /** Returns true if the line is to be delivered, false if it has been. */
  isNew({ time }: StampedLine): boolean {
    if (time === undefined) return true;
    const { second, nanos } = time;
    const { from, to } = this.#repeated;
    // Lines that go back in time are not repeated: the next request starts after them.
    if (second < this.#second) return to === 0;
    if (second > this.#second) {
      this.#second = second;
      this.#nanos = [];
      this.#repeated = { from: 0, to: 0 };
    } else if (to > 0) {
      const at = this.#nanos.indexOf(nanos, from);
      if (at !== -1 && at < to) {
        this.#repeated = { from: at + 1, to };
        return false;
      }
    }
    this.#nanos.push(nanos);
    return true;
  }
}
