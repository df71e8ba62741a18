import {
  link,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { type Clock, isJsonObject, sleep, systemRandom } from 'client-ts/internal';
import { CollectorError } from './collector-error.ts';
import { PRIVATE_FILE, PRIVATE_FOLDER } from './durable-file.ts';

/** The process that holds a lock, as the lock file describes it. */
export interface LockHolder {
  readonly id: string;
  readonly pid: number;
  readonly host: string;
  readonly since: string;
  /** The namespace of the pid, on Linux: containers of one host have their own. */
  readonly pidNamespace?: string | undefined;
  /** When the process started, on Linux: distinguishes it from a later process with the same pid. */
  readonly startedAt?: string | undefined;
}

/** Options of {@link DirectoryLock.take}. */
export interface DirectoryLockOptions {
  /** Created if it does not exist. */
  readonly directory: string;
  readonly clock: Clock;
  /** Ends the wait for a sign of life of a holder on another host. */
  readonly signal?: AbortSignal | undefined;
}

const lockName = /^lock-(\d{6})\.json$/;
/** How often the holder touches its lock file. */
const RENEW_MS = 5000;
/** A lock of another host is stale if it was not touched for this long, by the clock of this host. */
const STALE_MS = 30_000;
/** Locks that this process holds. */
const ours = new Set<string>();

/**
 * Reserves a directory for one process. The lock of a dead process is taken over: immediately if it
 * ran on this host, after 30 seconds without a sign of life if it ran on another.
 *
 * Node has no file locks that end with the process, so a lock is a file that names its holder. A
 * take-over creates the file with the next number, which only one process can do; the highest number
 * is the valid lock.
 */
export class DirectoryLock implements AsyncDisposable {
  readonly #path: string;
  readonly #holder: LockHolder;
  readonly #lost = new AbortController();
  readonly #over = new AbortController();
  readonly #renewing: Promise<void>;

  private constructor(path: string, holder: LockHolder, clock: Clock) {
    this.#path = path;
    this.#holder = holder;
    this.#renewing = this.#renew(clock);
  }

  /** Aborts if another process takes the lock over. The reason is a {@link CollectorError}. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Takes the lock. Rejects with `COLLECTOR_LOCKED`, naming the holder, if another process has it. */
  static async take(options: DirectoryLockOptions): Promise<DirectoryLock> {
    const { directory, clock } = options;
    // An existing directory keeps its mode: others may use it too.
    await mkdir(directory, { recursive: true, mode: PRIVATE_FOLDER });
    const since = new Date(clock.now()).toISOString();
    const holder: LockHolder = {
      // Never from a seed: the ids of two processes must differ.
      id: systemRandom.uuid(),
      pid: process.pid,
      host: hostname(),
      since,
      pidNamespace: await pidNamespace(),
      startedAt: await startOf(process.pid),
    };
    ours.add(holder.id);
    try {
      const path = await claim(options, holder);
      return new DirectoryLock(path, holder, clock);
    } catch (error) {
      ours.delete(holder.id);
      throw error;
    }
  }

  /** Releases the lock. A second call does nothing. */
  async close(): Promise<void> {
    if (this.#over.signal.aborted) return;
    this.#over.abort();
    await this.#renewing;
    ours.delete(this.#holder.id);
    if (!this.#lost.signal.aborted) await rm(this.#path, { force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #renew(clock: Clock): Promise<void> {
    for (;;) {
      await sleep(clock, RENEW_MS, { signal: this.#over.signal }).catch(() => undefined);
      if (this.#over.signal.aborted) return;
      const now = new Date(clock.now());
      try {
        await utimes(this.#path, now, now);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') continue;
        const message = `the lock "${this.#path}" is gone`;
        this.#lost.abort(new CollectorError('COLLECTOR_LOCK_LOST', message, { cause: error }));
        return;
      }
    }
  }
}

/** Creates the next lock file unless a live process holds the last one; returns its path. */
async function claim(
  { directory, clock, signal }: DirectoryLockOptions,
  holder: LockHolder,
): Promise<string> {
  for (;;) {
    const last = await lastLock(directory);
    if (last !== undefined && !(await isStale(last, clock, signal))) throw heldBy(last);
    const number = (last?.number ?? 0) + 1;
    if (!(await create(directory, number, holder))) continue;
    const path = pathOf(directory, number);
    if (((await lastLock(directory))?.number ?? 0) > number) {
      // Another process has taken over twice in the meantime.
      await rm(path, { force: true });
      continue;
    }
    for (const old of await locksIn(directory)) {
      if (old < number) await rm(pathOf(directory, old), { force: true });
    }
    return path;
  }
}

interface FoundLock {
  readonly number: number;
  readonly path: string;
  /** Undefined if the file is damaged. */
  readonly holder: LockHolder | undefined;
}

async function locksIn(directory: string): Promise<number[]> {
  return (await readdir(directory)).flatMap((name) => {
    const match = lockName.exec(name);
    return match === null ? [] : [Number(match[1])];
  });
}

async function lastLock(directory: string): Promise<FoundLock | undefined> {
  const number = Math.max(0, ...(await locksIn(directory)));
  if (number === 0) return undefined;
  const path = pathOf(directory, number);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  // Released between the two reads.
  if (text === undefined) return await lastLock(directory);
  return { number, path, holder: holderIn(text) };
}

function holderIn(text: string): LockHolder | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isHolder = isJsonObject(value) && typeof value['pid'] === 'number';
    return isHolder ? (value as unknown as LockHolder) : undefined;
  } catch {
    return undefined;
  }
}

async function isStale(
  { holder, path }: FoundLock,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  // A lock file is created with its content: without it, it was damaged and names no process.
  if (holder === undefined) return true;
  const isHere = holder.host === hostname() && holder.pidNamespace === (await pidNamespace());
  if (!isHere) return await isSilent(path, clock, signal);
  if (ours.has(holder.id)) return false;
  if (holder.pid === process.pid) return true;
  if (!isAlive(holder.pid)) return true;
  const startedAt = await startOf(holder.pid);
  return (
    holder.startedAt !== undefined && startedAt !== undefined && startedAt !== holder.startedAt
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Watches the file instead of comparing its time with the clock: the clocks of two hosts differ. */
async function isSilent(
  path: string,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const touched = async (): Promise<number | undefined> =>
    await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    );
  const before = await touched();
  for (let waited = 0; waited < STALE_MS; waited += RENEW_MS) {
    await sleep(clock, RENEW_MS, { signal });
    if ((await touched()) !== before) return false;
  }
  return true;
}

async function pidNamespace(): Promise<string | undefined> {
  return await readlink('/proc/self/ns/pid').catch(() => undefined);
}

/** The start of a process in clock ticks since boot, on Linux; undefined elsewhere. */
async function startOf(pid: number): Promise<string | undefined> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The second field is the name in parentheses, which may contain anything; the start is the 22nd.
  return line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ')
    .at(19);
}

/** Creates the lock file with its content in one step. False if another process was first. */
async function create(directory: string, number: number, holder: LockHolder): Promise<boolean> {
  const draft = join(directory, `lock-${holder.id}.new`);
  await writeFile(draft, `${JSON.stringify(holder)}\n`, { mode: PRIVATE_FILE });
  try {
    await link(draft, pathOf(directory, number));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

function pathOf(directory: string, number: number): string {
  return join(directory, `lock-${`${number}`.padStart(6, '0')}.json`);
}

function heldBy({ path, holder }: FoundLock): CollectorError {
  const { pid, host, since } = holder ?? { pid: '?', host: '?', since: '?' };
  const message = `"${dirname(path)}" is in use by process ${pid} on "${host}" since ${since}`;
  return new CollectorError('COLLECTOR_LOCKED', message);
}
