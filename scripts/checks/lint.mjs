import { toolScript } from '../lib/paths.mjs';
import { runTool } from './tool.mjs';

export const about = 'oxlint with types, no warnings (node_modules/.bin/oxlint --fix mends some)';

/** @param {string} root */
export function run(root) {
  return runTool(root, toolScript('oxlint/bin/oxlint'), ['--type-aware', '--deny-warnings']);
}
