import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, lstat, open, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** As many as Linux follows before it gives ELOOP. */
const MOST_LINKS = 40;

/** Follows symbolic links to the end, also where there is no file yet. */
export async function linkTarget(file: string): Promise<string> {
  let target = file;
  for (let links = 0; links < MOST_LINKS; links++) {
    const next = await readlink(target).catch(() => undefined);
    if (next === undefined) return target;
    target = resolve(dirname(target), next);
  }
  return target;
}

export interface ReplaceFileOptions {
  /** The mode of the new file; `keep` takes mode and owner of the old one, and 0600 without one. */
  readonly mode: number | 'keep';
}

/**
 * Replaces a file, or a symbolic link, in one step: readers see the old content or the new, and the
 * new is never in a file that others can read. What is no file (a terminal, a pipe) is written to.
 */
export async function replaceFile(
  file: string,
  content: string,
  { mode }: ReplaceFileOptions,
): Promise<void> {
  const old = await lstat(file).catch(() => undefined);
  if (old !== undefined && !old.isFile() && !old.isSymbolicLink()) {
    await writeFile(file, content);
    return;
  }
  const kept = mode === 'keep' && old?.isFile() === true ? old : undefined;
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      if (kept !== undefined) await takeOver(handle, kept);
      else await handle.chmod(mode === 'keep' ? 0o600 : mode);
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    // A file that is mounted alone cannot be replaced, only rewritten; its owner stays the same.
    const isMounted = (error as NodeJS.ErrnoException).code === 'EBUSY';
    if (kept === undefined || !(isMounted || error instanceof OwnerError)) throw error;
    await writeFile(file, content);
  }
}

/** The process may not give the new file to the owner of the old one. */
class OwnerError extends Error {}

async function takeOver(handle: FileHandle, old: Stats): Promise<void> {
  const { uid, gid } = await handle.stat();
  if (uid !== old.uid || gid !== old.gid) {
    await handle.chown(old.uid, old.gid).catch((cause: unknown) => {
      throw new OwnerError('the owner cannot be kept', { cause });
    });
  }
  await handle.chmod(old.mode & 0o7777);
}
