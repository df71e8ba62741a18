/**
 * Writes the objects that a new embedded server starts with into a data file of the server, which
 * copies them instead of making them in every process. `--check` writes nothing and fails if the
 * file is not up to date.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { writeWithAggregation } from '../packages/apiserver/dist/bootstrap/initial-objects.js';
import { createTemplate } from '../packages/apiserver/dist/bootstrap/template.js';
import { Backend } from '../packages/apiserver/dist/server/backend.js';
import { root } from './lib/paths.mjs';

/** Fields that are different in every cluster. */
const OWN = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'time', 'lastTransitionTime']);

const { values } = parseArgs({ options: { check: { type: 'boolean' } } });
const path = 'packages/apiserver/data/initial-objects.json';
const file = join(root, path);
const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
const after = initialObjects();
if (after !== before) {
  if (values.check) {
    console.error(`${path} is not up to date`);
    process.exitCode = 1;
  } else writeFileSync(file, after);
}

/** One object per line. */
function initialObjects() {
  // Without controllers it does not read the file that is about to be written.
  using backend = new Backend({ controllers: false });
  const { catalog } = backend.core;
  const apiVersions = catalog
    .groupVersions()
    .map(({ group, version }) => (group === '' ? version : `${group}/${version}`));
  const objects = createTemplate(backend.core, writeWithAggregation).map((entry) =>
    JSON.stringify(entry, (key, value) => (OWN.has(key) ? '' : value)),
  );
  return `{"apiVersions":${JSON.stringify(apiVersions)},\n"objects":[\n${objects.join(',\n')}\n]}\n`;
}
