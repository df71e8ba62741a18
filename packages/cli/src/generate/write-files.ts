import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { CliError } from '../frame/cli-error.ts';

/**
 * Writes files below a directory: first all to temporary names, then renames them, so that a
 * failure keeps the old files.
 */
export async function writeFiles(
  directory: string,
  files: ReadonlyMap<string, string>,
): Promise<void> {
  const written: { readonly temporary: string; readonly final: string }[] = [];
  try {
    for (const [path, text] of files) {
      const final = join(directory, path);
      const temporary = `${final}.${process.pid}.tmp`;
      await mkdir(dirname(final), { recursive: true });
      written.push({ temporary, final });
      await writeFile(temporary, text);
    }
    for (const { temporary, final } of written) await rename(temporary, final);
  } catch (cause) {
    await Promise.all(written.map(({ temporary }) => rm(temporary, { force: true })));
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CliError('CLI_FILE_UNWRITABLE', `cannot write to ${directory}: ${reason}`, { cause });
  }
}
