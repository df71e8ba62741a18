import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * One source of generated files. `outputs` is pure: the same model yields the same text, so that
 * `--check` can compare it with what is committed.
 */
export interface Generator {
  /** Named in progress and drift messages. */
  readonly name: string;
  /** Returns the text of each file by its path from the root of the repository. */
  outputs(): Map<string, string>;
  /**
   * Directories that contain generated files only. Other files in them are left over: `--check`
   * reports them, and without it they are removed.
   */
  readonly owns?: readonly string[];
  /** Directories inside of those that are written by hand. */
  readonly keeps?: readonly string[];
}

/** A file on disk that differs from what its generator writes. */
export interface Drift {
  readonly generator: string;
  readonly path: string;
  readonly kind: 'changed' | 'left over' | 'missing';
}

/** A drift with the text that corrects it; a left-over file has none. */
export interface Mend extends Drift {
  readonly text?: string;
}

/** Compares what the generators write with the files below `root`. Throws if two write one path. */
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
  for (const { name, owns = [], keeps = [] } of generators) {
    for (const path of owns.flatMap((directory) => filesBelow(root, directory))) {
      const isKept = keeps.some((directory) => path.startsWith(`${directory}/`));
      if (!isKept && !owners.has(path)) mends.push({ generator: name, path, kind: 'left over' });
    }
  }
  return mends;
}

/** Writes stale and missing files below `root`, and removes left-over ones. */
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
