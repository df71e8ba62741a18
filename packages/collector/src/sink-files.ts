import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject } from 'client-ts/internal';
import { CollectorError } from './collector-error.ts';
import { privateFolder, removeFile, replaceFile } from './durable-file.ts';
import type { Gap, Position, Rejection } from './event-sink.ts';
import { RotatingFile } from './rotating-file.ts';

/** Rejected events are for a person to look at; older ones make room for newer ones. */
const DEAD_LETTERS = { maxBytes: 10 * 2 ** 20, keep: 4 };

/** The folder of one sink: its position, the events it has rejected, and gaps that it does not know of yet. */
export class SinkFiles implements AsyncDisposable {
  readonly #directory: string;
  readonly #deadLetters: RotatingFile;
  /** One write after the other: they share the name of the new file. */
  #last: Promise<void> = Promise.resolve();

  constructor(directory: string) {
    this.#directory = directory;
    this.#deadLetters = new RotatingFile({
      path: join(directory, 'dead-letters.ndjson'),
      ...DEAD_LETTERS,
    });
  }

  /** Where events wait that have no place in memory. */
  get spool(): string {
    return join(this.#directory, 'spool');
  }

  async create(): Promise<void> {
    await privateFolder(this.#directory);
  }

  /** Undefined if there is none. Throws {@link CollectorError} if there is one and it cannot be read. */
  readPosition(): Promise<Position | undefined> {
    return this.#read('position.json', (value): value is Position => {
      return isJsonObject(value) && typeof value['resourceVersion'] === 'string';
    });
  }

  writePosition(position: Position): Promise<void> {
    return this.#write('position.json', position);
  }

  /** Gaps that the sink does not know of. Throws as {@link SinkFiles.readPosition} does. */
  async readLosses(): Promise<readonly Gap[]> {
    const losses = await this.#read('losses.json', (value): value is Gap[] => {
      return Array.isArray(value) && value.every((gap) => isJsonObject(gap) && 'to' in gap);
    });
    return losses ?? [];
  }

  writeLosses(losses: readonly Gap[]): Promise<void> {
    return this.#write('losses.json', losses.length === 0 ? undefined : losses);
  }

  /** Keeps what the sink will never accept. */
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
