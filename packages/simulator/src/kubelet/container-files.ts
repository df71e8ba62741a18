import { posix } from 'node:path';

/** A file, folder or symbolic link of a container. */
export type ContainerFile =
  | {
      readonly kind: 'file';
      readonly mode: number;
      readonly modifiedMs: number;
      readonly content: Uint8Array;
    }
  | { readonly kind: 'folder'; readonly mode: number; readonly modifiedMs: number }
  | {
      readonly kind: 'link';
      readonly mode: number;
      readonly modifiedMs: number;
      readonly target: string;
    };

/** The number of links on the way to a file, so that circular links end. */
const MAX_LINKS = 40;

/** The files of a container, in memory. Paths are absolute and normalized by every method. */
export class ContainerFiles {
  readonly #files = new Map<string, ContainerFile>();

  constructor() {
    for (const path of ['/', '/etc', '/home', '/root', '/tmp', '/var']) {
      this.#files.set(path, { kind: 'folder', mode: 0o755, modifiedMs: 0 });
    }
  }

  /** Returns the entry at a path; links on the way are followed, a link at its end is not. */
  entry(path: string): ContainerFile | undefined {
    return this.#files.get(this.#resolve(path, false));
  }

  /** Returns the entry at a path, and follows links. */
  find(path: string): ContainerFile | undefined {
    return this.#files.get(this.#resolve(path, true));
  }

  /** Returns the names in a folder, sorted. */
  list(path: string): string[] {
    const folder = this.#resolve(path, true);
    const prefix = folder === '/' ? '/' : `${folder}/`;
    const names: string[] = [];
    for (const known of this.#files.keys()) {
      const name = known.slice(prefix.length);
      if (known.startsWith(prefix) && name !== '' && !name.includes('/')) names.push(name);
    }
    return names.toSorted();
  }

  /** Creates or replaces an entry, with the folders above it. Throws if one of them is a file. */
  put(path: string, file: ContainerFile): void {
    const place = this.#resolve(path, file.kind === 'file');
    this.#makeFolders(posix.dirname(place), file.modifiedMs);
    if (file.kind === 'folder') {
      const before = this.#files.get(place);
      if (before !== undefined && before.kind !== 'folder') throw notAFolder(place);
    } else if (this.#files.get(place)?.kind === 'folder') {
      throw new Error(`${place}: Is a directory`);
    }
    this.#files.set(place, file);
  }

  /** Removes an entry and everything below it. Returns whether it existed. */
  remove(path: string): boolean {
    const place = this.#resolve(path, false);
    if (place === '/' || !this.#files.delete(place)) return false;
    for (const known of this.#files.keys()) {
      if (known.startsWith(`${place}/`)) this.#files.delete(known);
    }
    return true;
  }

  #makeFolders(path: string, modifiedMs: number): void {
    const there = this.#files.get(path);
    if (there?.kind === 'folder') return;
    if (there !== undefined) throw notAFolder(path);
    this.#makeFolders(posix.dirname(path), modifiedMs);
    this.#files.set(path, { kind: 'folder', mode: 0o755, modifiedMs });
  }

  #resolve(path: string, followsLast: boolean): string {
    let rest = posix.resolve('/', path).split('/').filter(Boolean);
    let place = '/';
    let links = 0;
    while (rest.length > 0) {
      const [name = '', ...more] = rest;
      const next = posix.join(place, name);
      const entry = this.#files.get(next);
      const follows = entry?.kind === 'link' && (more.length > 0 || followsLast);
      if (!follows) {
        place = next;
        rest = more;
        continue;
      }
      links += 1;
      if (links > MAX_LINKS) throw new Error(`${path}: Too many levels of symbolic links`);
      const target = posix.resolve(place, entry.target);
      rest = [...target.split('/').filter(Boolean), ...more];
      place = '/';
    }
    return place;
  }
}

function notAFolder(path: string): Error {
  return new Error(`${path}: Not a directory`);
}
