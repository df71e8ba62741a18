import { readdir } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';

import { compareStrings } from 'client-ts/internal';

/** Returns whether a path is a pattern for {@link findFiles}. */
export function isPattern(path: string): boolean {
  return /[*?{]/.test(path);
}

/**
 * Returns the files that match a pattern, sorted: `*` and `?` within a name, `{a,b}` for choices,
 * `**` for any number of folders. Names that begin with a dot and `node_modules` are matched only if
 * they are written out. Relative patterns start at the working directory.
 */
export async function findFiles(pattern: string): Promise<string[]> {
  const segments = pattern.split(/[\\/]/).filter((segment) => segment !== '.');
  const isFixed = segments.findIndex(isPattern);
  const folder = segments.slice(0, isFixed).join(sep);
  const start = isFixed > 0 && folder === '' ? sep : resolve(folder);
  const found = new Set<string>();
  await collect(start, segments.slice(isFixed), found);
  return [...found].sort(compareStrings);
}

async function collect(
  folder: string,
  [first = '', ...rest]: readonly string[],
  found: Set<string>,
): Promise<void> {
  if (first === '**') await collect(folder, rest, found);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const wanted = expression(first === '**' ? '*' : first);
  for (const entry of entries) {
    if (!wanted.test(entry.name) || isHidden(entry.name, first)) continue;
    const path = join(folder, entry.name);
    if (first === '**') {
      if (entry.isDirectory()) await collect(path, [first, ...rest], found);
    } else if (rest.length === 0) {
      if (!entry.isDirectory()) found.add(path);
    } else if (!entry.isFile()) {
      await collect(path, rest, found);
    }
  }
}

function isHidden(name: string, segment: string): boolean {
  return (name.startsWith('.') || name === 'node_modules') && !segment.startsWith(name.charAt(0));
}

function expression(segment: string): RegExp {
  const source = segment
    .replaceAll(/[.+^$()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
    .replaceAll(/\{([^}]*)\}/g, (_, choices: string) => `(?:${choices.replaceAll(',', '|')})`);
  return new RegExp(`^${source}$`, 'u');
}
