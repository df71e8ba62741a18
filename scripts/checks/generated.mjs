import { join } from 'node:path';

import { generators } from '../lib/generators.mjs';
import { runTool } from './tool.mjs';

export const about =
  'generated files are what the generators write now (npm run generate mends them)';

/** @param {string} root */
export async function run(root) {
  const findings = [];
  for (const generator of generators) {
    findings.push(...(await runTool(root, join(root, generator), ['--check'])));
  }
  return findings;
}
