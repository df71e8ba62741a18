import { resolve } from 'node:path';

import {
  type Manifest,
  parseManifests,
  readManifestFiles,
  type ReadManifestsOptions,
} from 'client-ts/manifests';

import type { CommandContext } from '../frame/context.ts';

/** Returns the objects of files and folders, relative to the working directory; `-` is standard input. */
export async function readManifests(
  files: readonly string[],
  context: CommandContext,
  options: ReadManifestsOptions = {},
): Promise<Manifest[]> {
  const manifests: Manifest[] = [];
  for (const file of files) {
    manifests.push(
      ...(file === '-'
        ? parseManifests(await context.readInput(), { source: 'standard input' })
        : await readManifestFiles(resolve(context.workingDirectory, file), options)),
    );
  }
  return manifests;
}
