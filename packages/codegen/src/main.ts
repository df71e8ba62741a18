import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { findDrift, mendDrift } from './drift.ts';
import { generators } from './generators.ts';

const usage = `Usage: npm run generate [-- --check]

Writes every generated file of the repository from the data in packages/codegen/model.

  --check   write nothing; fail and name the files that are not up to date
  --help    this text`;

/** The root of the repository, seen from `packages/codegen/dist` and from `packages/codegen/src`. */
const root = fileURLToPath(new URL('../../..', import.meta.url));

function main(args: string[]): number {
  const { values } = parseArgs({
    args,
    options: { check: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const mends = findDrift(root, generators);
  if (values.check) {
    for (const { kind, path, generator } of mends) console.error(`${kind}: ${path} (${generator})`);
    if (mends.length === 0) console.log('Generated files are up to date.');
    else console.error(`${mends.length} generated files are stale. Run: npm run generate`);
    return mends.length === 0 ? 0 : 1;
  }
  mendDrift(root, mends);
  for (const { kind, path } of mends)
    console.log(`${kind === 'left over' ? 'removed' : 'wrote'} ${path}`);
  console.log(mends.length === 0 ? 'Generated files were up to date.' : `${mends.length} files.`);
  return 0;
}

process.exitCode = main(process.argv.slice(2));
