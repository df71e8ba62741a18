import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file of the page. */
export interface StaticFile {
  readonly type: string;
  readonly content: Buffer;
  /** Compressed with Brotli, if the build has done so. */
  readonly brotli: Buffer | undefined;
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['.css', 'text/css; charset=utf-8'],
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.json', 'application/json'],
  ['.svg', 'image/svg+xml'],
  ['.woff2', 'font/woff2'],
]);

/** The directory into which the build writes the page: beside `src` and `dist`. */
const ASSETS = fileURLToPath(new URL('../assets/', import.meta.url));

/**
 * Returns the files of the page by path, `/` for `index.html`. They are read once: no request can name any
 * other file. Empty if the page was not built.
 */
export async function readPage(directory: string = ASSETS): Promise<Map<string, StaticFile>> {
  const files = new Map<string, StaticFile>();
  const names = new Set(await readdir(directory).catch(() => []));
  for (const name of names) {
    const type = TYPES.get(extname(name));
    if (type === undefined) continue;
    const content = await readFile(join(directory, name));
    const compressed = `${name}.br`;
    const brotli = names.has(compressed) ? await readFile(join(directory, compressed)) : undefined;
    const file = { type, content, brotli };
    files.set(`/${name}`, file);
    if (name === 'index.html') files.set('/', file);
  }
  return files;
}
