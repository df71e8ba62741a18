import { toolScript } from '../lib/paths.mjs';
import { runTool } from './tool.mjs';

export const about = 'the JSDoc types of scripts/ hold (the packages are compiled by the build)';

/** @param {string} root */
export function run(root) {
  return runTool(root, toolScript('typescript/bin/tsc'), ['-p', 'scripts/tsconfig.json']);
}
