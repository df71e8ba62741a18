/** Writes `docs/cli.md`; with `--check`, checks that it is up to date. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { commands } from './command-table.ts';
import { referencePage } from './reference/reference-page.ts';

const path = 'docs/cli.md';
/** Relative to `packages/cli/dist` and `packages/cli/src`. */
const file = fileURLToPath(new URL(`../../../${path}`, import.meta.url));

function current(): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const page = referencePage(commands);
if (current() === page) {
  console.log(`${path} is up to date.`);
} else if (process.argv.includes('--check')) {
  console.error(`changed: ${path} (reference of the command). Run: npm run generate`);
  process.exitCode = 1;
} else {
  writeFileSync(file, page);
  console.log(`wrote ${path}`);
}
