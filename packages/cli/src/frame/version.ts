import { readFile } from 'node:fs/promises';

/** The version of this package. */
export async function versionOfCommand(): Promise<string> {
  // `src/frame` and `dist/frame` are at the same depth.
  const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
