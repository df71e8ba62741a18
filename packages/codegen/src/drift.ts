import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Generator } from './generator.ts';

/** A file on disk that is not what its generator says. */
export interface Drift {
  readonly generator: string;
  readonly path: string;
  readonly kind: 'changed' | 'left over' | 'missing';
}

/** A drift together with the text that would mend it; a left-over file has none. */
export interface Mend extends Drift {
  readonly text?: string;
}

/**
 * Compares what the generators say with what lies below `root`.
 *
 * Two generators that name the same path are a programming error and throw.
 */
export function findDrift(root: string, generators: readonly Generator[]): Mend[] {
  const owners = new Map<string, string>();
  const mends: Mend[] = [];
  for (const generator of generators) {
    const { name } = generator;
    for (const [path, text] of generator.outputs()) {
      const owner = owners.get(path);
      if (owner !== undefined) {
        throw new Error(`${path} is written by two generators: ${owner} and ${name}`);
      }
      owners.set(path, name);
      const found = readIfThere(join(root, path));
      if (found === text) continue;
      const kind = found === undefined ? 'missing' : 'changed';
      mends.push({ generator: name, path, kind, text });
    }
  }
  for (const { name, owns = [] } of generators) {
    for (const path of owns.flatMap((directory) => filesBelow(root, directory))) {
      if (!owners.has(path)) mends.push({ generator: name, path, kind: 'left over' });
    }
  }
  return mends;
}

/** Makes the files below `root` what the generators say: writes, and removes what is left over. */
export function mendDrift(root: string, mends: readonly Mend[]): void {
  for (const { path, text } of mends) {
    const file = join(root, path);
    if (text === undefined) {
      rmSync(file);
      continue;
    }
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function filesBelow(root: string, directory: string): string[] {
  let entries;
  try {
    entries = readdirSync(join(root, directory), { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return entries.flatMap((entry) => {
    const path = `${directory}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(root, path) : [path];
  });
}
