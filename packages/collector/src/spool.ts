import {
  type FileHandle,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
} from 'node:fs/promises';
import { basename, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { isJsonObject } from 'client-ts/internal';
import type { CollectedEvent } from './collected-event.ts';
import { CollectorError } from './collector-error.ts';
import { PRIVATE_FILE, privateFolder, removeFile, syncFolder } from './durable-file.ts';

/** Options of a {@link Spool}. */
export interface SpoolOptions {
  /** A directory of its own. */
  readonly directory: string;
  /** The maximum size on disk, in bytes. */
  readonly maxBytes: number;
  /** The approximate size of a segment. Default 2 MiB. */
  readonly segmentBytes?: number | undefined;
}

/** Events read from disk. They stay there until {@link Segment.remove}. */
export interface Segment {
  readonly events: readonly CollectedEvent[];
  /** Set if part of it is unreadable. */
  readonly damage: Damage | undefined;
  /** Frees its space after its events were delivered. A damaged segment is set aside instead. */
  remove(): Promise<void>;
}

/** The damage of a segment. */
export interface Damage {
  readonly error: CollectorError;
  /** When the segment was last written. */
  readonly writtenAt: string;
}

interface SegmentFile {
  readonly path: string;
  bytes: number;
}

const segmentName = /^(\d{12})\.ndjson$/;
/** The number of damaged segments to keep for inspection. */
const DAMAGED_KEPT = 10;

/**
 * A queue on disk, first in, first out. Accepted events survive a power loss. A line that was cut
 * off by a crash is ignored; any other unreadable line is {@link Damage}.
 */
export class Spool implements AsyncDisposable {
  readonly #options: SpoolOptions & { readonly segmentBytes: number };
  /** Oldest first. The last one is being written while `#writer` is open. */
  readonly #files: SegmentFile[] = [];
  /** The bytes of segments that were taken and not removed. */
  #inUseBytes = 0;
  #writer: FileHandle | undefined;
  #number = 0;
  /** Serialises operations. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor({ segmentBytes = 2 * 2 ** 20, ...options }: SpoolOptions) {
    this.#options = { ...options, segmentBytes };
  }

  /** Opens the directory with the segments of an earlier process. */
  static async open(options: SpoolOptions): Promise<Spool> {
    const spool = new Spool(options);
    await privateFolder(options.directory);
    for (const name of (await readdir(options.directory)).toSorted()) {
      const match = segmentName.exec(name);
      if (match === null) continue;
      const path = join(options.directory, name);
      spool.#files.push({ path, bytes: (await stat(path)).size });
      spool.#number = Number(match[1]);
    }
    return spool;
  }

  /** The size on disk, in bytes. */
  get bytes(): number {
    return this.#files.reduce((sum, { bytes }) => sum + bytes, this.#inUseBytes);
  }

  /** True if there is no segment to {@link Spool.take}. */
  get isEmpty(): boolean {
    return this.#files.length === 0;
  }

  /**
   * Appends as many events as there is room for; returns how many. Rejects if the disk fails: then
   * none is kept.
   */
  append(events: readonly CollectedEvent[]): Promise<number> {
    return this.#inTurn(() => this.#append(events));
  }

  /** Reads the oldest segment; undefined if there is none. Unreadable content does not reject. */
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
      const line = spoolLine(event);
      room -= Buffer.byteLength(line);
      if (room < 0) break;
      lines.push(line);
    }
    if (lines.length > 0) await this.#write(lines.join(''));
    return lines.length;
  }

  async #take(): Promise<Segment | undefined> {
    if (this.#files.length === 1) await this.#closeWriter();
    const [file] = this.#files;
    if (file === undefined) return undefined;
    const { events, damage } = await read(file.path);
    this.#files.shift();
    this.#inUseBytes += file.bytes;
    return {
      events,
      damage,
      remove: async () => {
        await (damage === undefined ? removeFile(file.path) : this.#setAside(file.path));
        this.#inUseBytes -= file.bytes;
      },
    };
  }

  /** Moves a segment to the directory of damaged ones. */
  async #setAside(path: string): Promise<void> {
    const damaged = join(this.#options.directory, 'damaged');
    await privateFolder(damaged);
    await rename(path, join(damaged, basename(path)));
    const names = (await readdir(damaged)).toSorted();
    for (const name of names.slice(0, -DAMAGED_KEPT)) {
      await rm(join(damaged, name), { force: true, recursive: true });
    }
    await syncFolder(this.#options.directory);
  }

  async #write(text: string): Promise<void> {
    const { file, writer } = await this.#open();
    try {
      await writer.appendFile(text);
      await writer.datasync();
    } catch (error) {
      await this.#takeBack(file);
      throw error;
    }
    file.bytes += Buffer.byteLength(text);
    if (file.bytes >= this.#options.segmentBytes) await this.#closeWriter();
  }

  /**
   * Removes what a failed append has written: attempts must not fill up the disk, and part of a
   * line within a segment would be damage.
   */
  async #takeBack(file: SegmentFile): Promise<void> {
    await this.#closeWriter();
    if (file.bytes > 0) return await truncate(file.path, file.bytes);
    await rm(file.path, { force: true });
    this.#files.pop();
  }

  async #open(): Promise<{ readonly file: SegmentFile; readonly writer: FileHandle }> {
    const last = this.#files.at(-1);
    if (this.#writer !== undefined && last !== undefined) {
      return { file: last, writer: this.#writer };
    }
    this.#number += 1;
    const name = `${`${this.#number}`.padStart(12, '0')}.ndjson`;
    const file = { path: join(this.#options.directory, name), bytes: 0 };
    const writer = await open(file.path, 'ax', PRIVATE_FILE);
    this.#writer = writer;
    this.#files.push(file);
    await syncFolder(this.#options.directory);
    return { file, writer };
  }

  async #closeWriter(): Promise<void> {
    const writer = this.#writer;
    this.#writer = undefined;
    await writer?.close();
  }
}

async function read(path: string): Promise<Pick<Segment, 'damage' | 'events'>> {
  let content: SegmentContent | undefined;
  let cause: unknown;
  let writtenAt = new Date(0).toISOString();
  try {
    writtenAt = (await stat(path)).mtime.toISOString();
    content = readSegment(await readFile(path), writtenAt);
  } catch (error) {
    cause = error;
  }
  const { events = [], damagedLines } = content ?? {};
  if (damagedLines === 0) return { events, damage: undefined };
  // The number of events is unknown: damage may have joined or split lines.
  const what = damagedLines === undefined ? 'the segment' : `${damagedLines} lines of the segment`;
  const error = new CollectorError(
    'COLLECTOR_SPOOL_DAMAGED',
    `${what} "${path}" cannot be read; recorded as a gap`,
    { cause },
  );
  return { events, damage: { error, writtenAt } };
}

/** The readable and the unreadable part of a segment. */
interface SegmentContent {
  readonly events: readonly CollectedEvent[];
  /** Lines that were complete and have changed. */
  readonly damagedLines: number;
}

/** Formats an event as a line: a checksum, and JSON. */
export function spoolLine(event: CollectedEvent): string {
  const json = JSON.stringify(event);
  return `${checksum(json)} ${json}\n`;
}

/**
 * Parses a segment. An incomplete last line is ignored: the process was killed while writing it,
 * and it never counted as safe. `receivedAt` is used for lines of earlier versions, which lack it.
 */
function readSegment(content: Buffer, receivedAt: string): SegmentContent {
  const lines = content.toString('utf8').split('\n').slice(0, -1);
  const events = lines.map((line) => parseLine(line, receivedAt));
  const readable = events.filter((event) => event !== undefined);
  return { events: readable, damagedLines: events.length - readable.length };
}

function parseLine(line: string, receivedAt: string): CollectedEvent | undefined {
  // Earlier versions wrote JSON without a checksum.
  const hasChecksum = !line.startsWith('{');
  const json = hasChecksum ? line.slice(9) : line;
  if (hasChecksum && line.slice(0, 9) !== `${checksum(json)} `) return undefined;
  try {
    const event: unknown = JSON.parse(json);
    if (!isJsonObject(event) || typeof event['uid'] !== 'string') return undefined;
    return { receivedAt, createdAt: receivedAt, ...event } as unknown as CollectedEvent;
  } catch {
    return undefined;
  }
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
