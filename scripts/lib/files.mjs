import { existsSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** Never part of the project's own files. */
const SKIPPED = new Set(['node_modules', 'dist', 'vendor', '.git', '.cache', '.kube']);

/**
 * All files below a directory whose path passes `wanted`, with forward slashes, relative to `base`,
 * in a stable order. A directory that is not there has no files.
 * @param {string} base
 * @param {string} directory
 * @param {(path: string) => boolean} [wanted]
 * @param {ReadonlySet<string>} [skipped] names of directories not to enter
 * @returns {string[]}
 */
export function listFiles(base, directory, wanted = () => true, skipped = SKIPPED) {
  /** @type {string[]} */
  const found = [];
  const walk = (/** @type {string} */ current) => {
    for (const entry of readdirSync(current, { withFileTypes: true })) {
      const path = join(current, entry.name);
      if (entry.isDirectory()) {
        if (!skipped.has(entry.name)) walk(path);
      } else if (entry.isFile()) {
        const shown = relative(base, path).split(sep).join('/');
        if (wanted(shown)) found.push(shown);
      }
    }
  };
  if (existsSync(join(base, directory))) walk(join(base, directory));
  return found.toSorted();
}
