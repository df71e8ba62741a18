/** Runs the generators of this repository: code from the API model, and generated documents. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { generators } from './lib/generators.mjs';
import { root } from './lib/paths.mjs';
import { handOver } from './lib/run.mjs';

const USAGE = `npm run generate [-- options]

Writes what programs of this repository generate: typed modules from the API model, the error and
command references.

  --check   write nothing; fail if a file is not up to date
  --help    print this help`;

const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(USAGE);
else await generate();

async function generate() {
  for (const generator of generators) {
    const args = [join(root, generator), ...(values.check ? ['--check'] : [])];
    const code = await handOver(process.execPath, args, process.env);
    if (code !== 0) process.exitCode = code;
  }
}
