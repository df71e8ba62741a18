import type { Stats } from 'node:fs';
import { lstat, open, readdir, readlink } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import { Readable } from 'node:stream';
import type { TarPackController } from 'modern-tar';
import { checkOptions, checkText } from '../rest/rest-error.ts';
import type { RESTClient } from '../rest/rest-client.ts';
import { type CopyProgress, Progress, type TarEntry } from './copy-progress.ts';
import { exec, type PodReference } from './exec.ts';
import type { ExecSession } from './exec-session.ts';
import { Extraction, type SkippedEntry } from './extraction.ts';
import { StreamsError } from './streams-error.ts';

/** Options of copies from and to pods. */
export interface CopyOptions {
  /** Default: as for `exec`. It needs the program `tar`. */
  readonly container?: string | undefined;
  /** Called for every entry, and while large files are copied. */
  readonly onProgress?: ((progress: CopyProgress) => void) | undefined;
  /** False to leave modes and times to the receiving side. Default true: they are kept. */
  readonly preserve?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a copy has done. */
export interface CopyResult {
  readonly entries: number;
  readonly bytes: number;
  /** Entries that were left out, with the reason. */
  readonly skipped: readonly SkippedEntry[];
}

/** Stderr of `tar` is quoted in errors up to this length. */
const MAX_QUOTED = 2000;

/**
 * Copies a file or folder into a container, as `target`: the folder that `target` is in must exist,
 * and what is there is replaced or merged. Modes, times and symbolic links are kept. Rejects with
 * `STREAMS_COPY_FAILED` and the words of `tar` if the container cannot store it.
 */
export async function copyTo(
  rest: RESTClient,
  pod: PodReference,
  source: string,
  target: string,
  options: CopyOptions = {},
): Promise<CopyResult> {
  checkCopy(source, target, options);
  const { container, preserve = true, signal } = options;
  const [folder, name] = splitRemote(target);
  const flags = preserve ? ['-xpf'] : ['--no-same-permissions', '--no-same-owner', '-xmf'];
  const tar = ['tar', ...flags, '-', '-C', folder];
  const progress = new Progress(options.onProgress, rest.logger);
  const session = await exec(rest, pod, tar, { container, stdin: true, signal });
  return await finishing(session, async () => {
    const { createTarPacker } = await import('modern-tar');
    const { readable, controller } = createTarPacker();
    const sending = send(readable as AsyncIterable<Uint8Array>, session);
    try {
      await new Packing(controller, progress).add(source, name);
      controller.finalize();
    } catch (error) {
      controller.error(error);
      await sending.catch(() => undefined);
      throw error;
    }
    await sending;
    return { ...progress.total, skipped: [] };
  });
}

/**
 * Copies a file or folder from a container, as `target`. Nothing is written outside of `target`,
 * whatever the container sends: a path that leaves it is refused with `STREAMS_COPY_UNSAFE`, and links
 * that leave it, devices and pipes are left out and listed in the result. Modes and times are kept.
 */
export async function copyFrom(
  rest: RESTClient,
  pod: PodReference,
  source: string,
  target: string,
  options: CopyOptions = {},
): Promise<CopyResult> {
  checkCopy(source, target, options);
  const { container, preserve = true, signal } = options;
  const [folder, name] = splitRemote(source);
  const tar = ['tar', '-cf', '-', '-C', folder, `./${name}`];
  const progress = new Progress(options.onProgress, rest.logger);
  const session = await exec(rest, pod, tar, { container, signal });
  return await finishing(session, async () => {
    const { createTarDecoder } = await import('modern-tar');
    const { readable, writable } = createTarDecoder({ strict: true });
    const extraction = new Extraction(target, name, { preserve, progress });
    const receiving = Readable.toWeb(session.stdout) as ReadableStream<Uint8Array>;
    const piping = receiving.pipeTo(writable);
    piping.catch(() => undefined);
    try {
      for await (const entry of readable as AsyncIterable<TarEntry>) await extraction.add(entry);
      await piping;
    } finally {
      await extraction.finish();
    }
    if (progress.total.entries === 0) {
      throw new StreamsError('STREAMS_COPY_FAILED', `the container sent nothing for ${source}`);
    }
    return { ...progress.total, skipped: extraction.skipped };
  });
}

function checkCopy(source: string, target: string, options: CopyOptions): void {
  checkText(source, 'source');
  checkText(target, 'target');
  checkOptions(options);
}

/** Splits a path in the container into folder and name; the root is `.` in itself. */
function splitRemote(path: string): readonly [string, string] {
  const clean = posix.normalize(path).replace(/(?<=.)\/$/, '');
  if (clean === '' || path === '') {
    throw new StreamsError('STREAMS_OPTIONS', 'the path in the container is empty');
  }
  if (clean === '/' || clean === '.') return [clean, '.'];
  return [posix.dirname(clean), posix.basename(clean)];
}

/** Runs the work beside `tar`. If `tar` fails too, its words are the error: they say more. */
async function finishing<T>(session: ExecSession, work: () => Promise<T>): Promise<T> {
  let words = '';
  session.stderr.on('data', (chunk: Buffer) => {
    if (words.length < MAX_QUOTED) words += chunk.toString();
  });
  const working = work().catch(async (error: unknown) => {
    if (isOwnError(error)) await session.close();
    // The rest of the archive is discarded, so that `tar` can end.
    else session.stdout.destroy();
    throw error;
  });
  const [worked, exited] = await Promise.allSettled([working, session.exited]);
  await session.close();
  const problem: unknown = worked.status === 'rejected' ? worked.reason : undefined;
  if (isOwnError(problem)) throw problem;
  if (exited.status === 'rejected') throw exited.reason;
  if (exited.value.exitCode !== 0) throw failed(exited.value.exitCode, words, problem);
  if (worked.status === 'fulfilled') return worked.value;
  const message = 'the container did not send a complete tar archive';
  throw new StreamsError('STREAMS_COPY_FAILED', message, { cause: problem });
}

/** Errors of this side: unsafe entries, and files that cannot be read or written. */
function isOwnError(error: unknown): boolean {
  if (error instanceof StreamsError) return error.code.startsWith('STREAMS_COPY_');
  const code: unknown = Reflect.get(Object(error), 'syscall');
  return typeof code === 'string';
}

function failed(exitCode: number, words: string, cause?: unknown): StreamsError {
  const said = words.trim() === '' ? '' : `: ${words.trim().slice(0, MAX_QUOTED)}`;
  const message = `tar in the container failed with exit code ${exitCode}${said}`;
  return new StreamsError('STREAMS_COPY_FAILED', message, { cause });
}

async function send(archive: AsyncIterable<Uint8Array>, { stdin }: ExecSession): Promise<void> {
  for await (const chunk of archive) {
    if (stdin.destroyed) throw new Error('tar in the container has ended');
    if (!stdin.write(chunk)) await drained(stdin);
  }
  stdin.end();
}

function drained(stdin: ExecSession['stdin']): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stdin.off('drain', done).off('close', done);
      resolve();
    };
    stdin.on('drain', done).on('close', done);
  });
}

/** Writes a local file or folder into an archive. */
class Packing {
  readonly #controller: TarPackController;
  readonly #progress: Progress;

  constructor(controller: TarPackController, progress: Progress) {
    this.#controller = controller;
    this.#progress = progress;
  }

  /** Adds a path under a name of the archive, with everything below. */
  async add(path: string, name: string, shown = ''): Promise<void> {
    const stats = await lstat(path);
    const { mtime } = stats;
    const mode = stats.mode & 0o7777;
    this.#progress.entry(shown);
    if (stats.isDirectory()) {
      await this.#controller
        .add({ name: `${name}/`, type: 'directory', mode, mtime, size: 0 })
        .close();
      for (const child of (await readdir(path)).toSorted()) {
        const below = shown === '' ? child : `${shown}/${child}`;
        await this.add(join(path, child), `${name}/${child}`, below);
      }
    } else if (stats.isSymbolicLink()) {
      const linkname = await readlink(path);
      const link = { name, type: 'symlink', linkname, mode, mtime, size: 0 } as const;
      await this.#controller.add(link).close();
    } else if (stats.isFile()) await this.#file(path, name, stats, shown);
  }

  async #file(
    path: string,
    name: string,
    { size, mode, mtime }: Stats,
    shown: string,
  ): Promise<void> {
    const entry = this.#controller.add({ name, type: 'file', size, mode: mode & 0o7777, mtime });
    const writer = entry.getWriter();
    await using file = await open(path, 'r');
    let left = size;
    // As long as it was when its header was written, although it may be growing.
    for await (const chunk of file.createReadStream({ autoClose: false, ...rangeOf(size) })) {
      const bytes = chunk as Buffer;
      left -= bytes.length;
      await writer.write(bytes);
      this.#progress.bytes(shown === '' ? basename(path) : shown, bytes.length);
    }
    if (left > 0) {
      const message = `${path} became shorter while it was copied`;
      throw new StreamsError('STREAMS_COPY_FAILED', message);
    }
    await writer.close();
  }
}

/** An empty range cannot be expressed. */
function rangeOf(size: number): { readonly start?: number; readonly end?: number } {
  return size === 0 ? {} : { start: 0, end: size - 1 };
}
