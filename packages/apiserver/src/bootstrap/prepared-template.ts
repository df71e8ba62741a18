import { readFileSync } from 'node:fs';

import { apiVersionOf, type GroupVersion } from 'client-ts/meta';

import type { Template } from './template.ts';

/** What `data/initial-objects.json` holds. `npm run generate` writes it. */
interface PreparedFile {
  /** The `apiVersion` of every group-version that the objects were made with. */
  readonly apiVersions: readonly string[];
  readonly objects: Template;
}

/**
 * Returns the initial objects of a server with exactly these group-versions, if they are prepared:
 * those of a server with the default options are. Reading them takes a twentieth of the time that
 * making them does, which every process with a server would spend.
 */
export function preparedTemplate(groupVersions: readonly GroupVersion[]): Template | undefined {
  const file = new URL('../../data/initial-objects.json', import.meta.url);
  const { apiVersions, objects } = JSON.parse(readFileSync(file, 'utf8')) as PreparedFile;
  const wanted = groupVersions.map(apiVersionOf);
  const isSame =
    wanted.length === apiVersions.length &&
    wanted.every((apiVersion, index) => apiVersion === apiVersions[index]);
  return isSame ? objects : undefined;
}
