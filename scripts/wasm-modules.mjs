/**
 * Assembles the WebAssembly of the client into a module of TypeScript, which bundles and packages take along like any
 * other. `--check` writes nothing and fails if it is not up to date.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import wabt from 'wabt';

import { root } from './lib/paths.mjs';

const source = 'packages/client/src/codec/lazy/json-scan.wat';
const target = 'packages/client/src/codec/lazy/json-scan-module.ts';

const { values } = parseArgs({ options: { check: { type: 'boolean' } } });
const file = join(root, target);
const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
const after = await assembled();
if (after !== before) {
  if (values.check) {
    console.error(`${target} is not up to date`);
    process.exitCode = 1;
  } else writeFileSync(file, after);
}

async function assembled() {
  const assembler = await wabt();
  const module = assembler.parseWat(source, readFileSync(join(root, source), 'utf8'), {
    simd: true,
  });
  module.validate();
  const { buffer } = module.toBinary({});
  module.destroy();
  const lines =
    Buffer.from(buffer)
      .toString('base64')
      .match(/.{1,90}/g) ?? [];
  const text = lines.map((line) => `  '${line}'`).join(' +\n');
  return `// Written by \`npm run generate\` from json-scan.wat. Do not edit.

/** The scanner of JSON in WebAssembly, in base64. */
export const jsonScanModule: string =
${text};
`;
}
