/** Runs the generators of this repository: code from the API model, and generated documents. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { generators } from './lib/generators.mjs';
import { root } from './lib/paths.mjs';
import { handOver } from './lib/run.mjs';

const USAGE = `npm run generate [-- options]

Writes what programs of this repository generate: typed modules from the API model, the error and
command references.

  --check                write nothing; fail if a file is not up to date
  --model-from SOURCE    first extract the API model from a source tree of Kubernetes (a directory)
                         or, without shapes and field numbers, from a running server (a kubeconfig)
  --release-from TREE    first extract how an older release differs from the model, from its source tree
  --kubernetes VERSION   version of the source tree, such as 1.36.4
  --help                 print this help`;

/** The one generator that can extract what it works from. */
const EXTRACTOR = 'packages/codegen/dist/main.js';

const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
    kubernetes: { type: 'string' },
    'model-from': { type: 'string' },
    'release-from': { type: 'string' },
  },
});

if (values.help) console.log(USAGE);
else await generate();

async function generate() {
  for (const generator of generators) {
    const args = [join(root, generator), ...(values.check ? ['--check'] : [])];
    if (generator === EXTRACTOR) args.push(...sources());
    const code = await handOver(process.execPath, args, process.env);
    if (code !== 0) process.exitCode = code;
  }
}

function sources() {
  const names = /** @type {const} */ (['model-from', 'release-from', 'kubernetes']);
  return names.flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [`--${name}`, value];
  });
}
