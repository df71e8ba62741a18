import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { ClientError } from 'client-ts/lib';

/** Writes a kubeconfig where only its owner can read it: it holds a token. */
export async function writeKubeconfig(path: string, content: string, hint: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, content, { mode: 0o600 });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ClientError('FILE_UNWRITABLE', `cannot write ${path}: ${reason}`, { cause, hint });
  }
}
