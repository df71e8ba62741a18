import { chmod, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../lib/clock.ts';
import type { Random } from '../lib/random.ts';

/** What {@link CacheFiles} needs to know. */
export interface CacheFilesOptions {
  readonly directory: string;
  /** How old a file may be, in milliseconds. */
  readonly ttl: number;
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Pick<Random, 'uuid'>;
}

/** As kubectl sets them: whoever shares the group may share the cache. */
const DIRECTORY_MODE = 0o750;
const FILE_MODE = 0o660;

/**
 * JSON documents in a directory that other processes use at the same time. Files are replaced as a
 * whole, so nobody reads half of one. A file that is too old, cannot be read or is no JSON counts as
 * missing.
 */
export class CacheFiles {
  readonly #options: CacheFilesOptions;
  /** The only files that count; undefined if all do. */
  readonly #trusted: Set<string> | undefined;
  #isRenewed = false;

  constructor(options: CacheFilesOptions, trusted?: Set<string>) {
    this.#options = options;
    this.#trusted = trusted;
  }

  /** A document by the path of its file within the directory; undefined if there is none to use. */
  async read(name: string): Promise<unknown> {
    if (this.#trusted?.has(name) === false) return undefined;
    const { directory, ttl, clock } = this.#options;
    try {
      const file = await open(join(directory, name));
      try {
        const { mtimeMs } = await file.stat();
        if (clock.now() > mtimeMs + ttl) return undefined;
        return JSON.parse(await file.readFile('utf8'));
      } finally {
        await file.close();
      }
    } catch {
      // Whatever is wrong with it: the server knows better, and the file will be written anew.
      return undefined;
    }
  }

  /** Writes a document; rejects if that is not possible and leaves nothing behind. */
  async write(name: string, document: object): Promise<void> {
    if (this.#isRenewed) return;
    const { directory, random } = this.#options;
    const path = join(directory, name);
    const draft = join(dirname(path), `${basename(path)}.${random.uuid()}`);
    await mkdir(dirname(path), { recursive: true, mode: DIRECTORY_MODE });
    try {
      await writeFile(draft, `${JSON.stringify(document)}\n`, { flag: 'wx', mode: FILE_MODE });
      // The mode that a file is made with is subject to the umask.
      await chmod(draft, FILE_MODE);
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    this.#trusted?.add(name);
  }

  /**
   * The same directory, in which only what is written from now on counts. Whoever still holds the
   * old one asked the server before, and writes no more.
   */
  renew(): CacheFiles {
    this.#isRenewed = true;
    return new CacheFiles(this.#options, new Set());
  }
}
