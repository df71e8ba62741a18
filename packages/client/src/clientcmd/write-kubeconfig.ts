import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  readlink,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ConfigError } from './config-error.ts';

/** Options of {@link writeKubeconfig}. */
export interface WriteKubeconfigOptions {
  /**
   * True to follow a symbolic link and write its target, for a path that the user chose. Otherwise
   * the link is replaced, so that a planted link cannot redirect the credentials. Default false.
   */
  readonly followLinks?: boolean | undefined;
  /** What to do if the file cannot be written. Default: choose another path. */
  readonly hint?: string | undefined;
}

/**
 * Writes a whole kubeconfig, with its folder if there is none. It holds credentials, so only the
 * owner can read it afterwards, also if there was a file with a wider mode before.
 */
export async function writeKubeconfig(
  file: string,
  content: string,
  { followLinks = false, hint = 'Choose another path.' }: WriteKubeconfigOptions = {},
): Promise<void> {
  try {
    const target = followLinks ? await linkTarget(file) : file;
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await replaceFile(target, content, { mode: 0o600 });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigError('CONFIG_UNWRITABLE', `cannot write ${file}: ${reason}`, { cause, hint });
  }
}

/** Linux follows as many links before it fails with ELOOP. */
const MOST_LINKS = 40;

/** Follows symbolic links to the end, also if there is no file there yet. */
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
  /** The mode of the new file; `keep` copies mode and owner of the old file, or 0600 without one. */
  readonly mode: number | 'keep';
}

/**
 * Replaces a file, or a symbolic link, atomically: readers see the old content or the new, and the
 * new content is never in a file that others can read. Anything that is not a regular file (a
 * terminal, a pipe) is written to.
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
    if (await writeDraft(draft, content, kept ?? (mode === 'keep' ? 0o600 : mode))) {
      await rename(draft, file);
      return;
    }
  } catch (error) {
    await rm(draft, { force: true });
    // A file that is a mount point of its own cannot be replaced, only rewritten in place.
    if (kept === undefined || (error as NodeJS.ErrnoException).code !== 'EBUSY') throw error;
  }
  await rm(draft, { force: true });
  await writeFile(file, content);
}

/**
 * Writes a new file with this mode, or with the mode and owner of an old file. Returns false,
 * without content in the file, if the process may not set that owner.
 */
async function writeDraft(draft: string, content: string, like: Stats | number): Promise<boolean> {
  const handle = await open(draft, 'wx', 0o600);
  try {
    if (typeof like === 'number') await handle.chmod(like);
    else if (!(await setOwner(handle, like))) return false;
    else await handle.chmod(like.mode & 0o7777);
    await handle.writeFile(content);
    await handle.sync();
    return true;
  } finally {
    await handle.close();
  }
}

async function setOwner(handle: FileHandle, { uid, gid }: Stats): Promise<boolean> {
  const own = await handle.stat();
  if (own.uid === uid && own.gid === gid) return true;
  return await handle.chown(uid, gid).then(
    () => true,
    () => false,
  );
}
