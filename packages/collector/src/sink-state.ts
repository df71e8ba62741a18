import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, isJsonObject } from 'client-ts/internal';
import { compareResourceVersions, isResourceVersion } from 'client-ts/meta';
import { CollectorError } from './collector-error.ts';
import { privateFolder, removeFile, replaceFile } from './durable-file.ts';
import type { CollectorSink, Gap, Position, Rejection } from './collector-sink.ts';
import { RotatingFile } from './rotating-file.ts';
import { Spool } from './spool.ts';

/** Rejected events are kept for inspection, up to these limits. */
const DEAD_LETTERS = { maxBytes: 10 * 2 ** 20, keep: 4 };

/**
 * The directory of one sink: its position, its rejected events, and gaps that it does not have yet.
 */
export class SinkFiles implements AsyncDisposable {
  readonly #directory: string;
  readonly #deadLetters: RotatingFile;
  /** Serialises writes: they share the name of the new file. */
  #last: Promise<void> = Promise.resolve();

  constructor(directory: string) {
    this.#directory = directory;
    this.#deadLetters = new RotatingFile({
      path: join(directory, 'dead-letters.ndjson'),
      ...DEAD_LETTERS,
    });
  }

  /** The directory of events that do not fit into memory. */
  get spool(): string {
    return join(this.#directory, 'spool');
  }

  async create(): Promise<void> {
    await privateFolder(this.#directory);
  }

  /** Undefined if there is none. Throws {@link CollectorError} if the file is damaged. */
  readPosition(): Promise<Position | undefined> {
    return this.#read('position.json', (value): value is Position => {
      return isJsonObject(value) && typeof value['resourceVersion'] === 'string';
    });
  }

  writePosition(position: Position): Promise<void> {
    return this.#write('position.json', position);
  }

  /** Gaps that the sink does not have yet. Throws like {@link SinkFiles.readPosition}. */
  async readLosses(): Promise<readonly Gap[]> {
    const losses = await this.#read('losses.json', (value): value is Gap[] => {
      return Array.isArray(value) && value.every((gap) => isJsonObject(gap) && 'to' in gap);
    });
    return losses ?? [];
  }

  writeLosses(losses: readonly Gap[]): Promise<void> {
    return this.#write('losses.json', losses.length === 0 ? undefined : losses);
  }

  /** Stores events that the sink rejected. */
  async addDeadLetters(rejections: readonly Rejection[]): Promise<void> {
    const lines = rejections.map((rejection) => `${JSON.stringify(rejection)}\n`);
    await this.#deadLetters.append(lines.join(''));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#deadLetters[Symbol.asyncDispose]();
  }

  async #read<T>(name: string, isValid: (value: unknown) => value is T): Promise<T | undefined> {
    const path = join(this.#directory, name);
    try {
      const value: unknown = JSON.parse(await readFile(path, 'utf8'));
      if (isValid(value)) return value;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      if (!(error instanceof SyntaxError)) throw error;
    }
    throw new CollectorError('COLLECTOR_STATE_DAMAGED', `"${path}" does not hold what was written`);
  }

  #write(name: string, value: object | undefined): Promise<void> {
    const path = join(this.#directory, name);
    const written = this.#last.then(() =>
      value === undefined ? removeFile(path) : replaceFile(path, `${JSON.stringify(value)}\n`),
    );
    this.#last = written.catch(() => undefined);
    return written;
  }
}

/** The state that an earlier process left for a sink. */
export interface SinkState {
  readonly files: SinkFiles;
  readonly spool: Spool;
  /** The position from which the source continues; undefined for the beginning. */
  readonly start: Position | undefined;
  /** Gaps that the sink does not have yet. They are on disk. */
  readonly losses: readonly Gap[];
}

/** Options of {@link openSinkState}. */
export interface SinkStateOptions {
  readonly sink: CollectorSink;
  readonly directory: string;
  readonly maxSpoolBytes: number;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/**
 * Opens the directory of a sink. A damaged file is reported and becomes a gap, because it had the
 * position or the missing events.
 */
export async function openSinkState(options: SinkStateOptions): Promise<SinkState> {
  const { sink, directory, maxSpoolBytes: maxBytes, clock, onError } = options;
  const files = new SinkFiles(directory);
  await files.create();
  const spool = await Spool.open({ directory: files.spool, maxBytes });
  const found: Gap[] = [];
  const readable = async <T>(reading: Promise<T>, reason: string): Promise<T | undefined> => {
    try {
      return await reading;
    } catch (error) {
      onError(error);
      found.push({ from: undefined, to: new Date(clock.now()).toISOString(), reason });
      return undefined;
    }
  };
  const inFile = await readable(files.readPosition(), 'the position could not be read');
  const known = await readable(files.readLosses(), 'the record of gaps could not be read');
  const losses = [...(known ?? []), ...found];
  if (found.length > 0) await files.writeLosses(losses);
  // The position stored with the data counts, unless there are events on disk that the data does
  // not have.
  const start =
    sink.position === undefined
      ? inFile
      : newer(await sink.position(), spool.isEmpty ? undefined : inFile);
  return { files, spool, start, losses };
}

/** The later of two safe positions. */
function newer(left: Position | undefined, right: Position | undefined): Position | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  const [one, other] = [left.resourceVersion, right.resourceVersion];
  if (left.source !== right.source || !isResourceVersion(one) || !isResourceVersion(other)) {
    return left;
  }
  return compareResourceVersions(one, other) < 0 ? right : left;
}
