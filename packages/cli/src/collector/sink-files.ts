import { appendFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Gap, Position, Rejection } from './event-sink.ts';

/** The folder of one sink: what it has refused, and how far it has come. */
export class SinkFiles {
  readonly #directory: string;
  /** One writing of the position after the other. */
  #positioning: Promise<void> = Promise.resolve();

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Where events wait that have no place in memory. */
  get spool(): string {
    return join(this.#directory, 'spool');
  }

  async create(): Promise<void> {
    await mkdir(this.#directory, { recursive: true });
  }

  async readPosition(): Promise<Position | undefined> {
    try {
      return JSON.parse(await readFile(join(this.#directory, 'position.json'), 'utf8')) as Position;
    } catch {
      // Not there, or not ours: then nothing is known, and everything is listed.
      return undefined;
    }
  }

  /** Replaces the file at one go: whoever reads it finds the old one or the new one. */
  writePosition(position: Position): Promise<void> {
    const path = join(this.#directory, 'position.json');
    const written = this.#positioning.then(async () => {
      await writeFile(`${path}.new`, `${JSON.stringify(position)}\n`);
      await rename(`${path}.new`, path);
    });
    this.#positioning = written.catch(() => undefined);
    return written;
  }

  /** What was lost, as far as the sink has not been told of it. */
  async readLosses(): Promise<readonly Gap[]> {
    try {
      return JSON.parse(await readFile(join(this.#directory, 'losses.json'), 'utf8')) as Gap[];
    } catch {
      return [];
    }
  }

  async writeLosses(losses: readonly Gap[]): Promise<void> {
    const path = join(this.#directory, 'losses.json');
    if (losses.length === 0) await rm(path, { force: true });
    else await writeFile(path, `${JSON.stringify(losses)}\n`);
  }

  /** Keeps what the sink will never take, for a person to look at. */
  async addDeadLetters(rejections: readonly Rejection[]): Promise<void> {
    const lines = rejections.map((rejection) => `${JSON.stringify(rejection)}\n`);
    await appendFile(join(this.#directory, 'dead-letters.ndjson'), lines.join(''));
  }
}
