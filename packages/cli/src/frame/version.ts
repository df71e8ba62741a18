import { readFile } from 'node:fs/promises';

/** The version of this command, as its package says. */
export async function versionOfCommand(): Promise<string> {
  // The same distance from `src/frame` and from `dist/frame`.
  const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
