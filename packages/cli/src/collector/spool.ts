import { mkdir, open, readdir, readFile, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { CollectedEvent } from './collected-event.ts';

/** How a {@link Spool} is made. */
export interface SpoolOptions {
  /** A folder of its own. */
  readonly directory: string;
  /** What it may take of the disk. */
  readonly maxBytes: number;
  /** It is read back in pieces of about this size. Default 2 MiB. */
  readonly segmentBytes?: number | undefined;
}

/** Events that came back from disk. They stay there until they are {@link Segment.remove}d. */
export interface Segment {
  readonly events: readonly CollectedEvent[];
  remove(): Promise<void>;
}

interface SegmentFile {
  readonly path: string;
  bytes: number;
}

const segmentName = /^(\d{12})\.ndjson$/;

/**
 * Keeps events on disk that have no place in memory, first in, first out: files of JSON lines. What
 * {@link Spool.append} has taken survives the death of the process; a line that was cut off by it is
 * left out.
 */
export class Spool implements AsyncDisposable {
  readonly #options: SpoolOptions & { readonly segmentBytes: number };
  /** Oldest first. The last one is written to while `#writer` is open. */
  readonly #files: SegmentFile[] = [];
  /** Handed out and not removed yet. */
  #inUseBytes = 0;
  #writer: FileHandle | undefined;
  #number = 0;
  /** What was asked for last; one thing happens after the other. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor({ segmentBytes = 2 * 2 ** 20, ...options }: SpoolOptions) {
    this.#options = { ...options, segmentBytes };
  }

  /** Opens the folder, and finds what an earlier process has left there. */
  static async open(options: SpoolOptions): Promise<Spool> {
    const spool = new Spool(options);
    await mkdir(options.directory, { recursive: true });
    for (const name of (await readdir(options.directory)).toSorted()) {
      const match = segmentName.exec(name);
      if (match === null) continue;
      const path = join(options.directory, name);
      spool.#files.push({ path, bytes: (await stat(path)).size });
      spool.#number = Number(match[1]);
    }
    return spool;
  }

  /** What it takes of the disk. */
  get bytes(): number {
    return this.#files.reduce((sum, { bytes }) => sum + bytes, this.#inUseBytes);
  }

  /** True if there is nothing to {@link Spool.take}. */
  get isEmpty(): boolean {
    return this.#files.length === 0;
  }

  /** Keeps as many as there is room for, from the front; gives how many. */
  append(events: readonly CollectedEvent[]): Promise<number> {
    return this.#inTurn(() => this.#append(events));
  }

  /** The oldest piece; undefined if there is none. */
  take(): Promise<Segment | undefined> {
    return this.#inTurn(() => this.#take());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#inTurn(() => this.#closeWriter());
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #append(events: readonly CollectedEvent[]): Promise<number> {
    let room = this.#options.maxBytes - this.bytes;
    const lines: string[] = [];
    for (const event of events) {
      const line = `${JSON.stringify(event)}\n`;
      room -= Buffer.byteLength(line);
      if (room < 0) break;
      lines.push(line);
    }
    if (lines.length > 0) await this.#write(lines.join(''));
    return lines.length;
  }

  async #take(): Promise<Segment | undefined> {
    if (this.#files.length === 1) await this.#closeWriter();
    const file = this.#files.shift();
    if (file === undefined) return undefined;
    this.#inUseBytes += file.bytes;
    const text = await readFile(file.path, 'utf8');
    return {
      events: text.split('\n').flatMap(parseLine),
      remove: async () => {
        await rm(file.path, { force: true });
        this.#inUseBytes -= file.bytes;
      },
    };
  }

  async #write(text: string): Promise<void> {
    const { file, writer } = await this.#open();
    try {
      await writer.appendFile(text);
      await writer.datasync();
    } catch (error) {
      // Half a line may be there now; what comes next begins in a file of its own.
      await this.#closeWriter();
      throw error;
    }
    file.bytes += Buffer.byteLength(text);
    if (file.bytes >= this.#options.segmentBytes) await this.#closeWriter();
  }

  async #open(): Promise<{ readonly file: SegmentFile; readonly writer: FileHandle }> {
    const last = this.#files.at(-1);
    if (this.#writer !== undefined && last !== undefined) {
      return { file: last, writer: this.#writer };
    }
    this.#number += 1;
    const name = `${`${this.#number}`.padStart(12, '0')}.ndjson`;
    const file = { path: join(this.#options.directory, name), bytes: 0 };
    const writer = await open(file.path, 'a');
    this.#writer = writer;
    this.#files.push(file);
    return { file, writer };
  }

  async #closeWriter(): Promise<void> {
    const writer = this.#writer;
    this.#writer = undefined;
    await writer?.close();
  }
}

function parseLine(line: string): CollectedEvent[] {
  if (line === '') return [];
  try {
    return [JSON.parse(line) as CollectedEvent];
  } catch {
    return [];
  }
}
