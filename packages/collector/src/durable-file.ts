import { chmod, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Events say what runs in a cluster and why it fails: only the owner may read them. */
export const PRIVATE_FILE = 0o600;
/** The mode of folders with events. */
export const PRIVATE_FOLDER = 0o700;

/**
 * Replaces a file in one step: a reader finds the old content or the new one, and after a power loss one
 * of the two is there. When it resolves, the new content survives a power loss.
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
    // On a full disk half a file would take room from what matters.
    await rm(fresh, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Removes a file so that it stays removed after a power loss. A missing file is fine. */
export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true });
  await syncFolder(dirname(path));
}

/** Makes created, renamed and removed entries of a folder survive a power loss. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders, and keeps its entries safe by itself.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Creates a folder that only its owner enters, and tightens one from an earlier version. */
export async function privateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: PRIVATE_FOLDER });
  await chmod(path, PRIVATE_FOLDER);
}
