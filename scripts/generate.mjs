/**
 * `npm run generate`: everything that is written by programs of this repository: code from the API
 * model, and the reference of the command from its descriptions. `--check` writes nothing and fails
 * if something is not up to date.
 */
import { join } from 'node:path';

import { generators } from './lib/generators.mjs';
import { root } from './lib/paths.mjs';
import { handOver } from './lib/run.mjs';

for (const generator of generators) {
  const args = [join(root, generator), ...process.argv.slice(2)];
  const code = await handOver(process.execPath, args, process.env);
  if (code !== 0) process.exitCode = code;
}
