import type { Clock } from 'client-ts/internal';

/** The part of a log to read; times in milliseconds since the epoch. */
export interface LogSelection {
  readonly follow: boolean;
  readonly sinceMs: number | undefined;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
  readonly timestamps: boolean;
  readonly signal: AbortSignal;
}

interface Line {
  readonly atMs: number;
  /** Nanoseconds after `atMs`, so that no two lines have the same time. */
  readonly nanos: number;
  /** With its line break. */
  readonly text: Buffer;
}

const NEWLINE = 0x0a;

/** Longer lines are split, as by a container runtime. */
const MAX_LINE_BYTES = 16 * 1024;

/** Chunks of a reader: many lines, so that a long log is not sent line by line. */
const CHUNK_BYTES = 64 * 1024;

/**
 * The output of one instance of a container, line by line. Keeps the newest lines up to a limit, as
 * rotated log files do; a reader that falls behind it misses the lines in between.
 */
export class ContainerLog {
  readonly #clock: Clock;
  readonly #maxBytes: number;
  #lines: Line[] = [];
  /** The number of lines that were dropped before the first. */
  #dropped = 0;
  #bytes = 0;
  #lastMs = 0;
  #nanos = 0;
  #isClosed = false;
  readonly #wakers = new Set<() => void>();

  constructor(clock: Clock, maxBytes: number) {
    this.#clock = clock;
    this.#maxBytes = maxBytes;
  }

  /** Returns a writer for one output of the container; lines of different writers do not mix. */
  writer(): { write(chunk: Uint8Array): void; end(): void } {
    let rest = Buffer.alloc(0);
    return {
      write: (chunk) => {
        rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk]);
        let start = 0;
        for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE, start)) {
          this.#append(rest.subarray(start, end + 1));
          start = end + 1;
        }
        for (; rest.length - start > MAX_LINE_BYTES; start += MAX_LINE_BYTES) {
          this.#append(
            Buffer.concat([rest.subarray(start, start + MAX_LINE_BYTES), Buffer.of(NEWLINE)]),
          );
        }
        rest = rest.subarray(start);
      },
      end: () => {
        if (rest.length > 0) this.#append(Buffer.concat([rest, Buffer.of(NEWLINE)]));
        rest = Buffer.alloc(0);
      },
    };
  }

  /** The container has ended: readers that follow end after the last line. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  /** Reads the selected lines, in chunks. */
  async *read(selection: LogSelection): AsyncGenerator<Uint8Array, undefined, undefined> {
    const { follow, tailLines, sinceMs, signal, timestamps } = selection;
    let left = selection.limitBytes ?? Infinity;
    let next = this.#dropped;
    if (tailLines !== undefined) next += Math.max(0, this.#lines.length - tailLines);
    for (;;) {
      next = Math.max(next, this.#dropped);
      const chunk: Uint8Array[] = [];
      let size = 0;
      while (next - this.#dropped < this.#lines.length && size < CHUNK_BYTES && left > 0) {
        const line = this.#lines[next - this.#dropped];
        next += 1;
        if (line === undefined || line.atMs < (sinceMs ?? -Infinity)) continue;
        const bytes = timestamps
          ? Buffer.concat([Buffer.from(`${timestamp(line)} `), line.text])
          : line.text;
        const kept = bytes.subarray(0, Math.min(left, bytes.length));
        chunk.push(kept);
        size += kept.length;
        left -= kept.length;
      }
      if (size > 0) yield Buffer.concat(chunk);
      if (left <= 0 || signal.aborted) return;
      if (next - this.#dropped < this.#lines.length) continue;
      if (!follow || this.#isClosed) return;
      await this.#changed(signal);
    }
  }

  #append(text: Buffer): void {
    const now = Math.max(this.#clock.now(), this.#lastMs);
    this.#nanos = now === this.#lastMs ? this.#nanos + 1 : 0;
    this.#lastMs = now;
    this.#lines.push({ atMs: now, nanos: this.#nanos, text: Buffer.from(text) });
    this.#bytes += text.length;
    if (this.#bytes > this.#maxBytes) this.#rotate();
    this.#wake();
  }

  /** Drops the older half: rotation is rare, and cheap per line. */
  #rotate(): void {
    let index = 0;
    while (index < this.#lines.length - 1 && this.#bytes > this.#maxBytes / 2) {
      this.#bytes -= this.#lines[index]?.text.length ?? 0;
      index += 1;
    }
    this.#lines = this.#lines.slice(index);
    this.#dropped += index;
  }

  #wake(): void {
    for (const wake of this.#wakers) wake();
  }

  async #changed(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        this.#wakers.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#wakers.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }
}

/** RFC 3339 with nine digits, as kubelets write it. */
function timestamp({ atMs, nanos }: Line): string {
  const whole = Math.floor(atMs);
  const below = Math.min(999_999, Math.round((atMs - whole) * 1e6) + nanos);
  return `${new Date(whole).toISOString().slice(0, -1)}${String(below).padStart(6, '0')}Z`;
}
