import { chmod, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Events reveal what runs in a cluster: only the owner may read them. */
export const PRIVATE_FILE = 0o600;
/** The mode of directories with events. */
export const PRIVATE_FOLDER = 0o700;

/**
 * Replaces a file atomically: after a crash or power loss it has the old or the new content. After
 * the promise resolves it has the new one.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const fresh = `${path}.new`;
  try {
    const file = await open(fresh, 'w', PRIVATE_FILE);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(fresh, path);
  } catch (error) {
    // On a full disk a partial file would take up space.
    await rm(fresh, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/**
 * Removes a file durably: it does not reappear after a power loss. A missing file is not an error.
 */
export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true });
  await syncFolder(dirname(path));
}

/** Syncs a directory, so that created, renamed and removed entries survive a power loss. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open directories, and does not need this.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Creates a directory that only its owner can enter, and restricts one from an earlier version. */
export async function privateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: PRIVATE_FOLDER });
  await chmod(path, PRIVATE_FOLDER);
}
