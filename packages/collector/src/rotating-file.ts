import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PRIVATE_FILE, removeFile, syncFolder } from './durable-file.ts';

/** Options of a {@link RotatingFile}. */
export interface RotatingFileOptions {
  readonly path: string;
  /** A file that would exceed this size is renamed to `path.1`. Infinity: never. */
  readonly maxBytes: number;
  /** The number of renamed files to keep. */
  readonly keep: number;
}

/**
 * Appends lines to a file of bounded size. Accepted text survives a power loss. An incomplete last
 * line of an earlier process is terminated first.
 */
export class RotatingFile implements AsyncDisposable {
  readonly #options: RotatingFileOptions;
  #file: FileHandle | undefined;
  #bytes = 0;
  /** Serialises operations. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: RotatingFileOptions) {
    this.#options = options;
  }

  /** Opens the file before the first line, so that a wrong path is detected early. */
  open(): Promise<void> {
    return this.#inTurn(async () => void (await this.#opened()));
  }

  append(text: string): Promise<void> {
    return this.#inTurn(async () => {
      const bytes = Buffer.byteLength(text);
      await this.#opened();
      if (this.#bytes > 0 && this.#bytes + bytes > this.#options.maxBytes) await this.#rotate();
      const file = await this.#opened();
      try {
        await file.appendFile(text);
        await file.datasync();
        this.#bytes += bytes;
      } catch (error) {
        // Part of a line may be in the file: the caller appends all of it again.
        await file.truncate(this.#bytes).catch(() => this.#close());
        throw error;
      }
    });
  }

  /** Reopens the path: another program has moved the file. */
  reopen(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#close();
      await this.#opened();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#inTurn(() => this.#close());
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #opened(): Promise<FileHandle> {
    if (this.#file !== undefined) return this.#file;
    const { path } = this.#options;
    const file = await open(path, 'a+', PRIVATE_FILE);
    try {
      const { size } = await file.stat();
      this.#bytes = size;
      if (size === 0) await syncFolder(dirname(path));
      else {
        const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
        if (buffer[0] !== 0x0a) {
          await file.appendFile('\n');
          this.#bytes += 1;
        }
      }
    } catch (error) {
      await file.close();
      throw error;
    }
    this.#file = file;
    return file;
  }

  async #rotate(): Promise<void> {
    const { path, keep } = this.#options;
    await this.#close();
    if (keep < 1) return await removeFile(path);
    for (let number = keep - 1; number >= 0; number -= 1) {
      const from = number === 0 ? path : `${path}.${number}`;
      await rename(from, `${path}.${number + 1}`).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
    }
    await syncFolder(dirname(path));
  }

  async #close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }
}
