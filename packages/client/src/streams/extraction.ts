import { constants } from 'node:fs';
import { chmod, link, lstat, mkdir, open, rm, symlink, utimes } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Progress, TarEntry } from './copy-progress.ts';
import { StreamsError } from './streams-error.ts';

/** An entry of an archive that was left out. */
export interface SkippedEntry {
  /** Its path, relative to what is copied. */
  readonly path: string;
  readonly reason: string;
}

/** Options of {@link Extraction}. */
export interface ExtractionOptions {
  readonly preserve: boolean;
  readonly progress: Progress;
}

interface Deferred {
  readonly path: string;
  readonly mode: number | undefined;
  readonly mtime: Date | undefined;
}

/**
 * Writes the entries of an archive below a folder, or to one file, and nowhere else. Every folder on
 * the way to an entry is a real folder, checked before it is used. Links are made at the end, when
 * nothing is written through them any more.
 */
export class Extraction {
  readonly skipped: SkippedEntry[] = [];
  readonly #root: string;
  readonly #name: string;
  readonly #options: ExtractionOptions;
  readonly #folders = new Set<string>();
  readonly #attributes: Deferred[] = [];
  readonly #links: { readonly path: string; readonly target: string }[] = [];

  /** `name` is that of the copied file or folder in the archive, which becomes `target`. */
  constructor(target: string, name: string, options: ExtractionOptions) {
    this.#root = resolve(target);
    this.#name = name;
    this.#options = options;
  }

  /** Writes one entry. */
  async add({ header, body }: TarEntry): Promise<void> {
    const { type = 'file', mode, mtime, linkname = '' } = header;
    const path = this.#relative(header.name);
    this.#options.progress.entry(path);
    if (type === 'file') await this.#file(path, { header, body });
    else await body.cancel();
    if (type === 'directory') {
      await this.#folder(path);
      this.#attributes.push({ path: this.#absolute(path), mode, mtime });
    } else if (type === 'symlink') this.#symlink(path, linkname);
    else if (type === 'link') await this.#hardLink(path, linkname);
    else if (type !== 'file') this.skipped.push({ path, reason: `is a ${type}` });
  }

  /** Makes links, and sets modes and times of folders, which writing into them would change. */
  async finish(): Promise<void> {
    for (const { path, target } of this.#links) {
      await this.#folder(dirname(path) === '.' ? '' : dirname(path));
      await this.#clear(path);
      await symlink(target, this.#absolute(path));
    }
    for (const attributes of this.#attributes.toReversed()) await this.#keep(attributes);
  }

  /** Returns the path below the root; empty for the root itself. */
  #relative(name: string): string {
    const parts = name.split('/').filter((part) => part !== '' && part !== '.');
    const isForeign = this.#name !== '.' && parts.shift() !== this.#name;
    const isUnsafe = parts.some((part) => part === '..' || (isWindows() && /[\\:]/.test(part)));
    if (isForeign || isUnsafe || name.startsWith('/') || name.includes('\0')) {
      throw unsafe(
        `the container sent ${JSON.stringify(name)}, which is outside of what is copied`,
      );
    }
    return parts.join('/');
  }

  #absolute(path: string): string {
    return join(this.#root, path);
  }

  /** Makes a folder and those above it; what is there must be a real folder. */
  async #folder(path: string): Promise<void> {
    if (this.#folders.has(path)) return;
    if (path !== '') await this.#folder(dirname(path) === '.' ? '' : dirname(path));
    const absolute = this.#absolute(path);
    const found = await statsOf(absolute);
    if (found === undefined) await mkdir(absolute, { mode: 0o700 });
    else if (!found.isDirectory() && !(path === '' && found.isSymbolicLink())) {
      throw unsafe(`${absolute} is not a folder, and files would be written through it`);
    }
    if (found === undefined)
      this.#attributes.push({ path: absolute, mode: 0o755, mtime: undefined });
    this.#folders.add(path);
  }

  /** Removes a file or link that is replaced; a folder is kept. */
  async #clear(path: string): Promise<void> {
    if (path !== '') await this.#folder(dirname(path) === '.' ? '' : dirname(path));
    const absolute = this.#absolute(path);
    const found = await statsOf(absolute);
    if (found?.isDirectory() === true) throw unsafe(`${absolute} is a folder, and not replaced`);
    if (found !== undefined) await rm(absolute);
  }

  async #file(path: string, { header, body }: TarEntry): Promise<void> {
    await this.#clear(path);
    const absolute = this.#absolute(path);
    const { O_CREAT, O_EXCL, O_WRONLY } = constants;
    const file = await open(absolute, O_CREAT | O_EXCL | O_WRONLY, 0o600);
    try {
      for await (const chunk of body as AsyncIterable<Uint8Array>) {
        await file.write(chunk);
        this.#options.progress.bytes(path, chunk.length);
      }
    } finally {
      await file.close();
    }
    const { mode, mtime } = header;
    await this.#keep({ path: absolute, mode, mtime });
  }

  /** Set-user-id and set-group-id bits of a container mean nothing here. */
  async #keep({ path, mode = 0o644, mtime }: Deferred): Promise<void> {
    const { preserve } = this.#options;
    const isFolder = (await lstat(path)).isDirectory();
    await chmod(path, preserve ? mode & 0o777 : isFolder ? 0o755 : 0o644);
    if (preserve && mtime !== undefined) await utimes(path, mtime, mtime);
  }

  /**
   * A link stays inside if it climbs no further than to the root, and climbs before it descends: the
   * folders that it climbs through are real.
   */
  #symlink(path: string, target: string): void {
    const parts = target.split('/');
    const depth = path === '' ? 0 : path.split('/').length - 1;
    const climbs = parts.findIndex((part) => part !== '..');
    const up = climbs === -1 ? parts.length : climbs;
    const isLeaving =
      target === '' ||
      target.startsWith('/') ||
      up > depth ||
      parts.slice(up).includes('..') ||
      (isWindows() && /[\\:]/.test(target));
    if (isLeaving) this.skipped.push({ path, reason: `links to ${JSON.stringify(target)}` });
    else this.#links.push({ path, target });
  }

  async #hardLink(path: string, name: string): Promise<void> {
    const source = this.#relative(name);
    await this.#folder(dirname(source) === '.' ? '' : dirname(source));
    const found = await statsOf(this.#absolute(source));
    if (found?.isFile() !== true) {
      this.skipped.push({ path, reason: `links to ${JSON.stringify(name)}, which is not a file` });
      return;
    }
    await this.#clear(path);
    await link(this.#absolute(source), this.#absolute(path));
  }
}

async function statsOf(path: string): Promise<Awaited<ReturnType<typeof lstat>> | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (Reflect.get(Object(error), 'code') === 'ENOENT') return undefined;
    throw error;
  }
}

function isWindows(): boolean {
  return process.platform === 'win32';
}

function unsafe(message: string): StreamsError {
  return new StreamsError('STREAMS_COPY_UNSAFE', message);
}
