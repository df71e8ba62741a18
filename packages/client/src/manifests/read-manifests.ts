import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { compareStrings } from '../lib/go-format.ts';
import { messageOf } from '../lib/errors.ts';
import { parseManifests } from './manifest.ts';
import type { Manifest } from './types.ts';
import { ManifestError } from './manifest-error.ts';

/** Options of {@link readManifestFiles}. */
export interface ReadManifestsOptions {
  /** Reads the folders below a folder too. Default false. */
  readonly recursive?: boolean | undefined;
}

const EXTENSIONS: ReadonlySet<string> = new Set(['.json', '.yaml', '.yml']);

/**
 * Returns the objects of files and of folders, whose `.yaml`, `.yml` and `.json` files are read in
 * alphabetical order. Rejects with {@link ManifestError}: `MANIFESTS_UNREADABLE` for a file that is
 * missing, or a folder without such files, else as `parseManifests`.
 */
export async function readManifestFiles(
  paths: string | readonly string[],
  options: ReadManifestsOptions = {},
): Promise<Manifest[]> {
  const manifests: Manifest[] = [];
  for (const path of typeof paths === 'string' ? [paths] : paths) {
    for (const file of await filesAt(path, options)) {
      const text = await attempt(file, () => readFile(file, 'utf8'));
      manifests.push(...parseManifests(text, { source: file }));
    }
  }
  return manifests;
}

async function filesAt(
  path: string,
  { recursive = false }: ReadManifestsOptions,
): Promise<string[]> {
  const found = await attempt(path, () => stat(path));
  if (!found.isDirectory()) return [path];
  const files = await filesBelow(path, recursive);
  if (files.length > 0) return files;
  throw new ManifestError('MANIFESTS_UNREADABLE', `${path} has no .yaml, .yml or .json files`);
}

async function filesBelow(folder: string, recursive: boolean): Promise<string[]> {
  const entries = await attempt(folder, () => readdir(folder, { withFileTypes: true }));
  const files: string[] = [];
  for (const entry of entries.sort((left, right) => compareStrings(left.name, right.name))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (recursive) files.push(...(await filesBelow(path, recursive)));
    } else if (EXTENSIONS.has(extname(entry.name))) {
      files.push(path);
    }
  }
  return files;
}

async function attempt<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const message = `${path} cannot be read: ${messageOf(error)}`;
    throw new ManifestError('MANIFESTS_UNREADABLE', message, { cause: error });
  }
}
