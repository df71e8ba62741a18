import { join } from 'node:path';

import { runTool } from './tool.mjs';

export const about = 'generated code is what the generator writes now (npm run generate mends it)';

/** @param {string} root */
export function run(root) {
  return runTool(root, join(root, 'packages/codegen/dist/main.js'), ['--check']);
}
