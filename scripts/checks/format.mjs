import { toolScript } from '../lib/paths.mjs';
import { runTool } from './tool.mjs';

export const about = 'files are formatted (npm run format mends them)';

/** @param {string} root */
export function run(root) {
  return runTool(root, toolScript('oxfmt/bin/oxfmt'), ['--check']);
}
